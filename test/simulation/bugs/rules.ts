import type { PlantedBug } from './plantedBugs';

/** Bugs in the pure rules. */
export const RULE_BUGS: readonly PlantedBug[] = [
  {
    name: 'order: the last row of a class goes first',
    file: 'src/domain/order/candidates.ts',
    find: 'return a.rank - b.rank || a.task.order - b.task.order;',
    replace: 'return a.rank - b.rank || b.task.order - a.task.order;',
  },
  {
    name: 'order: a low priority goes before a high one',
    file: 'src/domain/order/candidates.ts',
    find: 'PRIORITIES.indexOf(effective));',
    replace: '-PRIORITIES.indexOf(effective));',
  },
  {
    name: 'order: a task that was stopped does not go on first',
    file: 'src/domain/order/candidates.ts',
    find: 'const marks = [isLast, !isStopped(task), !isPromoted];',
    replace: 'const marks = [isLast, false, !isPromoted];',
  },
  {
    name: 'order: waiting promotes nobody',
    file: 'src/domain/task/priority.ts',
    find: "if (priority === 'medium') return waitedMs >= ageing.mediumToHighMs ? 'high' : 'medium';",
    replace: "if (priority === 'medium') return 'medium';",
  },
  {
    name: 'order: tenants do not take turns',
    file: 'src/domain/order/turns.ts',
    find: 'return turns.get(tenant) ?? NEVER_SERVED;',
    replace: 'return turns.size < 0 ? tenant.length : NEVER_SERVED;',
  },
  {
    name: 'dependency: one that failed counts as completed',
    file: 'src/domain/task/dependencies.ts',
    find: "if (definition.repeat === undefined) return state.status === 'completed';",
    replace: "if (definition.repeat === undefined) return ['completed', 'failed'].includes(state.status);",
  },
  {
    name: 'dependency: only the first one counts',
    file: 'src/domain/task/dependencies.ts',
    find: 'for (const id of task.definition.dependencies) {',
    replace: 'for (const id of task.definition.dependencies.slice(0, 1)) {',
  },
  {
    name: 'dependency: an old success of a repeating task counts for ever',
    file: 'src/domain/task/dependencies.ts',
    find: 'return state.lastSuccessAt !== null && isFresh(state.lastSuccessAt, dependent);',
    replace: 'return state.lastSuccessAt !== null || isFresh(0, dependent);',
  },
  {
    name: 'retry: a transient error counts',
    file: 'src/domain/task/decide.ts',
    find: 'if (transientInRow > FREE_TRANSIENTS) return',
    replace: 'if (transientInRow > 0) return',
  },
  {
    name: 'retry: a limit counts',
    file: 'src/domain/task/decide.ts',
    find: "return { ...unchanged(task), dueAt, dueCause: 'limit', resume: 'limit', code: 2 };",
    replace:
      "return { ...unchanged(task), retryCount: task.state.retryCount + 1, dueAt, dueCause: 'limit', resume: 'limit', code: 2 };",
  },
  {
    name: 'retry: one attempt more than allowed',
    file: 'src/domain/task/decide.ts',
    find: 'if (retryCount < task.definition.maxRetries) {',
    replace: 'if (retryCount <= task.definition.maxRetries) {',
  },
  {
    name: 'retry: no back-off',
    file: 'src/domain/task/decide.ts',
    find: 'const dueAt = task.circumstances.now + backoffMs(task.state.retryCount, task.circumstances);',
    replace: 'const dueAt = task.circumstances.now;',
  },
  {
    name: 'retry: a lost attempt starts a new session',
    file: 'src/domain/task/decide.ts',
    find: "return { ...unchanged(task), resume: 'lost', lostInRow };",
    replace: 'return { ...unchanged(task), resume: null, lostInRow };',
  },
  {
    name: 'retry: a doubtful end is completed',
    file: 'src/domain/task/decide.ts',
    find: "return { ...repeatOr(task, 'review'), code: 0 };",
    replace: "return { ...repeatOr(task, 'completed'), code: 0 };",
  },
  {
    name: 'repeat: the next time is the one that has just been',
    file: 'src/domain/task/decide.ts',
    find: 'const dueAt = nextTime(definition.repeat, circumstances.now, circumstances.timeZone);',
    replace: 'const dueAt = circumstances.now;',
  },
  {
    name: 'repeat: missed runs are never made up for',
    file: 'src/domain/time/missedRuns.ts',
    find: 'const owedRuns = Math.min(catchUps + passed - (missed ?? 1), missedRunsMax - 1);',
    replace: 'const owedRuns = Math.min(catchUps + passed - (missed ?? 1), 0);',
  },
  {
    name: 'gate: opens at the reset, with no minute after it',
    file: 'src/domain/gate/gateOpening.ts',
    find: 'return passesByItself(block.kind) ? block.until : block.until + openAfterResetMs;',
    replace: 'return passesByItself(block.kind) ? block.until : block.until + 0 * openAfterResetMs;',
  },
  {
    name: 'gate: opens a minute before the reset',
    file: 'src/domain/gate/gateOpening.ts',
    find: 'return until === null || (until > now && since <= now + CLOCK_ORDER_MS);',
    replace: 'return until === null || (until > now + 120_000 && since <= now + CLOCK_ORDER_MS);',
  },
  {
    name: 'gate: sign-in problems do not close it',
    file: 'src/domain/gate/gateReport.ts',
    find: 'if (needsUser(signal.kind)) return { until: statedEnd(signal, now) };',
    replace: 'if (needsUser(signal.kind)) return { until: now };',
  },
  {
    name: 'pause: one that you placed is lifted with those of bounds',
    file: 'src/domain/queue/pauses.ts',
    find: 'if (by !== undefined && hold.by !== by) return [hold];',
    replace: 'if (by !== undefined && hold.by === by) return [hold];',
  },
  {
    name: 'approval: a row keeps its fingerprint when its prompt changes',
    file: 'src/domain/task/approval.ts',
    find: 'return trusted || approvals.has(approvalOf(row));',
    replace: 'return trusted || [...approvals].some((one) => one.startsWith(`${String(row.id)}:`));',
  },
];
