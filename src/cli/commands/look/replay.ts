import type { Command } from 'commander';
import { nameOrDescribe } from '../../../app/present/reasons/reason';
import { count, isoOrNull } from '../../../app/present/text';
import { Problem } from '../../../domain/problem';
import { nameWorker } from '../../../domain/queue/view';
import type { Reason } from '../../../domain/reasons/reason';
import type { EpochMs } from '../../../domain/time/epoch';
import type { Moment } from '../../../domain/time/moment';
import { formatDuration } from '../../../domain/time/duration';
import { formatSecond } from '../../../domain/time/localTime';
import type { AddedStart, Difference, Ending, MissedStart, Replay, Span } from '../../../queue/pastReader';
import type { Act } from '../../action';
import { FAILED, OK } from '../../exitCodes';
import { collectTexts, formatJson } from '../../options/parseArguments';
import { parsePastSince, parseSince } from '../../options/since';

interface ReplayOptions {
  readonly since?: string;
  readonly until?: string;
  readonly set?: readonly string[];
  readonly json?: true;
}

/** Defines `replay`, which decides the recorded claims of a time again. */
export function defineReplay(program: Command, act: Act): void {
  const command = program
    .command('replay')
    .description("decide recorded starts and ends again by today's rules and compare; runs nothing")
    .option('--since <time>', 'starts since then: 8h, HH:MM or YYYY-MM-DD HH:MM (default: 24h)')
    .option('--until <time>', 'starts before then (default: now)')
    .option('--set <setting=value>', 'decide with another setting; may be repeated', collectTexts)
    .option('--json', 'print JSON');
  act(command, async (context, _args, { since = '24h', until, set = [], json }: ReplayOptions) => {
    const { timeZone } = await context.configure();
    const around = context.moment();
    const { parseDecidingSettings } = await import('../../options/whatIfChanges');
    const changed = parseDecidingSettings(set);
    const [span, replay] = await context.withQueue(async (queue) => {
      const read = readSpan(since, until, { now: queue.now(), timeZone });
      return [read, await queue.replay(read, changed)] as const;
    });
    context.system.out(
      json === true
        ? toJson(replay, span, around, set)
        : describeReplay(replay, span, around, set).join('\n'),
    );
    // With other settings a difference is the answer, not a failure.
    return set.length > 0 || isSame(replay) ? OK : FAILED;
  });
}

/** Returns the span that is given, by the queue's time. @throws Problem `usage` */
function readSpan(
  since: string,
  until: string | undefined,
  { now, timeZone }: Pick<Moment, 'now' | 'timeZone'>,
): Span {
  const span = {
    from: parsePastSince(since, now, timeZone),
    // Includes the events of this millisecond.
    to: until === undefined ? now + 1 : parseSince(until, now, timeZone),
  };
  if (span.to <= span.from) throw new Problem('usage', `"${until ?? ''}" is before "${since}".`);
  return span;
}

function isSame({ differences, missed, ends }: Replay): boolean {
  return differences.length + missed.length + ends.differences.length === 0;
}

function describeReplay(replay: Replay, { from }: Span, around: Moment, set: readonly string[]): string[] {
  const { oldestEvent, recordedFrom, events, same, differences, missed, unrecorded, clockSteps } = replay;
  const at = (time: EpochMs): string => formatSecond(time, around.timeZone);
  const lines = [
    `${count(events, 'event')}, ${count(same + differences.length + unrecorded, 'start')}: ` +
      `${String(same)} the same, ${String(differences.length)} different` +
      (missed.length === 0 ? '.' : `, ${String(missed.length)} missing.`),
    ...describeParting(replay, around.timeZone, set),
    ...(replay.added === null ? [] : [describeAdded(replay.added, around, set)]),
    ...differences.map((difference) => describeDifference(difference, around, set)),
    ...missed.map((start) => `${at(start.at)}  ${describeMissed(start)}`),
  ];
  lines.push(...describeEnds(replay, around, set));
  lines.push(...describeClockJumps(replay, at), ...describeSilent(replay, at));
  if (unrecorded > 0)
    lines.push(`${count(unrecorded, 'start')} cannot be decided again: the inputs were not recorded.`);
  if (oldestEvent === null) lines.push('Nothing is recorded.');
  else if (oldestEvent > from) lines.push(`The journal starts at ${at(oldestEvent)}.`);
  if (oldestEvent !== null && recordedFrom === null)
    lines.push('Settings, rows and usage limits are not recorded.');
  else if (recordedFrom !== null && recordedFrom > from && recordedFrom !== oldestEvent)
    lines.push(`Before ${at(recordedFrom)} settings, rows and usage limits were not recorded.`);
  if (clockSteps > 0) lines.push(`The clock was set back ${count(clockSteps, 'time')}.`);
  return lines;
}

function describeClockJumps({ clockJumps }: Replay, at: (time: EpochMs) => string): string[] {
  return clockJumps.map(
    (jump) =>
      `${at(jump.at)}  the clock had jumped ahead by ${formatDuration(jump.byMs)}: ` +
      'it was set, or the machine or the worker was suspended',
  );
}

function describeSilent({ silent }: Replay, at: (time: EpochMs) => string): string[] {
  return silent.map(
    ({ worker, lastAt }) =>
      `Worker ${nameWorker(worker)} recorded nothing after ${at(lastAt)}; it did not say that it ended.`,
  );
}

