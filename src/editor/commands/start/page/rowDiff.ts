import { describeRow } from '../../../../app/approval/approval';
import type { RowChange } from '../../../../app/approval/approvedChanges';
import { comparePrompts, type PromptLine } from '../../../../app/approval/promptDiff';
import { revealInvisible } from '../../../../platform/text/invisible';
import type { TaskViewModel } from '../../../../app/viewModel/queueViewModel';

/** Cell of a row, line by line. */
export interface CellDiff {
  readonly column: string;
  readonly lines: readonly PromptLine[];
}

/**
 * Returns the changed cells of a row with their differences; the whole prompt, with its file and system
 * prompt, if it was not approved before.
 */
export async function layRowOut(shown: TaskViewModel, change: RowChange): Promise<readonly CellDiff[]> {
  if (change.kind === 'changed')
    return Promise.all(
      change.cells.map(async ({ column, before, now }) => ({
        column,
        lines: await compare(before, now),
      })),
    );
  const { prompt, promptFile, appendSystemPrompt } = describeRow(shown.task).permissionFields;
  const kind = change.kind === 'new' ? 'added' : 'same';
  const show = async (column: string, value: string): Promise<CellDiff> => ({
    column,
    lines: (await compare(null, value)).map(({ text }) => ({ kind, text })),
  });
  const file = promptFile && (await show(`prompt_file ${promptFile.path}`, promptFile.text));
  const system =
    appendSystemPrompt === undefined ? [] : await show('append_system_prompt', appendSystemPrompt);
  return [await show('prompt', prompt), file ?? [], system].flat();
}

/** Compares the values of a cell; null is an empty cell, which has no line. */
async function compare(before: string | null, now: string | null): Promise<PromptLine[]> {
  if (before !== null && now !== null) return comparePrompts(revealInvisible(before), revealInvisible(now));
  const lines = (kind: PromptLine['kind'], value: string | null): PromptLine[] =>
    value === null
      ? []
      : revealInvisible(value.trimEnd())
          .split('\n')
          .map((text) => ({ kind, text }));
  return [...lines('removed', before), ...lines('added', now)];
}
