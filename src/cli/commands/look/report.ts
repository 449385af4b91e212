import { type Command, Option } from 'commander';
import { countFresh, describeOutcomes, formatCount } from '../../../app/present/counts';
import type { Attempt } from '../../../domain/task/attempt';
import { formatDuration } from '../../../domain/time/duration';
import { formatUsd } from '../../../domain/usd';
import {
  composeLedger,
  LEDGER_KEYS,
  type LedgerKey,
  type LedgerLine,
  type Sums,
  sumOf,
} from '../../../app/viewModel/ledger';
import { composeUserLines, type UserLine } from '../../../app/viewModel/queued';
import { peekViewModel } from '../../../app/viewModel/queueViewModel';
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
    .description('sum up attempts: outcomes, duration, cost; by user also what waits')
    .addOption(new Option('--by <what>', 'group by this (default: day)').choices(LEDGER_KEYS))
    .option('--since <time>', 'attempts started since then: 7d, HH:MM or YYYY-MM-DD HH:MM')
    .option('--json', 'print JSON');
  act(command, async (context, _args, { since, by = 'day', json }: ReportOptions) => {
    const { timeZone } = await context.configure();
    const filter =
      since === undefined ? {} : { since: parseSince(since, context.system.clock.now(), timeZone) };
    const report = await context.withQueue(async (queue): Promise<Report> => {
      const attempts = await queue.attempts(filter);
      const lines = composeLedger(attempts, by, timeZone);
      if (by !== 'user') return { by, attempts, lines };
      const users = composeUserLines(lines, attempts, await peekViewModel(context, queue));
      return { by, attempts, lines: users };
    });
    context.system.out(json === true ? toJson(report, timeZone) : await toText(report));
    return OK;
  });
}

/** Attempts of a period, all and in groups. */
interface Report {
  readonly by: LedgerKey;
  readonly attempts: readonly Attempt[];
  readonly lines: readonly (LedgerLine & Partial<UserLine>)[];
}

async function toText({ by, attempts, lines }: Report): Promise<string> {
  const { layOut } = await import('../../output/table');
  if (lines.length === 0) return 'There are no attempts to report on.';
  const rows = lines.map(({ key, sums, ...ofUser }) => toCells(key || '(none)', sums, ofUser));
  const ofUsers = ['queued', 'longest wait', 'waited (p50)'];
  const head = [by, 'attempts', 'ended', 'time', 'tokens', 'from the cache', 'cost', ...ofUsers];
  return layOut(head, [...rows, toCells('in all', sumOf(attempts))]).join('\n');
}

function toCells(
  key: string,
  { attempts, outcomes, ms, tokens, costUsd }: Sums,
  { queued, waitedMs = null }: Partial<UserLine> = {},
): string[] {
  const fresh = countFresh(tokens);
  return [
    key,
    String(attempts),
    describeOutcomes(outcomes),
    attempts === 0 ? '' : formatDuration(ms),
    fresh === 0 ? '' : formatCount(fresh),
    tokens.cacheRead === 0 ? '' : formatCount(tokens.cacheRead),
    attempts === 0 ? '' : formatUsd(costUsd),
    queued === undefined ? '' : String(queued.tasks),
    queued === undefined || queued.tasks === 0 ? '' : formatDuration(queued.longestWaitMs),
    waitedMs === null ? '' : formatDuration(waitedMs.p50),
  ];
}

/** JSON of a report: the contract of `report --json`. */
function toJson({ by, attempts, lines }: Report, timeZone: string): string {
  return formatJson({
    by,
    timeZone,
    lines: lines.map(({ key, sums, queued, waitedMs }) => ({
      [by]: by === 'task' ? Number(key) : key || null,
      ...sums,
      ...(queued === undefined
        ? {}
        : { queued: queued.tasks, longestWaitMs: queued.longestWaitMs, waitedMs: waitedMs ?? null }),
    })),
    total: sumOf(attempts),
  });
}
