import type { CellChange, RowChange } from '../approval/approvedChanges';
import { cutLine, describeForApproval, describePermissions, describeUnseenLines } from '../approval/approval';
import { revealInvisible } from '../../platform/text/invisible';
import type { TaskViewModel } from '../viewModel/queueViewModel';
import { comparePrompts, type PromptLine } from '../approval/promptDiff';
import { count } from './text';

/** As much of a difference as is shown before it is approved; what remains out is said. */
const MOST_LINES = 60;
/** Unchanged lines that are shown around a changed one. */
const AROUND = 2;

/** How a change is told that lies in a secret. */
const CHANGED_UNSEEN = 'changed since it was approved, in a part that is not shown';

/** What is approved with a row: all of it where it is new, and else what it says otherwise than what was approved. */
export async function describeChange(shown: TaskViewModel, change: RowChange): Promise<string> {
  if (change.kind === 'unseen') return `${describeForApproval(shown)}\n    (${CHANGED_UNSEEN}: read the row)`;
  if (change.kind !== 'changed') return describeForApproval(shown);
  const { id } = shown.task.definition;
  const head = `Task ${String(id)}, changed since it was approved; ${describePermissions(shown).join('; ')}:`;
  const lines = await Promise.all(change.cells.map(describeCell));
  return [head, ...lines.flat().map((line) => `    ${line}`), ...describeUnseenLines(shown)].join('\n');
}

/** Which cells of a row say something else than what was approved, in a line; null: it is no change. */
export function summarizeChange(change: RowChange): string | null {
  if (change.kind === 'unseen') return CHANGED_UNSEEN;
  return change.kind === 'changed' ? `changed: ${change.cells.map(({ column }) => column).join(', ')}` : null;
}

/** The cells that a change is about as they were and as they are, to be laid side by side. */
export interface ChangeSides {
  readonly before: string;
  readonly now: string;
}

/** Both sides of a change, whole but for secrets; `unseen`: how much of the row these are, if any. */
export function layChangeOut(cells: readonly CellChange[], unseen: string | null): ChangeSides {
  const lay = (side: 'before' | 'now'): string =>
    cells.map((cell) => `${cell.column}:\n${revealInvisible(cell[side] ?? '(empty)')}\n`).join('\n');
  return {
    before: lay('before'),
    now: `${lay('now')}${unseen === null ? '' : `\n(${unseen}: read the row)\n`}`,
  };
}

async function describeCell({ column, before, now }: CellChange): Promise<string[]> {
  if (column === 'prompt') {
    const lines = await comparePrompts(revealInvisible(before ?? ''), revealInvisible(now ?? ''));
    return ['prompt:', ...describeLines(lines)];
  }
  return [`${column}: ${report(before)} → ${report(now)}`];
}

function report(value: string | null): string {
  return value === null ? '(empty)' : cutLine(revealInvisible(value).replaceAll('\n', String.raw`\n`));
}

const SIGNS = { same: '  ', removed: '- ', added: '+ ' } as const;

function describeLines(lines: readonly PromptLine[]): string[] {
  const near = lines.map((_, index) =>
    lines.slice(Math.max(0, index - AROUND), index + AROUND + 1).some(({ kind }) => kind !== 'same'),
  );
  const reported = lines.flatMap(({ kind, text }, index) => {
    if (near[index] === true) return [`  ${SIGNS[kind]}${cutLine(text)}`];
    return near[index - 1] === true || index === 0 ? ['    …'] : [];
  });
  const more = reported.length - MOST_LINES;
  return more > 0
    ? [...reported.slice(0, MOST_LINES), `  (${count(more, 'more line')}: read the row)`]
    : reported;
}
