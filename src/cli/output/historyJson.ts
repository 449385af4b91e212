import { describeMessage } from '../../app/present/reasons/endNote';
import { isoOrNull } from '../../app/present/text';
import type { Attempt } from '../../domain/task/attempt';
import { changedTestsOf, hasPartialDiff } from '../../domain/task/attemptFacts';
import { sumOf } from '../../app/viewModel/ledger';
import { formatJson } from '../options/parseArguments';

/** Fields with the same name in JSON; null if unknown. */
const FACTS = [
  ...['turns', 'costUsd', 'priority', 'waitedMs', 'session', 'output', 'user', 'tokens', 'contextTokens'],
  ...['model', 'version', 'apiMs', 'subtype', 'terminalReason', 'check', 'diff', 'permissions', 'billing'],
  ...['report', 'reportReason', 'usage'],
] as const satisfies readonly (keyof Attempt)[];

/** JSON of attempts: the contract of `history --json`. */
export function historyToJson(attempts: readonly Attempt[]): string {
  return formatJson({ attempts: attempts.map(attemptToJson), total: sumOf(attempts) });
}

/** JSON of one attempt in `history --json`. */
export function attemptToJson(attempt: Attempt): object {
  return {
    id: attempt.id,
    attempt: attempt.number,
    startedAt: isoOrNull(attempt.startedAt),
    endedAt: isoOrNull(attempt.endedAt),
    outcome: attempt.outcome,
    reason: attempt.reason,
    message: describeMessage(attempt),
    exitCode: attempt.code,
    claudeExitCode: attempt.exitCode ?? null,
    ...Object.fromEntries(FACTS.map((name) => [name, attempt[name] ?? null])),
    late: attempt.late === true,
    isDiffPartial: hasPartialDiff(attempt),
    changedTests: changedTestsOf(attempt),
    limitWarning: attempt.limitWarning === true,
    machine: attempt.machine ?? null,
    folder: attempt.place?.folder ?? null,
    earlierOutput: attempt.earlierOutput ?? null,
    acceptedAt: attempt.acceptedAt === undefined ? null : isoOrNull(attempt.acceptedAt),
    undoneAt: attempt.undoneAt === undefined ? null : isoOrNull(attempt.undoneAt),
    missed: attempt.missed ?? 0,
    denials: attempt.denials ?? [],
  };
}
