import { CHAT } from '../../account/approvals';
import type { CellChange, RowChange } from '../approval/approvedChanges';
import type { DroppedWords } from '../approval/ownEdit';
import { cutLine, describeForApproval, describePermissions, describeUnseenLines } from '../approval/approval';
import { revealInLine, revealInvisible } from '../../platform/text/invisible';
import { t } from '../../platform/text/translate';
import type { TaskViewModel } from '../viewModel/queueViewModel';
import { comparePrompts, type PromptLine } from '../approval/promptDiff';
import { count } from './text';

/** Most lines of a diff to show before approval. The text says how many more there are. */
const MOST_LINES = 60;
/** Unchanged lines of context to show on each side of a changed line. */
const AROUND = 2;

/** Text for a change in a part that is not shown, such as a secret. */
const CHANGED_UNSEEN = t('changed since it was approved, in a part that is not shown');

/** Describes a row for approval: all of it if it is new, else its differences from the approved row. */
export async function describeChange(shown: TaskViewModel, change: RowChange): Promise<string> {
  if (change.kind === 'unseen') return `${describeForApproval(shown)}\n    (${CHANGED_UNSEEN}: read the row)`;
  if (change.kind !== 'changed') {
    const origin = summarizeChange(change);
    return `${describeForApproval(shown)}${origin === null ? '' : `\n    (${origin})`}`;
  }
  const { id } = shown.task.definition;
  const head = `Task ${String(id)}, changed since it was approved; ${describePermissions(shown).join('; ')}:`;
  const lines = await Promise.all(change.cells.map(describeCell));
  return [head, ...lines.flat().map((line) => `    ${line}`), ...describeUnseenLines(shown)].join('\n');
}

/** Says that Claude does not get the user's words, which were about the row before an edit of its permissions. */
export function describeDropped(words: DroppedWords): string {
  return words === 'answer'
    ? t('Claude will not get your answer: it was about the earlier row.')
    : t('Claude will not get your comment: it was about the earlier row.');
}

/** Says in one line what is special about a row: its changed cells, or where it came from; null: nothing is. */
export function summarizeChange(change: RowChange): string | null {
  if (change.kind === 'unseen') return CHANGED_UNSEEN;
  if (change.kind === 'new') return describeOrigin(change.origin);
  if (change.kind !== 'changed') return null;
  return t('changed: {0}', change.cells.map(({ column }) => column).join(', '));
}

function describeOrigin(origin: string | undefined): string | null {
  if (origin === undefined) return null;
  return origin === CHAT ? t('added by a chat') : t('imported from {0}', origin);
}

/** Changed cells before and now, to be shown side by side. */
export interface ChangeSides {
  readonly before: string;
  readonly now: string;
}

/** Returns both sides of a change in full, without secrets; `unseen` says how much is hidden. */
export function layChangeOut(cells: readonly CellChange[], unseen: string | null): ChangeSides {
  const lay = (side: 'before' | 'now'): string =>
    cells.map((cell) => `${cell.column}:\n${revealInvisible(cell[side] ?? t('(empty)'))}\n`).join('\n');
  const hidden = unseen === null ? [] : ['', t('({0}: read the row)', unseen), ''];
  return { before: lay('before'), now: `${lay('now')}${hidden.join('\n')}` };
}

async function describeCell({ column, before, now }: CellChange): Promise<string[]> {
  const isText = column === 'prompt' || column === 'append_system_prompt' || column === 'prompt_file';
  if (!isText && ![before, now].some((value) => value?.includes('\n')))
    return [`${column}: ${report(before)} → ${report(now)}`];
  const lines = await comparePrompts(revealInvisible(before ?? ''), revealInvisible(now ?? ''));
  return [`${column}:`, ...(column === 'prompt_file' ? findNear(lines) : describeLines(lines))];
}

function report(value: string | null): string {
  return value === null ? '(empty)' : cutLine(revealInLine(value));
}

const SIGNS = { same: '  ', removed: '- ', added: '+ ' } as const;

function describeLines(lines: readonly PromptLine[]): string[] {
  const shownLines = findNear(lines).map(cutLine);
  const more = shownLines.length - MOST_LINES;
  return more > 0
    ? [...shownLines.slice(0, MOST_LINES), `  (${count(more, 'more line')}: read the row)`]
    : shownLines;
}

/** Returns the changed lines with their signs, and what is around them. */
function findNear(lines: readonly PromptLine[]): string[] {
  const near = lines.map((_, index) =>
    lines.slice(Math.max(0, index - AROUND), index + AROUND + 1).some(({ kind }) => kind !== 'same'),
  );
  return lines.flatMap(({ kind, text }, index) => {
    if (near[index] === true) return [`  ${SIGNS[kind]}${text}`];
    return near[index - 1] === true || index === 0 ? ['    …'] : [];
  });
}