/** Describes from when on the record is of another night, and what a comparison with other settings cannot say. */
function describeParting(replay: Replay, timeZone: string, set: readonly string[]): string[] {
  const at = partingOf(replay);
  if (set.length === 0) return [];
  return [
    at === null
      ? `With ${set.join(', ')} the recorded starts are the same, and no other is found.`
      : `With ${set.join(', ')} the night parts at ${formatSecond(at, timeZone)}. ` +
        'From there on the record is of another night: each start is decided at its recorded state.',
    'Starts in slots that a worker adds as needed are not looked for.',
  ];
}

/** Returns when changed settings first start another task than was recorded; null: they do not. */
function partingOf({ added, differences }: Replay): EpochMs | null {
  return added?.at ?? differences[0]?.at ?? null;
}

function describeAdded({ at, task, why }: AddedStart, around: Moment, set: readonly string[]): string {
  const waited = nameOrDescribe(why, { ...around, now: at });
  return `${formatSecond(at, around.timeZone)}  no task started; with ${set.join(', ')} task ${String(task)} starts (as recorded: ${waited})`;
}

function describeDifference(
  { at, recorded, expected, why }: Difference,
  around: Moment,
  set: readonly string[],
): string {
  const by = set.length === 0 ? 'by the rules of today' : `with ${set.join(', ')}`;
  const first = expected === null ? 'no task starts' : `task ${String(expected)} starts`;
  const reason =
    why === null
      ? `task ${String(recorded)} comes later`
      : `task ${String(recorded)}: ${nameOrDescribe(why, { ...around, now: at })}`;
  return `${formatSecond(at, around.timeZone)}  task ${String(recorded)} started; ${by} ${first} (${reason})`;
}

function describeMissed({ task, worker }: MissedStart): string {
  return `task ${String(task)} could have started: worker ${nameWorker(worker)} asked for a task and got none`;
}

/** Describes the ends that were decided again, if there are any. Changed settings are those of starts. */
function describeEnds(
  { ends: { same, differences } }: Replay,
  { timeZone }: Moment,
  set: readonly string[],
): string[] {
  const many = same + differences.length;
  if (many === 0 || set.length > 0) return [];
  return [
    `${count(many, 'end')}: ${String(same)} the same, ${String(differences.length)} different.`,
    ...differences.map(
      ({ at, task, outcome, recorded, expected }) =>
        `${formatSecond(at, timeZone)}  task ${String(task)} ended (${outcome}): ${describeEnding(recorded, timeZone)}; ` +
        `by the rules of today: ${describeEnding(expected, timeZone)}`,
    ),
  ];
}

function describeEnding({ status, retryCount, givenUp, nextAt }: Ending, timeZone: string): string {
  return [
    status,
    ...(nextAt === null ? [] : [`next at ${formatSecond(nextAt, timeZone)}`]),
    ...(retryCount === 0 ? [] : [`retry_count ${String(retryCount)}`]),
    ...(givenUp ? ['no retries left'] : []),
  ].join(', ');
}

/** JSON of a replay: the contract of `replay --json`. */
function toJson(replay: Replay, { from, to }: Span, around: Moment, set: readonly string[]): string {
  const {
    oldestEvent,
    recordedFrom,
    events,
    same,
    differences,
    added,
    missed,
    ends,
    unrecorded,
    clockSteps,
    clockJumps,
    silent,
  } = replay;
  const reasonOf = (why: Reason, now: EpochMs): object => ({
    shown: why.state,
    text: nameOrDescribe(why, { ...around, now }),
  });
  const addedStart = added && {
    at: isoOrNull(added.at),
    task: added.task,
    reason: reasonOf(added.why, added.at),
  };
  return formatJson({
    ...(set.length === 0 ? {} : { set, partsAt: isoOrNull(partingOf(replay)), added: addedStart }),
    ...{ since: isoOrNull(from), until: isoOrNull(to), timeZone: around.timeZone },
    ...{ oldestEvent: isoOrNull(oldestEvent), recordedFrom: isoOrNull(recordedFrom) },
    ...{ events, starts: same + differences.length + unrecorded, same, unrecorded, clockSteps },
    differences: differences.map(({ at, recorded, expected, why }) => ({
      ...{ at: isoOrNull(at), recorded, expected },
      reason: why === null ? null : reasonOf(why, at),
    })),
    ends: {
      same: ends.same,
      differences: ends.differences.map(({ at, task, outcome, recorded, expected }) => ({
        ...{ at: isoOrNull(at), task, outcome },
        ...{ recorded: endingJson(recorded), expected: endingJson(expected) },
      })),
    },
    clockJumps: clockJumps.map(({ at, byMs }) => ({ at: isoOrNull(at), seconds: Math.round(byMs / 1000) })),
    silent: silent.map(({ worker, lastAt }) => ({ worker: nameWorker(worker), lastAt: isoOrNull(lastAt) })),
    missing: missed.map(({ at, task, worker }) => ({ at: isoOrNull(at), task, worker: nameWorker(worker) })),
  });
}

function endingJson({ status, retryCount, givenUp, nextAt }: Ending): object {
  return { status, retryCount, retriesUsedUp: givenUp, nextAt: isoOrNull(nextAt) };
}
