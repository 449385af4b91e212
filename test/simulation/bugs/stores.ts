import type { PlantedBug } from './plantedBugs';

/** Bugs in the store, its lock and its file. */
export const STORE_BUGS: readonly PlantedBug[] = [
  {
    name: 'lock: nobody waits for it',
    seed: 33,
    file: 'src/platform/lock/lock.ts',
    find: 'return tryTake(lockPath) ?? (await waitFor(lockPath));',
    replace: 'return tryTake(lockPath) ?? (() => undefined);',
    // A writer that notices that another one was faster writes again. Lines of the journal are looked at and written in one
    // step here, but files of the user are not.
    also: {
      file: 'src/account/userFile.ts',
      find: 'if ((await this.readText()) !== expected) return false;',
      replace: 'if ((await this.readText()) === null && expected !== null) return false;',
    },
  },
  {
    name: 'journal: a line that another process overtook counts as written',
    unreachable:
      'Between the last look at the journal and the write to it there is no point at which another process can run here. ' +
      'Real processes are frozen there by test/faults.',
    file: 'src/queue/file/journal/journalFile.ts',
    find: 'return (await readFrom(this.handle, at, at + bytes.length)).equals(bytes);',
    replace: 'return (await readFrom(this.handle, at, at + bytes.length)).length > 0;',
  },
  {
    name: 'journal: a line is not synced',
    seed: 1,
    file: 'src/queue/file/journal/journalFile.ts',
    find: 'await this.handle.datasync();',
    replace: 'await Promise.resolve();',
  },
  {
    name: 'journal: what a crash cut off is not ended',
    seed: 256,
    file: 'src/queue/file/journal/journalLine.ts',
    find: "return bytes.length === 0 || bytes.at(-1) === NEW_LINE ? '' : CUT_OFF;",
    replace: "return bytes.length === 0 || bytes.at(-1) === NEW_LINE ? '' : '';",
  },
  {
    name: 'state: what could not be written is kept in memory',
    seed: 13,
    file: 'src/queue/file/journal/fileHistory.ts',
    find: '      if (!isWritten) this.forget();',
    replace: '      if (!isWritten) this.journal.size.toFixed();',
  },
  {
    name: 'checkpoint: the file is written without a look at what it replaces',
    seed: 170,
    file: 'src/queue/file/checkpoint/replaceIfUnchanged.ts',
    find: 'if (readFileSync(backup).equals(expected)) return true;',
    replace: 'if (readFileSync(backup).length >= 0) return true;',
    // It looks once more afterwards, and puts the user's version back.
    also: {
      file: 'src/queue/file/checkpoint/replaceIfUnchanged.ts',
      find: 'return checkBackup(file, backup, (saved) => Promise.resolve(saved.equals(expected)));',
      replace: 'return checkBackup(file, backup, (saved) => Promise.resolve(saved.length >= 0));',
    },
  },
  {
    name: 'checkpoint: the file is not synced before it gets its name',
    seed: 54,
    file: 'src/platform/files/files.ts',
    find: '      await handle.sync();\n    } finally {\n      await handle.close();\n    }\n    return temporary;',
    replace: '    } finally {\n      await handle.close();\n    }\n    return temporary;',
  },
  {
    name: 'checkpoint: logs are written again after a crash',
    seed: 91,
    file: 'src/queue/file/checkpoint/logFiles.ts',
    find: 'if (addition.subarray(0, behind.length).equals(behind)) return addition.subarray(behind.length);',
    replace: 'if (addition.subarray(0, behind.length).equals(behind)) return addition;',
  },
  {
    name: 'checkpoint: logs of one that a crash stopped are dropped',
    seed: 13,
    file: 'src/queue/file/checkpoint/checkpoint.ts',
    find: 'await appendLogs(this.paths.state, interrupted.logs, interrupted.logSizes);',
    replace: 'if (fileWritten) await appendLogs(this.paths.state, interrupted.logs, interrupted.logSizes);',
  },
  {
    name: 'checkpoint: the last one is left out',
    seed: 1,
    file: 'src/queue/file/checkpoint/checkpoint.ts',
    find: 'return isBehind || this.history.size !== this.doneAt;',
    replace: 'return isBehind && this.history.size !== this.doneAt;',
  },
  {
    name: 'import: the texts of a checkpoint that may not have happened count as edits',
    seed: 158,
    file: 'src/queue/file/reading/importEdits.ts',
    find: 'const current = [state.projected.get(id), state.unconfirmed.get(id)].filter((texts) => texts !== undefined);',
    replace: 'const current = [state.projected.get(id)].filter((texts) => texts !== undefined);',
  },
  {
    name: 'import: a status that you set is overlooked',
    seed: 5,
    file: 'src/queue/file/reading/importEdits.ts',
    find: '...(isTouched(0) ? { status: shared.status } : {}),',
    replace: "...(isTouched(0) && shared.status !== 'pending' ? { status: shared.status } : {}),",
  },
  {
    name: 'import: an empty file has no rows any more',
    seed: 16,
    file: 'src/queue/file/reading/importEdits.ts',
    find: 'if (!rows.set.whole) return null;',
    replace: 'if (!rows.set.whole && rows.rows.length > 1e9) return null;',
    // Only of a file that is complete are missing rows known to be gone.
    also: {
      file: 'src/queue/file/reading/rowReader.ts',
      find: 'const complete = file.whole && unread',
      replace: 'const complete = unread',
    },
  },
  {
    name: 'import: a finished row that became pending runs unapproved',
    seed: 5,
    file: 'src/queue/model/state/taskChanges.ts',
    find: "const reopened = status === 'pending' && (timed.reopened || FINISHED.includes(timed.status));",
    replace: "const reopened = status === 'pending' && timed.reopened && FINISHED.includes(timed.status);",
  },
  {
    name: 'recovery: a living worker counts as dead',
    seed: 1,
    file: 'src/queue/model/liveness.ts',
    find: 'isDead: (owner) => isHere(owner) && !machine.isAlive(owner.process),',
    replace: 'isDead: (owner) => isHere(owner) && owner.process.pid % 2 === 0,',
  },
  {
    name: 'recovery: claims of dead workers stay',
    seed: 5,
    file: 'src/queue/model/steps.ts',
    find: 'if (!isAbandoned(claim, liveness) || claim.id !== (rules.only ?? claim.id)) continue;',
    replace: 'if (isAbandoned(claim, liveness) || claim.id !== (rules.only ?? claim.id)) continue;',
  },
  {
    name: 'recovery: a claude that still runs is overlooked',
    seed: 5,
    file: 'src/queue/model/steps.ts',
    find: 'return run === undefined || !liveness.mayStillRun({ machine: owner.machine, process: run });',
    replace: 'return run === undefined || liveness.isDead(owner);',
    // The worker ends it first, so this alone breaks nothing.
    also: {
      file: 'src/worker/attempt/lostAttempts.ts',
      find: 'if (run !== undefined) await processes.endTree(',
      replace: 'if (run !== undefined && mark === "") await processes.endTree(',
    },
  },
  {
    name: 'fence: an old token is accepted',
    unreachable:
      'On one machine a worker loses a claim only when it is dead, and then it writes nothing more.',
    file: 'src/queue/model/steps.ts',
    find: 'if (held?.token === ref.token && held.mark === ref.mark) return held;',
    replace: 'if (held !== undefined) return held;',
  },
  {
    name: 'claim: a task that runs is claimed again',
    seed: 1,
    file: 'src/domain/reasons/explain.ts',
    find: 'if (claim !== undefined) return explainClaim(claim);',
    replace: "if (claim !== undefined && state.status !== 'pending') return explainClaim(claim);",
    // Its own attempt is in its way, as any other in its folder.
    also: {
      file: 'src/domain/reasons/explainQueue.ts',
      find: 'if (inTheWay === undefined) return null;',
      replace: 'if (inTheWay === undefined || inTheWay.id === task.definition.id) return null;',
    },
  },
  {
    name: 'outbox: a notice is recorded as shown before it is',
    seed: 1,
    file: 'src/app/notify/dueNotices.ts',
    find: 'const shown = fresh.length > 0 ? await this.deps.send(fresh, look) : [];',
    replace: 'const shown = fresh;',
  },
  {
    name: 'outbox: a notice that was shown is not recorded',
    seed: 1,
    file: 'src/app/notify/dueNotices.ts',
    find: 'if (keys.length > 0) {',
    replace: 'if (keys.length > 99) {',
  },
  {
    name: 'outbox: the end of an attempt raises nothing',
    seed: 1,
    file: 'src/queue/model/outbox.ts',
    find: 'if (notice !== null && isCurrent(step.state, notice)) step.record',
    replace: 'if (notice !== null && notice.id < 0) step.record',
  },
  {
    name: 'outbox: every worker sends every notice',
    seed: 47,
    file: 'src/queue/model/outbox.ts',
    find: 'return !mightBeSending(other, liveness);',
    replace: 'return mightBeSending(other, liveness) || sent.length >= 0;',
  },
];
