import { formatMinute } from '../../../domain/time/localTime';
import { Problem } from '../../../domain/problem';
import {
  BY_SCRIPTS,
  decideTasks,
  type Decision,
  readScriptsHistory,
  type ScriptsHistory,
  type ScriptsLog,
  type UndecidedTask,
} from '../../../domain/task/scriptsHistory';
import type { TaskId } from '../../../domain/task/task';
import { redact } from '../../../platform/text/redact';
import { t } from '../../../platform/text/translate';
import { readScriptsLogs } from '../../../queue/scripts/scriptsLogs';
import type { TaskQueue } from '../../../queue/taskQueue';
import { refuseInsideAttempt } from '../attempts/insideAttempt';
import type { Checked } from '../../checks/checked';
import { refuseScripts } from '../../context/scripts';
import type { QueueContext } from '../../context/queueContext';
import { shorten } from '../../present/text';

/** History that `queue_manager.sh` left in the state folder, to be adopted. */
export interface Adoptable extends ScriptsHistory {
  readonly folder: string;
  /** Number of lines that are no record, by log. */
  readonly unreadable: ReadonlyMap<ScriptsLog, number>;
}

/** Finds the history that can be adopted; null where there is none. Reads only. */
export async function findAdoptable(queueContext: QueueContext, queue: TaskQueue): Promise<Adoptable | null> {
  const { isUntouched, tasks } = await queue.read();
  if (!isUntouched) return null;
  const { paths, host } = queueContext;
  const { records, unreadable } = await readScriptsLogs(paths.state, {
    timeZone: host.timeZone,
    now: host.clock.now(),
  });
  if (records.length === 0) return null;
  await queueContext.configure();
  const history = readScriptsHistory(records, tasks, queueContext.configuration.last.timeZone);
  return { folder: paths.state.folder, unreadable, ...history };
}

/**
 * Adopts a history, once. Nothing is deleted. Undecided tasks without a decision are in review afterwards.
 * @throws Problem `inside-run`, `queue-locked`, `conflict`, `usage` for a decision on another task
 */
export async function adopt(
  queueContext: QueueContext,
  queue: TaskQueue,
  found: Adoptable,
  decisions: ReadonlyMap<TaskId, Decision>,
): Promise<void> {
  await refuseInsideAttempt(queueContext, queue, 'adopt a history');
  refuseScripts(queueContext);
  const open = new Set(found.undecided.map(({ id }) => id));
  const unknown = [...decisions.keys()].filter((id) => !open.has(id));
  if (unknown.length > 0) {
    throw new Problem('usage', t('There is nothing to decide about task {0}.', unknown.join(', ')));
  }
  const tasks = decideTasks(found, decisions);
  await queue.adopt({ from: BY_SCRIPTS, attempts: found.attempts, tasks }, queueContext.host.createId());
  await queue.sync();
}

/** Describes what would be adopted, one line per fact. */
export function describeAdoptable(found: Adoptable, queueContext: QueueContext): string[] {
  const { attempts, due, undecided, handOvers, unreadable, folder } = found;
  const { timeZone } = queueContext.configuration.last;
  const isOf = (outcome: string): number => attempts.filter((one) => one.outcome === outcome).length;
  return [
    t('{0} has the history of queue_manager.sh.', folder),
    t(
      '{0}: {1} succeeded, {2} failed, {3} hit the usage limit.',
      attempts.length === 1 ? t('1 attempt') : t('{0} attempts', attempts.length),
      isOf('success'),
      isOf('error'),
      isOf('limit'),
    ),
    ...(handOvers === 0 ? [] : [describeHandOvers(handOvers)]),
    ...due.map(({ id, ranAt, dueAt }) =>
      t(
        'Task {0} repeats: last run {1}, next {2}.',
        id,
        formatMinute(ranAt, timeZone),
        formatMinute(dueAt, timeZone),
      ),
    ),
    ...undecided.map((task) => describeUndecided(task, timeZone)),
    ...[...unreadable].map(([log, lines]) => describeUnreadable(log, lines)),
  ];
}

