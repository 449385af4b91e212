/** A line of a prompt, and whether it was there before, is there now, or both. */
export interface PromptLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Two prompts line by line. */
export async function comparePrompts(before: string, now: string): Promise<PromptLine[]> {
  // Only who looks at a changed prompt pays for it.
  const { diffLines } = await import('diff');
  // Prompts that have hardly a line in common are quicker read whole than compared to the end.
  const parts = diffLines(endLine(before), endLine(now), { maxEditLength: MOST_EDITS });
  if (parts === undefined) return [...linesOf('removed', before), ...linesOf('added', now)];
  return parts.flatMap(({ value, added, removed }) =>
    linesOf(added ? 'added' : removed ? 'removed' : 'same', value),
  );
}

const MOST_EDITS = 2000;

/** Whether the last line has an end is no difference that the user could see. */
function endLine(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

function linesOf(kind: PromptLine['kind'], text: string): PromptLine[] {
  return endLine(text)
    .slice(0, -1)
    .split('\n')
    .map((line) => ({ kind, text: line }));
}
