import type { Move } from '../play/moves/moves';
import type { PlantedBug } from './plantedBugs';

/** A timer is installed, and workers run for long enough to notice when it does not fire. */
const WITH_TIMER: readonly Move[] = [
  { index: 0, at: 10, kind: 'worker' },
  { index: 1, at: 1_000, kind: 'timer' },
  { index: 2, at: 30_000, kind: 'worker' },
  { index: 3, at: 420_000, kind: 'worker' },
];

/** Bugs in what the user is notified of, and in what is noticed of other processes. */
export const NOTICE_BUGS: readonly PlantedBug[] = [
  {
    name: 'night: it is never summed up',
    seed: 2,
    file: 'src/queue/model/outbox.ts',
    find: 'if (done === null || reasons.some(isStillToCome)) return;',
    replace: 'if (done === null || !reasons.some(isStillToCome)) return;',
  },
  {
    name: 'night: a task that ran twice counts twice',
    seed: 1,
    file: 'src/queue/model/outbox.ts',
    find: 'const last = new Map(ended.map((attempt) => [attempt.id, attempt]));',
    replace:
      'const last = { *[Symbol.iterator]() { for (const one of ended) yield [one.id, one] as const; } };',
  },
  {
    name: 'night: its attempts are found by their times, although the clock is set back',
    seed: 2344759,
    file: 'src/queue/model/state/batch.ts',
    find: 'if (batchEnds === null)',
    replace: 'if (batchEnds !== -1)',
  },
  {
    name: 'night: it is summed up again and again',
    seed: 1,
    file: 'src/queue/model/state/outboxState.ts',
    find: 'closeBatch(state);',
    replace: '',
  },
  {
    name: 'timer: one that starts no worker is overlooked',
    seed: 1,
    moves: WITH_TIMER,
    file: 'src/domain/queue/missingWorker.ts',
    find: 'isRunning ? Infinity : expectedAt + TIMER_GRACE_MS + 1;',
    replace: 'isRunning ? Infinity : expectedAt + 100 * TIMER_GRACE_MS;',
  },
  {
    name: 'timer: one that is on time counts as late',
    seed: 2,
    moves: WITH_TIMER,
    file: 'src/domain/queue/missingWorker.ts',
    find: 'Math.max(since, startedAt ?? since, ranUntil ?? since)',
    replace: 'since',
  },
  {
    name: 'recovery: a worker that runs overlooks the claims of dead ones',
    seed: 5,
    file: 'src/worker/workerLoop.ts',
    find: 'if (!polling.failed) await polling.tryRecover(recoverLostAttempts);',
    replace: 'if (polling.failed) await polling.tryRecover(recoverLostAttempts);',
  },
  {
    name: 'recovery: the death of a worker is not noticed',
    seed: 5,
    file: 'src/domain/queue/observeNotices.ts',
    find: '    ...died.map(noticeOfDeath),\n',
    replace: '',
  },
];