function describeHandOvers(number: number): string {
  return number === 1
    ? t('1 record with exit code 99 (a task in NEXT_TASK.md): no attempts, no retries.')
    : t('{0} records with exit code 99 (a task in NEXT_TASK.md): no attempts, no retries.', number);
}

function describeUnreadable(log: ScriptsLog, lines: number): string {
  return lines === 1
    ? t('{0}: 1 line cannot be read, skipped.', log)
    : t('{0}: {1} lines cannot be read, skipped.', log, lines);
}

/** Describes a row that is still pending although it ran, in one line. */
export function describeUndecided(
  { id, record, isHandedOver, isSamePrompt }: UndecidedTask,
  timeZone: string,
): string {
  const when = formatMinute(record.at, timeZone);
  const prompt = shorten(redact(record.prompt), PROMPT_WIDTH);
  if (isHandedOver && isSamePrompt) {
    return t(
      'Task {0} was written into NEXT_TASK.md at {1} and not marked complete, and its row is pending: {2}',
      id,
      when,
      prompt,
    );
  }
  if (isHandedOver) {
    return t(
      'Task {0} was written into NEXT_TASK.md at {1} and not marked complete with another prompt, and its row is pending: {2}',
      id,
      when,
      prompt,
    );
  }
  const { code } = record;
  return isSamePrompt
    ? t('Task {0} ran at {1} (exit code {2}), and its row is pending: {3}', id, when, code, prompt)
    : t(
        'Task {0} ran at {1} (exit code {2}) with another prompt, and its row is pending: {3}',
        id,
        when,
        code,
        prompt,
      );
}

const PROMPT_WIDTH = 60;

/** Describes what was adopted and what remains to be decided. */
export function describeAdopted(found: Adoptable, decisions: ReadonlyMap<TaskId, Decision>): string[] {
  const left = found.undecided.map(({ id }) => id).filter((id) => !decisions.has(id));
  return [
    found.attempts.length === 1
      ? t('Adopted 1 attempt. Nothing was deleted.')
      : t('Adopted {0} attempts. Nothing was deleted.', found.attempts.length),
    ...(left.length === 0
      ? []
      : [
          t(
            'In review: task {0}. "claude-queue accept ID" if it is done, "claude-queue retry ID" to run it again.',
            left.join(', '),
          ),
        ]),
  ];
}

/** Checks whether there is a history to adopt. */
export async function checkAdoptable(queueContext: QueueContext, queue: TaskQueue): Promise<Checked[]> {
  const found = await findAdoptable(queueContext, queue);
  if (found === null) return [];
  return [
    { state: 'problem', where: found.folder, message: describeAdoption(), remedy: { kind: 'adopt-scripts' } },
  ];
}

/** Rest of a sentence about the folder, which is the place of the finding. */
function describeAdoption(): string {
  return t(
    'has the history of queue_manager.sh. Adopt it with "claude-queue adopt", or archive it with "claude-queue reset".',
  );
}

function describeFound({ folder }: Adoptable): string {
  return t(
    '{0} has the history of queue_manager.sh. Adopt it with "claude-queue adopt", or archive it with "claude-queue reset".',
    folder,
  );
}

/** Returns a sentence if there is a history to adopt; else null. */
export async function offerAdoption(queueContext: QueueContext): Promise<string | null> {
  const found = await queueContext.withQueue((queue) => findAdoptable(queueContext, queue));
  return found === null ? null : describeFound(found);
}

/**
 * Refuses to start while that would repeat a task that already ran under another program.
 * @throws Problem `not-adopted`
 */
export async function refuseUnadopted(queueContext: QueueContext, queue: TaskQueue): Promise<void> {
  const found = await findAdoptable(queueContext, queue);
  if (found === null || !wouldRepeat(found, queueContext.host.clock.now())) return;
  throw new Problem('not-adopted', `${describeFound(found)} Until then nothing starts.`);
}

/** Whether a task would run again although it already ran, or before its time. */
export function wouldRepeat({ undecided, due }: Adoptable, now: number): boolean {
  return undecided.length > 0 || due.some(({ dueAt }) => dueAt > now);
}
