import { type Command, Option } from 'commander';
import {
  countFresh,
  describeOutcomes,
  formatCost,
  formatCount,
  formatRunTime,
} from '../../../app/present/counts';
import type { Attempt } from '../../../domain/task/attempt';
import { formatDuration } from '../../../domain/time/duration';
import {
  composeLedger,
  LEDGER_KEYS,
  type LedgerKey,
  type LedgerLine,
  type Sums,
  sumOf,
} from '../../../app/viewModel/ledger';
import { composeUserLines, type UserLine } from '../../../app/viewModel/queuedByUser';
import { peekViewModel } from '../../../app/viewModel/queueViewModel';
import { explainGaps } from '../../../app/viewModel/report/gapReasons';
import { noteArchived, noteKnownFrom } from '../../output/report/archivedNote';
import { composeNightReport, PERIOD_MS, type NightReport } from '../../../app/viewModel/report/nightReport';
import { Problem } from '../../../domain/problem';
import type { EpochMs } from '../../../domain/time/epoch';
import type { TaskQueue } from '../../../queue/taskQueue';
import type { Act } from '../../action';
import type { Context } from '../../context';
import { OK } from '../../exitCodes';
import { parsePastSince } from '../../options/since';
import { formatJson } from '../../options/parseArguments';

interface ReportOptions {
  readonly since?: string;
  readonly by?: LedgerKey;
  readonly markdown?: true;
  readonly json?: true;
}

export function defineReport(program: Command, act: Act): void {
  const command = program
    .command('report')
    .description('report what happened, what needs you and what it cost; with --by: sums of attempts')
    .addOption(new Option('--by <what>', 'print only sums, grouped by this').choices(LEDGER_KEYS))
    .option(
      '--since <time>',
      'start: 7d, HH:MM or YYYY-MM-DD HH:MM (default: 24 h ago; of sums: all attempts)',
    )
    .option('--markdown', 'print the report as Markdown')
    .option('--json', 'print JSON');
  act(command, async (context, _args, options: ReportOptions) => {
    const { by, markdown, json, since: text } = options;
    refuseMixed(options);
    const { timeZone } = await context.configure();
    const sinceBy = (now: EpochMs): EpochMs | null =>
      text === undefined ? null : parsePastSince(text, now, timeZone);
    if (by === undefined && json !== true) {
      const night = await context.withQueue((queue) => {
        const now = queue.now();
        return reportNight(context, queue, sinceBy(now) ?? now - PERIOD_MS);
      });
      if (markdown === true) {
        const { reportToMarkdown } = await import('../../output/report/reportMarkdown');
        context.system.out(reportToMarkdown(night));
      } else {
        const { layReportOut } = await import('../../output/report/layReportOut');
        context.system.out(layReportOut(night));
      }
      return OK;
    }
    const [sums, night] = await context.withQueue(async (queue) => {
      const now = queue.now();
      const since = sinceBy(now);
      return [
        await sumUp(context, queue, by ?? 'day', since),
        by === undefined ? await reportNight(context, queue, since ?? now - PERIOD_MS) : null,
      ] as const;
    });
    context.system.out(json === true ? await toJson(sums, night, timeZone) : await toText(sums));
    return OK;
  });
}

/** @throws Problem `usage` if options exclude each other */
function refuseMixed({ by, markdown, json }: ReportOptions): void {
  if (markdown !== true) return;
  if (json === true) throw new Problem('usage', 'Give --markdown or --json: not both.');
  if (by !== undefined) throw new Problem('usage', 'Give --markdown or --by: not both.');
}

async function reportNight(context: Context, queue: TaskQueue, since: EpochMs): Promise<NightReport> {
  const attempts = await queue.attempts({});
  const viewModel = await peekViewModel(context, queue);
  const { measureAccuracy } = await import('../../../app/simulate/measureAccuracy');
  const forecast = await measureAccuracy({ context, queue, viewModel }, attempts, since);
  return explainGaps(composeNightReport(viewModel, attempts, since, forecast), queue);
}

async function sumUp(
  context: Context,
  queue: TaskQueue,
  by: LedgerKey,
  since: EpochMs | null,
): Promise<Report> {
  const { timeZone } = await context.configure();
  const all = await queue.attempts({});
  // As in the account of the night: an attempt belongs to the time in which it ended.
  const attempts = since === null ? all : all.filter(({ endedAt }) => endedAt >= since);
  const viewModel = await peekViewModel(context, queue);
  const note =
    since === null ? noteArchived(viewModel.world.queue.tasks, all) : noteKnownFrom(viewModel.world, since);
  const lines = composeLedger(attempts, by, timeZone);
  if (by !== 'user') return { by, attempts, lines, note };
  return { by, attempts, lines: composeUserLines(lines, attempts, viewModel), note };
}

/** Attempts of a period, all and in groups. */
interface Report {
  readonly by: LedgerKey;
  readonly attempts: readonly Attempt[];
  readonly lines: readonly (LedgerLine & Partial<UserLine>)[];
  /** Says that archived attempts are not counted; null: none of the period is archived. */
  readonly note: string | null;
}

async function toText({ by, attempts, lines, note }: Report): Promise<string> {
  const { layOut } = await import('../../output/table');
  const notes = note === null ? [] : [note];
  if (lines.length === 0) return ['There are no attempts to report on.', ...notes].join(' ');
  const rows = lines.map(({ key, sums, ...ofUser }) => toCells(key || '(none)', sums, ofUser));
  const ofUsers = ['queued', 'longest wait', 'waited (p50)'];
  const head = [by, 'attempts', 'ended', 'time', 'tokens', 'from the cache', 'cost', ...ofUsers];
  return [...layOut(head, [...rows, toCells('in all', sumOf(attempts))]), ...notes].join('\n');
}

function toCells(key: string, sums: Sums, { queued, waitedMs = null }: Partial<UserLine> = {}): string[] {
  const { attempts, outcomes, tokens } = sums;
  const fresh = countFresh(tokens);
  return [
    key,
    String(attempts),
    describeOutcomes(outcomes),
    attempts === 0 ? '' : formatRunTime(sums),
    fresh === 0 ? '' : formatCount(fresh),
    tokens.cacheRead === 0 ? '' : formatCount(tokens.cacheRead),
    formatCost(sums),
    queued === undefined ? '' : String(queued.tasks),
    queued === undefined || queued.tasks === 0 ? '' : formatDuration(queued.longestWaitMs),
    waitedMs === null ? '' : formatDuration(waitedMs.p50),
  ];
}

/** JSON of a report: the contract of `report --json`. Without `--by` it has the account of the night too. */
async function toJson(
  { by, attempts, lines, note }: Report,
  night: NightReport | null,
  timeZone: string,
): Promise<string> {
  const { nightAsJson } = await import('../../output/report/reportJson');
  return formatJson({
    by,
    timeZone,
    mayLackAttempts: note !== null,
    lines: lines.map(({ key, sums, queued, waitedMs }) => ({
      [by]: by === 'task' ? Number(key) : key || null,
      ...sums,
      ...(queued === undefined
        ? {}
        : { queued: queued.tasks, longestWaitMs: queued.longestWaitMs, waitedMs: waitedMs ?? null }),
    })),
    total: sumOf(attempts),
    ...(night === null ? {} : { night: nightAsJson(night) }),
  });
}
