/** Line of a prompt: removed, added or the same. */
export interface PromptLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Compares two prompts line by line. */
export async function comparePrompts(before: string, now: string): Promise<PromptLine[]> {
  // Loaded only for a changed prompt.
  const { diffLines } = await import('diff');
  // Very different prompts are easier to read whole than as a diff.
  const parts = diffLines(endLine(before), endLine(now), { maxEditLength: MOST_EDITS });
  if (parts === undefined) return [...linesOf('removed', before), ...linesOf('added', now)];
  return parts.flatMap(({ value, added, removed }) =>
    linesOf(added ? 'added' : removed ? 'removed' : 'same', value),
  );
}

const MOST_EDITS = 2000;

/** Ends the last line, because a missing line end is no visible difference. */
function endLine(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

function linesOf(kind: PromptLine['kind'], text: string): PromptLine[] {
  return endLine(text)
    .slice(0, -1)
    .split('\n')
    .map((line) => ({ kind, text: line }));
}
