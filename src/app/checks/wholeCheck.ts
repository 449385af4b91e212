import * as path from 'node:path';
import { isProblem, type Problem } from '../../domain/problem';
import type { World } from '../../domain/reasons/world';
import { EDITOR } from '../../domain/settings/settings';
import { formatTime } from '../../domain/time/moment';
import { hasCode } from '../../platform/files/files';
import { t } from '../../platform/text/translate';
import { findMisspelled } from '../../queue/row/misspelledColumns';
import type { Snapshot, TaskQueue } from '../../queue/taskQueue';
import { checkAdoptable } from '../actions/queue/adopt';
import type { QueueContext } from '../context/queueContext';
import { checkScripts } from '../context/scripts';
import type { ShownNotice } from '../notify/accountNotices';
import { describePlace, placeSettings, type PlacedSetting } from '../context/settingPlaces';
import { describeMissingWorker } from '../present/timers/missingWorkerTexts';
import { describeEmptied, describeError } from '../present/problems/problem';
import { describeDeath } from '../present/workers';
import { describeRowProblem, formatWhere } from '../present/problems/rowProblem';
import { buildViewModel } from '../viewModel/queueViewModel';
import { note, placedAt, problem, type Checked, type Remedy } from './checked';
import { checkMachine, isPayerRefused } from './machineCheck';
import { findUnreadable, locateMachineSetting } from './settingSource';
import { isRedisProblem } from './redisCheck';
import { checkTasks } from './taskCheck';

/** Time in which a notice is sent, where nothing prevents it, in milliseconds. */
const UNSENT_MS = 60_000;

/** Checks the settings, the queue and this machine, and in between what `others` checks. */
export async function checkWhole(
  queueContext: QueueContext,
  others: () => Promise<Checked[]> = () => Promise.resolve([]),
): Promise<Checked[]> {
  try {
    const wrong = await placeSettings((await queueContext.configure()).problems);
    return [
      ...wrong.map(describeSetting),
      ...(await checkQueue(queueContext)),
      ...checkScripts(queueContext),
      ...(await others()),
      ...(await checkMachine(queueContext)),
    ];
  } catch (error) {
    // Without valid settings the queue cannot be read.
    if (!isProblem(error, 'settings-invalid')) throw error;
    return [
      { ...problem(t('settings'), describeError(error)), ...placedAt(await findUnreadable(queueContext)) },
    ];
  }
}

function describeSetting(setting: PlacedSetting): Checked {
  const { source, name, place, message } = setting;
  const found = problem(describePlace(setting), message);
  if (source === EDITOR) return { ...found, remedy: { kind: 'open-setting', name } };
  if (!path.isAbsolute(source)) return { ...found, remedy: { kind: 'copy-name', text: name } };
  return { ...found, at: { file: source, where: place === null ? null : { kind: 'file', ...place } } };
}

async function checkQueue(queueContext: QueueContext): Promise<Checked[]> {
  const { queueFile: file } = queueContext;
  try {
    const [snapshot, adoptable, stopped] = await queueContext.withQueue(async (queue) => [
      await queue.read(),
      await checkAdoptable(queueContext, queue),
      await checkForStops(queueContext, queue),
    ]);
    const rows = snapshot.problems.map((one) => ({
      ...problem(formatWhere(file, one.where), describeRowProblem(one)),
      at: { file, where: one.where },
    }));
    const emptied = describeEmptied(snapshot);
    return [
      ...(emptied === null ? [] : [{ ...problem(file, emptied), ...placedAt({ file, where: null }) }]),
      ...rows,
      ...findMisspelled(snapshot.columns).map(({ message }) => ({
        ...note(file, message),
        ...placedAt({ file, where: null }),
      })),
      ...adoptable,
      ...stopped,
      ...(await checkTasks(queueContext, snapshot)),
    ];
  } catch (error) {
    // The check of the machine reports them.
    if (isRedisProblem(error)) return [];
    if (isProblem(error)) return [{ ...problem(file, describeError(error)), ...remedyFor(error) }];
    throw error;
  }
}

function remedyFor({ reason }: Problem): { remedy?: Remedy } {
  if (reason === 'state-foreign') return { remedy: { kind: 'adopt-foreign' } };
  return reason === 'queue-missing' ? { remedy: { kind: 'create-queue' } } : {};
}

/**
 * Checks for work that should continue and does not: the account is blocked, or a worker is missing. None if the user's
 * state folder cannot be read: that is reported separately.
 */
async function checkForStops(queueContext: QueueContext, queue: TaskQueue): Promise<Checked[]> {
  try {
    const { account, missingWorkers, snapshot, world } = await buildViewModel(queueContext, queue);
    const death = describeDeath(snapshot, world);
    // The gate is closed for a payer that is not the chosen one; the check of the machine reports that.
    const isRefused = await isPayerRefused(queueContext);
    return [
      ...account
        .filter(({ needsUser, kind }) => needsUser && !(isRefused && kind === 'billing'))
        .map(describeBlock),
      ...(death === null ? [] : [workerFinding('note', death)]),
      ...(await checkUnsent(queueContext, snapshot, world)),
      ...missingWorkers.found.map((one) =>
        // A queue without a worker is no problem in itself: the user may start one.
        workerFinding(one.kind === 'no-worker' ? 'note' : 'problem', describeMissingWorker(one, world)),
      ),
    ];
  } catch (error) {
    if (hasCode(error, 'ENOTDIR', 'EACCES', 'EPERM')) return [];
    throw error;
  }
}

function describeBlock({ kind, title, text, message }: ShownNotice): Checked {
  const found = problem(t('account'), `${title}: ${text}. ${t('Claude Code said: {0}', message)}`);
  return { ...found, remedy: { kind: kind === 'sign-in' ? 'sign-in' : 'resume' } };
}

/** Checks for notices that the `notify` command was to send and has not sent. */
async function checkUnsent(
  queueContext: QueueContext,
  { outbox }: Snapshot,
  world: World,
): Promise<Checked[]> {
  if (world.settings.notify.length === 0) return [];
  const times = outbox.flatMap(({ at, sent }) => (sent.includes('worker') ? [] : [at]));
  const oldest = Math.min(...times);
  if (world.now - oldest < UNSENT_MS) return [];
  const message = t(
    'Notices that this command has not sent: {0}, the oldest from {1}. Run it yourself to see whether it works. The next worker tries again.',
    times.length,
    formatTime(oldest, world),
  );
  return [{ ...problem('notify', message), ...(await locateMachineSetting(queueContext, 'notify')) }];
}

function workerFinding(state: Checked['state'], message: string): Checked {
  return { state, where: t('worker'), message, remedy: { kind: 'start-worker' } };
}
