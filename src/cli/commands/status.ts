import type { Command } from 'commander';
import { describeAccountNeeds } from '../../app/accountNotices';
import { tellClaude } from '../../app/accountWords';
import { listRisks } from '../../app/attention';
import { describeGate } from '../../app/gateWords';
import { describeHold } from '../../app/holdWords';
import { describeLeftRun, findLeftRuns } from '../../app/leftRuns';
import { type Picture, type ShownTask, takePicture } from '../../app/picture';
import { describeScripts } from '../../app/scripts';
import { describeSkippedTimes, findSkippedTimes } from '../../app/skippedTimes';
import { countServices, describeRates, describeServices, SERVICE_MARKS } from '../../app/serviceWords';
import { describeWrongSettings, placeSettings } from '../../app/settingPlaces';
import { count, shorten } from '../../app/words';
import { describeWorkers } from '../../app/workerWords';
import { ratesOf } from '../../domain/rates';
import type { TaskId } from '../../domain/task';
import type { TaskQueue } from '../../queue/taskQueue';
import type { Act } from '../action';
import type { Context } from '../context';
import { FAILED, OK } from '../exitCodes';
import { type Status, statusAsJson } from '../statusJson';
import { formatJson } from '../words';

/** Width for an answer that no terminal bounds. */
const WIDE = 160;

const DAY_MS = 24 * 3_600_000;

interface StatusOptions {
  readonly check?: true;
  readonly json?: true;
  readonly rates?: true;
}

export function defineStatus(program: Command, act: Act): void {
  const command = program
    .command('status')
    .description('show every task, and why it is where it is')
    .option('--rates', 'also how each priority was served in the last 24 hours')
    .option('--check', 'exit 1 when something is blocked, late, at risk or stuck')
    .option('--json', 'for programs');
  act(command, async (context, _args, { json, rates, check }: StatusOptions) => {
    const status = await context.withQueue((queue) => takeStatus(context, queue));
    if (json === true) context.system.out(formatJson(statusAsJson(status, context.queueFile)));
    else context.system.out(toText(status, context, rates === true));
    return check === true ? judge(context, status) : OK;
  });
}

/** For cron: the reasons go beside the answer, where it mails them. */
function judge({ system }: Context, { picture }: Status): number {
  const risks = listRisks(picture);
  for (const risk of risks) system.err(`${risk}.`);
  return risks.length === 0 ? OK : FAILED;
}

async function takeStatus(context: Context, queue: TaskQueue): Promise<Status> {
  const picture = await takePicture(context, queue);
  const { now } = picture.world;
  // Longer than any attempt may reasonably take: what ended within a day may have begun before it.
  const attempts = await queue.attempts({ since: now - 2 * DAY_MS });
  const { problems } = await context.configure();
  return {
    picture,
    rates: ratesOf(attempts, now),
    skipped: findSkippedTimes(picture.world, attempts),
    settings: await placeSettings(problems),
    claude: await tellClaude(context),
  };
}

function toText(
  { picture, rates, skipped, settings, claude }: Status,
  context: Context,
  withRates: boolean,
): string {
  const { tasks, snapshot, world } = picture;
  const service = describeServices(countServices(tasks));
  const head = [
    `${context.queueFile}: ${count(tasks.length, 'task')}.`,
    describeWorkers(snapshot),
    describeGate(world),
  ];
  const lines = [
    ...describeAccountNeeds(picture.account),
    head.join(' '),
    ...picture.usage,
    ...describeWrongSettings(settings),
    ...claude.lines,
    ...describeStops(picture),
    ...picture.silence.lines,
    ...[describeScripts(context)].filter((line) => line !== null),
    ...findLeftRuns(context, snapshot).map(describeLeftRun),
    ...(service === null ? [] : [service]),
    ...describeSkippedTimes(skipped, world),
    ...(withRates ? describeRates(rates) : []),
    ...toTable(picture, context.system.columns ?? WIDE),
    ...snapshot.problems.map(
      ({ line, column, message }) =>
        `${context.queueFile}:${String(line)}:${String(column)}  invalid  ${message}`,
    ),
  ];
  return lines.join('\n');
}

/** What keeps tasks from running until a person lets them go on. */
function describeStops({ snapshot, pause }: Picture): string[] {
  const held = snapshot.holds.map((hold) => {
    const which = hold.priorities === undefined ? '' : ` --priority ${hold.priorities.join(',')}`;
    return `${describeHold(hold)} "claude-queue resume${which}" lets ${which === '' ? 'it' : 'them'} go on.`;
  });
  // A hold on everything comes before it, and is told above.
  const isTold = pause === null || snapshot.held !== null;
  return isTold ? held : [...held, `The queue waits: ${pause.text}.`];
}

function toTable({ tasks, next }: Picture, width: number): string[] {
  const rows = tasks.map((shown) => toCells(shown, next));
  const widths = rows.reduce<number[]>(
    (widest, { cells }) => cells.map((cell, column) => Math.max(cell.length, widest[column] ?? 0)),
    [],
  );
  return rows.map(({ cells, rest }) => {
    // What no task has, such as a user, takes no place.
    const padded = cells.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    const head = padded.filter((_, column) => widths[column] !== 0).join('  ');
    return `${head}  ${shorten(rest, Math.max(width - head.length - 2, 20))}`;
  });
}

function toCells(
  { task: { definition }, reason, effectivePriority, service }: ShownTask,
  next: TaskId | null,
): { readonly cells: readonly string[]; readonly rest: string } {
  const { id, priority, prompt, user = '' } = definition;
  const raised = effectivePriority === priority ? priority : `${priority}→${effectivePriority}`;
  const mark = service === null ? '' : SERVICE_MARKS[service.standing];
  return {
    cells: [
      `${id === next ? '>' : ' '} ${String(id)}`,
      reason.shown,
      `${raised}${mark}`,
      shorten(user, USER_WIDTH),
    ],
    rest: reason.text === '' ? prompt : `(${reason.text}) ${prompt}`,
  };
}

const USER_WIDTH = 16;
