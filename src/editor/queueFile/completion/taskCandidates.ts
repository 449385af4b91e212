import { shorten } from '../../../app/present/text';
import { formatOrdinal } from '../../../app/present/reasons/amounts';
import type { QueueViewModel, TaskViewModel } from '../../../app/viewModel/queueViewModel';
import { findDependents } from '../../../domain/task/dependents';
import type { TaskId } from '../../../domain/task/task';
import { readIds } from '../../../queue/row/meaning';
import type { DocumentRow } from '../document/documentRecord';
import type { QueueDocument } from '../document/queueDocument';
import { describeState } from '../lenses/stateSentence';
import type { Candidate } from './candidate';
import { t } from '../../../platform/text/translate';

/** Characters of a prompt and of a state in the list. */
const PROMPT_WIDTH = 60;
const STATE_WIDTH = 30;

/**
 * Returns the tasks on which a row may depend, in running order: running ones, those next in line, those that wait.
 * Left out are tasks that are over, those that the row names already, and those that would close a cycle.
 */
export function dependencyCandidates(
  document: QueueDocument,
  row: DocumentRow,
  viewModel: QueueViewModel,
): Candidate[] {
  const excluded = new Set([...namedIn(row), ...dependentsOf(document, row.id)]);
  return inRunningOrder(viewModel.tasks)
    .filter(({ task }) => !excluded.has(task.definition.id))
    .map((shown) => toCandidate(shown, viewModel));
}

function toCandidate(shown: TaskViewModel, { world }: QueueViewModel): Candidate {
  const { id, prompt } = shown.task.definition;
  const { place, reason } = shown;
  const state = place === null ? describeState(shown, world) : formatOrdinal(place);
  const detail = shorten(prompt, PROMPT_WIDTH);
  return {
    text: String(id),
    detail,
    description: reason.state === 'running' ? t('running') : shorten(state, STATE_WIDTH),
    words: `${String(id)} ${detail}`,
    kind: 'task',
  };
}

/** Returns the tasks that are not over: running ones, those next in line, those that wait. */
export function inRunningOrder(tasks: readonly TaskViewModel[]): readonly TaskViewModel[] {
  const open = tasks.filter(({ reason }) => reason.state !== 'completed' && reason.state !== 'cancelled');
  const rank = ({ reason, place }: TaskViewModel): number =>
    reason.state === 'running' ? 0 : (place ?? Infinity);
  return [...open].sort((a, b) => {
    const [first, second] = [rank(a), rank(b)];
    return first === second ? 0 : first - second;
  });
}

/** Returns the ids in a row's dependencies; ids that cannot be read are left out. */
function namedIn(row: DocumentRow): readonly TaskId[] {
  const parts = row.cell('dependencies')?.text.split('|') ?? [];
  return parts.flatMap((part) => {
    const ids = readIds(part.trim());
    return 'value' in ids ? ids.value : [];
  });
}

/** Returns a task and all tasks that depend on it, directly or not, as the text says. */
export function dependentsOf(document: QueueDocument, id: TaskId | null): ReadonlySet<TaskId> {
  if (id === null) return new Set();
  const rows = document.rows.flatMap((row) =>
    row.id === null ? [] : [{ id: row.id, dependencies: namedIn(row) }],
  );
  return findDependents(rows)(id).add(id);
}
