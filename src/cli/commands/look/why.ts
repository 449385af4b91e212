import type { Command } from 'commander';
import { composeViewModel, peekViewModel, type QueueViewModel } from '../../../app/viewModel/queueViewModel';
import { taskAsJson } from '../../../app/present/statusJson';
import { isoOrNull } from '../../../app/present/text';
import { NO_WORKER } from '../../../app/present/workers';
import { Problem } from '../../../domain/problem';
import type { EpochMs } from '../../../domain/time/epoch';
import { formatSecond } from '../../../domain/time/localTime';
import type { TaskId } from '../../../domain/task/task';
import type { PastMoment } from '../../../queue/pastReader';
import type { Act } from '../../action';
import type { Context } from '../../context';
import { FAILED, OK } from '../../exitCodes';
import { formatJson, parseId } from '../../options/parseArguments';
import { parseSince } from '../../options/since';
import { explainMissing } from '../../output/missingTask';
import { describeHead } from '../../output/taskHead';
import { hasEnded } from '../../output/taskFilter';
import { quoteCommand } from '../../../platform/text/commandName';

interface WhyOptions {
  readonly at?: string;
  readonly json?: true;
}

/** Defines `why`, which explains the state of a task, also at an earlier time. */
export function defineWhy(program: Command, act: Act): void {
  const command = program
    .command('why')
    .description('explain why a task is not running, now or at an earlier time')
    .argument('<id>', 'the task')
    .option('--at <time>', 'explain it at this time: HH:MM, YYYY-MM-DD HH:MM, or 2h for 2 hours ago')
    .option('--json', 'print JSON');
  act(command, async (context, [text = ''], { at, json }: WhyOptions) => {
    const id = parseId(text);
    const { timeZone } = await context.configure();
    return context.withQueue(async (queue) => {
      if (at === undefined) return printMoment(context, await peekViewModel(context, queue), { id, json });
      const time = readPastTime(at, queue.now(), timeZone);
      const moment = await queue.lookBack(time);
      if (moment.kind === 'known') {
        const viewModel = composeViewModel(moment.snapshot, moment.around);
        return printMoment(context, viewModel, { id, json, time, recordedAt: moment.recordedAt });
      }
      printUnknown(context, moment, { id, json, time });
      return FAILED;
    });
  });
}

function readPastTime(text: string, now: EpochMs, timeZone: string): EpochMs {
  const time = parseSince(text, now, timeZone);
  if (time <= now) return time;
  throw new Problem('usage', `"${text}" is in the future. ${quoteCommand('simulate')} forecasts.`);
}

/** Arguments of a call. */
interface Asked {
  readonly id: TaskId;
  readonly json: true | undefined;
  /** Absent: now. */
  readonly time?: EpochMs;
  /** When what decides was last recorded before; null or absent: not known. */
  readonly recordedAt?: EpochMs | null;
}

function printMoment(
  context: Context,
  { tasks, snapshot, world, idleReason }: QueueViewModel,
  { id, json, time, recordedAt = null }: Asked,
): number {
  const { system } = context;
  // As the time was read, also where the queue had another time zone then.
  const { timeZone } = context.moment();
  const when = time === undefined ? '' : formatSecond(time, timeZone);
  const shown = tasks.find(({ task }) => task.definition.id === id);
  const note =
    recordedAt === null
      ? ''
      : `Rows, settings and usage limits were last recorded at ${formatSecond(recordedAt, timeZone)}.`;
  if (shown === undefined)
    throw time === undefined
      ? explainMissing(id, snapshot, context)
      : new Problem('no-such-task', `${explainMissingThen(id, world, when)} ${note}`.trim());
  const idle = hasEnded(shown) ? null : describeMissingWorker(idleReason, time);
  if (json === true) {
    // Prompts are not part of the past.
    const prompt = time === undefined ? {} : { prompt: null, recordedAt: isoOrNull(recordedAt) };
    system.out(formatJson({ at: isoOrNull(world.now), idle, ...taskAsJson(shown), ...prompt }));
    return OK;
  }
  system.out(describeHead(shown, when));
  if (idle !== null) system.out(idle);
  if (note !== '') system.out(note);
  return OK;
}

function describeMissingWorker(
  idleReason: QueueViewModel['idleReason'],
  time: EpochMs | undefined,
): string | null {
  if (idleReason?.kind !== 'no-worker') return null;
  return time === undefined ? NO_WORKER : 'No worker was running.';
}

function explainMissingThen(id: TaskId, { queue }: QueueViewModel['world'], when: string): string {
  return queue.invalidIds.has(id)
    ? `The row of task ${String(id)} was invalid at ${when}.`
    : `No task ${String(id)} is recorded at ${when}.`;
}

function printUnknown(
  context: Context,
  moment: Exclude<PastMoment<unknown>, { kind: 'known' }>,
  { id, json, time = 0 }: Asked,
): void {
  const { timeZone } = context.moment();
  const at = formatSecond(time, timeZone);
  const from = moment.kind === 'before' ? moment.oldestEvent : moment.recordedFrom;
  if (json === true) {
    context.system.out(formatJson({ id, at: isoOrNull(time), unknown: moment.kind, from: isoOrNull(from) }));
    return;
  }
  const since = from === null ? '' : ` ${formatSecond(from, timeZone)}`;
  if (from === null) context.system.out(`Nothing is recorded about ${at}.`);
  else if (moment.kind === 'before') context.system.out(`The journal starts at${since}, after ${at}.`);
  else context.system.out(`Settings, rows and usage limits are recorded only from${since} on, after ${at}.`);
}
