import type { PlantedBug } from './plantedBugs';

/** Bugs in the worker, its clock and the editor's half. */
export const WORKER_BUGS: readonly PlantedBug[] = [
  {
    name: 'worker: the prompt goes out before the process is recorded',
    seed: 1,
    file: 'src/worker/attempt/runAttempt.ts',
    find: 'await queue.start(claim, run, createId());',
    replace: 'void queue.start(claim, run, createId()).catch(() => undefined);',
  },
  {
    name: 'worker: the end of an attempt is dropped on a full disk',
    file: 'src/worker/retryUntilWritten.ts',
    find: 'if (!mayPass || this.spentMs >= GIVE_UP_MS) throw error;',
    replace: 'if (mayPass || this.spentMs >= GIVE_UP_MS) throw error;',
  },
  {
    name: 'worker: an attempt of another task has the end of this one',
    seed: 11,
    file: 'src/worker/attempt/attemptEnd.ts',
    find: '    outcome: verdict.outcome,\n',
    replace: "    outcome: verdict.outcome === 'transient' ? 'error' : verdict.outcome,\n",
  },
  {
    name: 'worker: the gate gets no report of a limit',
    seed: 6,
    file: 'src/worker/attempt/admission.ts',
    find: '    signal: signal ?? null,\n',
    replace: "    signal: signal?.kind === 'five_hour' ? null : (signal ?? null),\n",
  },
  {
    name: 'worker: the gate is not asked for admission',
    file: 'src/worker/attempt/admission.ts',
    find: 'return await deps.gate.admit(starter);',
    replace: 'return starter.worker.length > 0;',
  },
  {
    name: 'worker: a claim that was refused is not returned',
    file: 'src/worker/attempt/mayStart.ts',
    find: 'if (!isAdmitted) await releaseClaim(deps, claimed, stop);',
    replace: 'if (!isAdmitted && stop.aborted) await releaseClaim(deps, claimed, stop);',
  },
  {
    name: 'worker: a cancelled attempt runs on',
    file: 'src/worker/attempt/claimGuard.ts',
    find: 'if (cause !== undefined) controller.abort(cause);',
    replace: "if (cause === 'stopped') controller.abort(cause);",
  },
  {
    name: 'worker: it waits for its own due time and never looks again',
    file: 'src/worker/workerLoop.ts',
    find: 'const latest = Math.min(idle?.askAgainAt ?? Infinity, bounds.until ?? Infinity, now + lookAgainMs);',
    replace:
      'const latest = Math.min(idle?.askAgainAt ?? 1e15, bounds.until ?? Infinity, 1e15 + lookAgainMs);',
  },
  {
    name: 'worker: its bound does not pause the queue',
    seed: 6,
    file: 'src/worker/bounds/bounds.ts',
    find: 'if (this.findReached(now) !== null || this.ran + this.reserved >= maxTasks) return false;',
    replace: 'if (this.findReached(now) !== null || this.ran + this.reserved > maxTasks) return false;',
  },
  {
    name: 'clock: a reset beyond a clock that was set back is waited for',
    file: 'src/domain/gate/gateOpening.ts',
    find: 'if (isClosed(block, until, now) && !isImplausibleReset(block, now, rules)) return',
    replace: 'if (isClosed(block, until, now)) return',
  },
  {
    name: 'clock: a lock from the future is never cleared',
    file: 'src/platform/lock/lockFolder.ts',
    find: 'if (stat !== undefined && stat.mtimeMs > Date.now() + STALE_MS) rmdirSync(lockPath);',
    replace: 'if (stat !== undefined && stat.mtimeMs > Date.now() + 1e15) rmdirSync(lockPath);',
  },
  {
    name: 'clock: the end of an attempt may be before its start',
    seed: 4,
    file: 'src/worker/attempt/attemptEnd.ts',
    find: '    endedAt: Math.max(endedAt, startedAt),\n',
    replace: '    endedAt,\n',
  },
  {
    name: 'stop: a request of the user is overlooked',
    seed: 12,
    file: 'src/queue/model/steps.ts',
    find: 'return isMeant ? stop.how : undefined;',
    replace: 'return isMeant && !isOnRecord ? stop.how : undefined;',
  },
  {
    name: 'merge: the disk wins over what you typed',
    seed: 10,
    file: 'src/queue/csv/threeWayMerge.ts',
    find: 'if (base !== undefined && plain(mine) === plain(base)) return theirs;',
    replace: 'if (base !== undefined) return theirs;',
  },
  {
    name: 'merge: the status on the disk is lost',
    file: 'src/queue/csv/threeWayMerge.ts',
    find: 'if (plain(mine) === plain(theirs)) return mine;',
    replace: 'if (plain(mine) === plain(theirs) || this.shared.has(index)) return mine;',
  },
  {
    name: 'merge: a row that another wrote is lost',
    seed: 41,
    file: 'src/queue/csv/threeWayMerge.ts',
    find: 'if (this.isNew(id, theirs)) this.add(theirs, above);',
    replace: 'if (this.isNew(id, theirs) && id < 0) this.add(theirs, above);',
  },
  {
    name: 'window: its unsaved changes are not announced',
    file: 'src/editor/unsaved/unsavedMark.ts',
    find: 'window.markUnsaved(editBase.texts);',
    replace: 'window.markUnsaved.toString();',
  },
];
