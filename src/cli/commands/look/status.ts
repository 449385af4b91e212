import { type Command, Option } from 'commander';
import { hostOf, isCallbackUrl } from '../../../domain/queue/callbackUrl';
import type { CallbackNotice } from '../../../domain/queue/notices';
import { findFullHold } from '../../../domain/queue/pauses';
import { formatTime } from '../../../domain/time/moment';
import { describeAccountNeeds } from '../../../app/notify/accountNotices';
import { listRisks } from '../../../app/notify/attention';
import { describeGate } from '../../../app/present/gate';
import { describeHold } from '../../../app/present/pause';
import {
  describeLeftoverAttempt,
  findLeftoverAttempts,
} from '../../../app/actions/attempts/leftoverAttempts';
import { settleUndos } from '../../../app/actions/undo/settleUndos';
import { statusAsJson } from '../../../app/present/statusJson';
import type { QueueViewModel } from '../../../app/viewModel/queueViewModel';
import { takeStatus, type Status } from '../../../app/viewModel/status';
import { describeFailedCallback } from '../../../app/present/notices/callbackTexts';
import { describeScripts } from '../../../app/context/scripts';
import { describeSkippedTimes } from '../../../app/viewModel/taskSkips';
import {
  countServices,
  describeRates,
  describeServices,
  describeUserService,
} from '../../../app/present/service';
import { describeWrongSettings } from '../../../app/context/settingPlaces';
import { count } from '../../../app/present/text';
import { describeWorkers } from '../../../app/present/workers';
import type { Act } from '../../action';
import type { Context } from '../../context';
import { FAILED, OK } from '../../exitCodes';
import { addFilterOptions, readFilter, type FilterOptions } from '../../output/taskFilter';
import { describeReviewStop } from '../../output/reviewStop';
import { formatJson } from '../../options/parseArguments';
import { quoteCommand } from '../../../platform/text/commandName';

/** Groups of `--rates`. */
const RATES_BY = ['priority', 'user'] as const;
type RatesBy = (typeof RATES_BY)[number];

interface StatusOptions extends FilterOptions {
  readonly check?: true;
  readonly json?: true;
  readonly live?: true;
  readonly rates?: true;
  readonly by?: RatesBy;
}

export function defineStatus(program: Command, act: Act): void {
  const command = program
    .command('status')
    .description('show the queue, its tasks and the reason for each state')
    .option('--live', 'ask Claude Code now who pays, instead of showing its last answer')
    .option('--rates', 'also show attempts and waiting times by priority for the last 24 hours')
    .addOption(new Option('--by <what>', 'group --rates by this (default: priority)').choices(RATES_BY))
    .option(
      '--check',
      'exit 1 if the account needs you, a worker is missing, settings are invalid, files cannot be written, a task is late, at risk or stuck, or the queue paused itself',
    )
    .option('--json', 'print JSON');
  act(addFilterOptions(command), async (context, _args, options: StatusOptions) => {
    const { json, live, rates, by, check } = options;
    const filter = readFilter(options);
    const status = await context.withQueue(async (queue) => {
      await settleUndos(context, queue, (sentence) => {
        context.system.err(sentence);
      });
      return takeStatus(context, queue, live === true);
    });
    if (json === true) context.system.out(formatJson(statusAsJson(status, context.queueFile, filter.fits)));
    else {
      context.system.out(toText(status, context, by ?? (rates === true ? 'priority' : null)));
      const { listTasks } = await import('../../output/taskList');
      for (const line of listTasks(status.viewModel, filter, context, status.starts))
        context.system.out(line);
    }
    return check === true ? judge(context, status) : OK;
  });
}

/** Prints risks to standard error, which cron mails, and returns the exit code. */
function judge({ system }: Context, { viewModel, unwritable }: Status): number {
  const risks = [...unwritable.map(({ where }) => `${where} cannot be written`), ...listRisks(viewModel)];
  for (const risk of risks) system.err(`${risk}.`);
  return risks.length === 0 ? OK : FAILED;
}

function toText(status: Status, context: Context, ratesBy: RatesBy | null): string {
  const { viewModel, users, skipped, settings, unwritable, claude } = status;
  const { tasks, snapshot, world } = viewModel;
  const service = describeServices(countServices(tasks));
  const head = [
    `${context.queueFile}: ${count(tasks.length, 'task')}.`,
    describeWorkers(snapshot, world),
    describeGate(world),
  ];
  const lines = [
    ...describeAccountNeeds(viewModel.account),
    head.join(' '),
    ...unwritable.map(({ where, message }) => `${where} ${message}`),
    ...viewModel.usage,
    ...describeWrongSettings(settings),
    ...claude.lines,
    ...describeStops(viewModel),
    ...viewModel.missingWorkers.lines,
    ...[describeScripts(context)].filter((line) => line !== null),
    ...findLeftoverAttempts(context, snapshot).map((one) => describeLeftoverAttempt(one, context.machine.id)),
    ...describeCallbacks(viewModel),
    ...(service === null ? [] : [service]),
    ...describeSkippedTimes(skipped, world),
    ...(ratesBy === 'priority' ? describeRates(status) : []),
    ...(ratesBy === 'user' ? describeUserService(users) : []),
  ];
  return lines.join('\n');
}

/** Describes pauses and other reasons why no task starts until the user acts. */
function describeStops(viewModel: QueueViewModel): string[] {
  const { snapshot, pause, world } = viewModel;
  const held = snapshot.holds.map((hold) => {
    const which = hold.priorities === undefined ? '' : ` --priority ${hold.priorities.join(',')}`;
    return `${describeHold(hold, world)} Resume with ${quoteCommand(`resume${which}`)}.`;
  });
  // A pause of the whole queue takes precedence and is listed above.
  const isShown = pause === null || findFullHold(snapshot.holds) !== null;
  const waits = isShown ? [] : [`The queue is waiting: ${pause.text}.`];
  return [...held, ...waits, ...describeReviewStop(viewModel)];
}

/** Describes callbacks that wait, and receivers that rows or settings name and that get none. */
function describeCallbacks({ snapshot, world }: QueueViewModel): string[] {
  const { callbacks, outbox, tasks } = snapshot;
  const urls = [world.settings.callbackUrl, ...tasks.map(({ definition }) => definition.callbackUrl)];
  const hosts = new Set(
    urls.flatMap((url) => (url !== undefined && isCallbackUrl(url) ? [hostOf(url)] : [])),
  );
  return [
    ...(callbacks.length === 0 ? [] : [`Not delivered yet: ${count(callbacks.length, 'callback')}.`]),
    ...outbox.flatMap(({ notice, at }) =>
      notice.kind === 'callback-failed' && hosts.has(notice.host)
        ? [describeUndelivered(notice, formatTime(at, world))]
        : [],
    ),
  ];
}

function describeUndelivered(notice: CallbackNotice, since: string): string {
  const { title, message } = describeFailedCallback(notice);
  return `${title} at ${since}, and no other one there since then. ${message}`;
}
