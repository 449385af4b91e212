import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { machineZone } from '../../platform/timeZones';
import { makePrivateFolder, PRIVATE_FILE } from '../../platform/files/files';
import type { Machine, NewTimer, TaskQueue } from '../../queue/taskQueue';
import { refuseInsideAttempt } from '../actions/attempts/insideAttempt';
import type { QueueContext } from '../context/queueContext';
import { type Entry, joinCrons, type Scheduler, type Scheduling } from './scheduler';
import { planEntry } from './scheduledCommand';
import { chooseScheduler, findInstalledTimers, listSchedulers } from './installedTimers';

/** Schedule of a queue, before it is installed. */
export interface PlannedSchedule {
  readonly scheduler: Scheduler;
  readonly entry: Entry;
}

/**
 * Plans a schedule at these times; changes nothing. `by` names its scheduler: undefined means the preferred one.
 * @throws Problem `inside-run`, `settings-invalid`, `scheduler-missing`, `claude-missing`, `usage`
 */
export async function planSchedule(
  queueContext: QueueContext,
  queue: TaskQueue,
  scheduling: Scheduling,
  { times, by }: { readonly times: Entry['times']; readonly by: string | undefined },
): Promise<PlannedSchedule> {
  await queueContext.configureStrictly();
  await refuseInsideAttempt(queueContext, queue, 'schedule work');
  const scheduler = await chooseScheduler(listSchedulers({ ...queueContext.host, scheduling }), by);
  return { scheduler, entry: await planEntry(queueContext, scheduling, times) };
}

/**
 * Installs a planned schedule in place of every other one of its queue, and records it in the queue.
 * @throws Problem `usage`, `scheduler-failed`
 */
export async function installSchedule(
  { queueFile, machine, host }: QueueContext,
  queue: TaskQueue,
  scheduling: Scheduling,
  { scheduler, entry }: PlannedSchedule,
): Promise<void> {
  await makePrivateFolder(path.dirname(entry.log));
  await (await fs.open(entry.log, 'a', PRIVATE_FILE)).close();
  await scheduler.install(entry);
  const others = listSchedulers({ ...host, scheduling }).filter(({ kind }) => kind !== scheduler.kind);
  await removeFrom(others, queueFile, null);
  const crons = entry.times.map(({ text }) => text);
  await queue.recordTimer({ by: scheduler.kind, crons, ...clockOf(machine) }, host.createId());
}

/**
 * Records the timer that is installed, if the record has none or other times: an older version installed it, or the user
 * edited it. A timer of a queue in Redis may be on another machine.
 */
export async function recordInstalled(
  { queueFile, redis, machine, host }: QueueContext,
  queue: TaskQueue,
  scheduling: Scheduling,
): Promise<void> {
  const { timer } = await queue.read();
  if (timer !== null && redis !== null) return;
  const { found } = await findInstalledTimers({ ...host, scheduling }, queueFile);
  const installed = found.find(({ kind }) => kind === timer?.by) ?? found[0];
  if (installed === undefined) return;
  const { kind: by, crons } = installed;
  if (timer?.by === by && joinCrons(timer.crons) === joinCrons(crons)) return;
  await queue.recordTimer({ by, crons, ...clockOf(machine) }, host.createId());
}

function clockOf({ id }: Pick<Machine, 'id'>): Pick<NewTimer, 'machine' | 'timeZone'> {
  return { machine: id, timeZone: machineZone() };
}

/**
 * Removes every schedule of a queue; `queue` is null if its file is gone. Returns the names of the schedulers that had
 * one.
 * @throws Problem `inside-run`, `scheduler-failed`
 */
export async function removeSchedule(
  queueContext: QueueContext,
  queue: TaskQueue | null,
  scheduling: Scheduling,
): Promise<string[]> {
  const { queueFile, machine, host } = queueContext;
  await refuseInsideAttempt(queueContext, queue, 'change a schedule');
  const timer = queue === null ? null : (await queue.read()).timer;
  const own = timer?.machine === machine.id ? timer.by : null;
  const removed = await removeFrom(listSchedulers({ ...host, scheduling }), queueFile, own);
  if (queue !== null && timer !== null) await queue.recordTimer(null, host.createId());
  return removed;
}

/** `recorded` is the scheduler that has an entry of the queue by its record; null: none is known. */
async function removeFrom(
  schedulers: readonly Scheduler[],
  queueFile: string,
  recorded: string | null,
): Promise<string[]> {
  const removed: string[] = [];
  for (const scheduler of schedulers)
    if (await scheduler.remove(queueFile, scheduler.kind === recorded)) removed.push(scheduler.kind);
  return removed;
}
