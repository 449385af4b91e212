import type { Command } from 'commander';
import { isoOrNull } from '../../app/gateWords';
import { count } from '../../app/words';
import { type Attempt, type Outcome, OUTCOMES } from '../../domain/attempt';
import { formatDuration } from '../../domain/duration';
import { formatMinute } from '../../domain/localTime';
import { Problem } from '../../domain/problem';
import { formatUsd } from '../../domain/usd';
import type { AttemptFilter } from '../../queue/taskQueue';
import type { Act } from '../action';
import type { Context } from '../context';
import { OK } from '../exitCodes';
import { parseSince } from '../since';
import { formatJson, parseCount, parseId } from '../words';

const NOTHING = 'There are no attempts: nothing has run yet, or it was put away.';

const HEAD = ['began', 'task', 'attempt', 'outcome', 'took', 'turns', 'cost', 'priority', 'waited'];

export function defineHistory(program: Command, act: Act): void {
  const command = program
    .command('history')
    .description('what ran, when, how it ended, and what it cost; newest first')
    .argument('[id]', 'only this task')
    .option('--since <time>', 'what began since then: 7d, HH:MM, YYYY-MM-DD HH:MM')
    .option('--outcome <word>', `only what ended so: ${OUTCOMES.join(', ')}`)
    .option('--limit <count>', 'only the newest, so many')
    .option('--json', 'for programs');
  act(command, async (context, [id], options) => {
    const { timeZone } = await context.configure();
    const filter = readFilter(id, options, context, timeZone);
    const attempts = await context.withQueue((queue) => queue.attempts(filter));
    if (options['json'] === true) context.system.out(toJson(attempts));
    else if (attempts.length > 0) context.system.out(toText(attempts, timeZone));
    else context.system.out(Object.keys(filter).length === 0 ? NOTHING : 'No attempt fits.');
    return OK;
  });
}

function readFilter(
  id: string | undefined,
  { since, outcome, limit }: Readonly<Record<string, unknown>>,
  { system }: Context,
  timeZone: string,
): AttemptFilter {
  return {
    ...(id === undefined ? {} : { id: parseId(id) }),
    ...(typeof since === 'string' ? { since: parseSince(since, system.clock.now(), timeZone) } : {}),
    ...(typeof outcome === 'string' ? { outcome: parseOutcome(outcome) } : {}),
    ...(typeof limit === 'string' ? { limit: parseCount(limit) } : {}),
  };
}

function parseOutcome(text: string): Outcome {
  const outcome = OUTCOMES.find((word) => word === text);
  if (outcome !== undefined) return outcome;
  throw new Problem('usage', `"${text}" is not an outcome: give one of ${OUTCOMES.join(', ')}.`);
}

function toText(attempts: readonly Attempt[], timeZone: string): string {
  const rows = [HEAD, ...attempts.map((attempt) => toCells(attempt, timeZone))];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [...lines, sumUp(attempts)].join('\n');
}

function toCells(attempt: Attempt, timeZone: string): string[] {
  const { outcome, reason, costUsd, turns } = attempt;
  return [
    formatMinute(attempt.startedAt, timeZone),
    String(attempt.id),
    String(attempt.number),
    reason === '' || reason === outcome ? outcome : `${outcome} (${reason})`,
    formatDuration(attempt.endedAt - attempt.startedAt),
    turns === undefined ? '' : String(turns),
    costUsd === undefined ? '' : formatUsd(costUsd),
    attempt.priority ?? '',
    describeWait(attempt),
  ];
}

function describeWait({ waitedMs, late, missed }: Attempt): string {
  return [
    waitedMs === undefined ? [] : formatDuration(waitedMs),
    late === true ? 'late' : [],
    missed === undefined || missed === 0 ? [] : `${String(missed)} missed`,
  ]
    .flat()
    .join(', ');
}

/** One line about all of them. */
function sumUp(attempts: readonly Attempt[]): string {
  const { ms, costUsd, outcomes } = sumOf(attempts);
  const ends = Object.entries(outcomes).map(([outcome, times]) => `${String(times)} ${outcome}`);
  return `${count(attempts.length, 'attempt')}: ${ends.join(', ')}; in all ${formatDuration(ms)}, ${formatUsd(costUsd)}.`;
}

interface Sums {
  readonly ms: number;
  readonly costUsd: number;
  /** How often each outcome that there was. */
  readonly outcomes: Partial<Record<Outcome, number>>;
}

function sumOf(attempts: readonly Attempt[]): Sums {
  const outcomes: Partial<Record<Outcome, number>> = {};
  for (const outcome of OUTCOMES) {
    const times = attempts.filter((attempt) => attempt.outcome === outcome).length;
    if (times > 0) outcomes[outcome] = times;
  }
  return {
    ms: attempts.reduce((sum, { startedAt, endedAt }) => sum + endedAt - startedAt, 0),
    costUsd: attempts.reduce((sum, attempt) => sum + (attempt.costUsd ?? 0), 0),
    outcomes,
  };
}

/** The contract of `history --json`. */
function toJson(attempts: readonly Attempt[]): string {
  const { ms, costUsd, outcomes } = sumOf(attempts);
  return formatJson({
    attempts: attempts.map((attempt) => ({
      id: attempt.id,
      attempt: attempt.number,
      startedAt: isoOrNull(attempt.startedAt),
      endedAt: isoOrNull(attempt.endedAt),
      outcome: attempt.outcome,
      reason: attempt.reason,
      message: attempt.message,
      exitCode: attempt.code,
      turns: attempt.turns ?? null,
      costUsd: attempt.costUsd ?? null,
      priority: attempt.priority ?? null,
      waitedMs: attempt.waitedMs ?? null,
      late: attempt.late === true,
      missed: attempt.missed ?? 0,
      session: attempt.session,
      output: attempt.output ?? null,
      denials: attempt.denials ?? [],
    })),
    total: { attempts: attempts.length, ms, costUsd, outcomes },
  });
}
