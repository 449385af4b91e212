import { type Command, Option } from 'commander';
import { countFresh, describeOutcomes, formatCount } from '../../../app/present/counts';
import type { Attempt } from '../../../domain/task/attempt';
import { formatDuration } from '../../../domain/time/duration';
import { formatUsd } from '../../../domain/usd';
import { composeLedger, LEDGER_KEYS, type LedgerKey, type Sums, sumOf } from '../../../app/viewModel/ledger';
import type { Act } from '../../action';
import { OK } from '../../exitCodes';
import { parseSince } from '../../options/since';
import { formatJson } from '../../options/parseArguments';

interface ReportOptions {
  readonly since?: string;
  readonly by?: LedgerKey;
  readonly json?: true;
}

export function defineReport(program: Command, act: Act): void {
  const command = program
    .command('report')
    .description('sum up attempts: outcomes, duration, cost')
    .addOption(new Option('--by <what>', 'group by this (default: day)').choices(LEDGER_KEYS))
    .option('--since <time>', 'attempts started since then: 7d, HH:MM or YYYY-MM-DD HH:MM')
    .option('--json', 'print JSON');
  act(command, async (context, _args, { since, by = 'day', json }: ReportOptions) => {
    const { timeZone } = await context.configure();
    const filter =
      since === undefined ? {} : { since: parseSince(since, context.system.clock.now(), timeZone) };
    const attempts = await context.withQueue((queue) => queue.attempts(filter));
    const toAnswer = json === true ? toJson : toText;
    context.system.out(await toAnswer(attempts, by, timeZone));
    return OK;
  });
}

async function toText(attempts: readonly Attempt[], by: LedgerKey, timeZone: string): Promise<string> {
  const { layOut } = await import('../../output/table');
  if (attempts.length === 0) return 'There are no attempts to report on.';
  const lines = composeLedger(attempts, by, timeZone).map(({ key, sums }) => toCells(key || '(none)', sums));
  const head = [by, 'attempts', 'ended', 'time', 'tokens', 'from the cache', 'cost'];
  return layOut(head, [...lines, toCells('in all', sumOf(attempts))]).join('\n');
}

function toCells(key: string, { attempts, outcomes, ms, tokens, costUsd }: Sums): string[] {
  const fresh = countFresh(tokens);
  return [
    key,
    String(attempts),
    describeOutcomes(outcomes),
    formatDuration(ms),
    fresh === 0 ? '' : formatCount(fresh),
    tokens.cacheRead === 0 ? '' : formatCount(tokens.cacheRead),
    formatUsd(costUsd),
  ];
}

/** JSON of a report: the contract of `report --json`. */
function toJson(attempts: readonly Attempt[], by: LedgerKey, timeZone: string): string {
  const lines = composeLedger(attempts, by, timeZone);
  return formatJson({
    by,
    timeZone,
    lines: lines.map(({ key, sums }) => ({ [by]: by === 'task' ? Number(key) : key || null, ...sums })),
    total: sumOf(attempts),
  });
}
