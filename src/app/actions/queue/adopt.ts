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
import { readScriptsLogs } from '../../../queue/scripts/scriptsLogs';
import type { TaskQueue } from '../../../queue/taskQueue';
import { refuseInsideAttempt } from '../attempts/insideAttempt';
import type { Checked } from '../../checks/checked';
import { refuseScripts } from '../../context/scripts';
import type { QueueContext } from '../../context/queueContext';
import { count, shorten } from '../../present/text';

/** History that `queue_manager.sh` left in the state folder, to be adopted. */
export interface ScriptsFound extends ScriptsHistory {
  readonly kind: 'scripts';
  readonly folder: string;
  /** Number of lines that are no record, by log. */
  readonly unreadable: ReadonlyMap<ScriptsLog, number>;
}

/** History that another program, or another machine, left beside the queue file. */
export type Adoptable = ScriptsFound;

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
  return { kind: 'scripts', folder: paths.state.folder, unreadable, ...history };
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
    throw new Problem('usage', `There is nothing to decide about task ${unknown.join(', ')}.`);
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
    `${folder} has the history of queue_manager.sh.`,
    `${count(attempts.length, 'attempt')}: ${String(isOf('success'))} succeeded, ${String(isOf('error'))} failed, ${String(isOf('limit'))} hit the usage limit.`,
    ...(handOvers === 0
      ? []
      : [
          `${count(handOvers, 'record')} with exit code 99 (a task in NEXT_TASK.md): no attempts, no retries.`,
        ]),
    ...due.map(
      ({ id, ranAt, dueAt }) =>
        `Task ${String(id)} repeats: last run ${formatMinute(ranAt, timeZone)}, next ${formatMinute(dueAt, timeZone)}.`,
    ),
    ...undecided.map((task) => describeUndecided(task, timeZone)),
    ...[...unreadable].map(([log, lines]) => `${log}: ${count(lines, 'line')} cannot be read, skipped.`),
  ];
}

/** Describes a row that is still pending although it ran, in one line. */
export function describeUndecided(
  { id, record, isHandedOver, isSamePrompt }: UndecidedTask,
  timeZone: string,
): string {
  const when = formatMinute(record.at, timeZone);
  const what = isHandedOver
    ? `was written into NEXT_TASK.md at ${when} and not marked complete`
    : `ran at ${when} (exit code ${String(record.code)})`;
  const then = isSamePrompt ? '' : ' with another prompt';
  return `Task ${String(id)} ${what}${then}, and its row is pending: ${shorten(redact(record.prompt), PROMPT_WIDTH)}`;
}

const PROMPT_WIDTH = 60;

/** Describes what was adopted and what remains to be decided. */
export function describeAdopted(found: Adoptable, decisions: ReadonlyMap<TaskId, Decision>): string[] {
  const left = found.undecided.map(({ id }) => id).filter((id) => !decisions.has(id));
  return [
    `Adopted ${count(found.attempts.length, 'attempt')}. Nothing was deleted.`,
    ...(left.length === 0
      ? []
      : [
          `In review: task ${left.join(', ')}. "claude-queue accept ID" if it is done, "claude-queue retry ID" to run it again.`,
        ]),
  ];
}

/** Checks whether there is a history to adopt. */
export async function checkAdoptable(queueContext: QueueContext, queue: TaskQueue): Promise<Checked[]> {
  const found = await findAdoptable(queueContext, queue);
  if (found === null) return [];
  return [{ state: 'problem', where: found.folder, message: ADVICE, remedy: { kind: 'adopt-scripts' } }];
}

const ADVICE =
  'has the history of queue_manager.sh. Adopt it with "claude-queue adopt", or archive it with "claude-queue reset".';

/** Returns a sentence if there is a history to adopt; else null. */
export async function offerAdoption(queueContext: QueueContext): Promise<string | null> {
  const found = await queueContext.withQueue((queue) => findAdoptable(queueContext, queue));
  return found === null ? null : `${found.folder} ${ADVICE}`;
}

/**
 * Refuses to start while that would repeat a task that already ran under another program.
 * @throws Problem `not-adopted`
 */
export async function refuseUnadopted(queueContext: QueueContext, queue: TaskQueue): Promise<void> {
  const found = await findAdoptable(queueContext, queue);
  if (found === null || !wouldRepeat(found, queueContext.host.clock.now())) return;
  throw new Problem('not-adopted', `${found.folder} ${ADVICE} Until then nothing starts.`);
}

/** Whether a task would run again although it already ran, or before its time. */
export function wouldRepeat({ undecided, due }: Adoptable, now: number): boolean {
  return undecided.length > 0 || due.some(({ dueAt }) => dueAt > now);
}
