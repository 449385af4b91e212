import type { Command } from 'commander';
import { nameOrDescribe } from '../../../app/present/reasons/reason';
import { isoOrNull } from '../../../app/present/text';
import { Problem } from '../../../domain/problem';
import type { EpochMs } from '../../../domain/time/epoch';
import { formatSecond } from '../../../domain/time/localTime';
import type { Difference, Replay, Span } from '../../../queue/pastReader';
import type { Act } from '../../action';
import { FAILED, OK } from '../../exitCodes';
import { formatJson } from '../../options/parseArguments';
import { parseSince } from '../../options/since';

interface ReplayOptions {
  readonly since?: string;
  readonly until?: string;
  readonly json?: true;
}

/** Defines `replay`, which decides the recorded claims of a time again. */
export function defineReplay(program: Command, act: Act): void {
  const command = program
    .command('replay')
    .description('decide each recorded start again by the rules of today and compare; runs nothing')
    .option('--since <time>', 'starts since then: 8h, HH:MM or YYYY-MM-DD HH:MM (default: 24h)')
    .option('--until <time>', 'starts before then (default: now)')
    .option('--json', 'print JSON');
  act(command, async (context, _args, { since = '24h', until, json }: ReplayOptions) => {
    const { timeZone } = await context.configure();
    const now = context.system.clock.now();
    const span = {
      from: parseSince(since, now, timeZone),
      // Includes the events of this millisecond.
      to: until === undefined ? now + 1 : parseSince(until, now, timeZone),
    };
    if (span.to <= span.from) throw new Problem('usage', `"${until ?? ''}" is before "${since}".`);
    const replay = await context.withQueue((queue) => queue.replay(span));
    context.system.out(
      json === true ? toJson(replay, span, timeZone) : describeReplay(replay, span, timeZone).join('\n'),
    );
    return replay.differences.length === 0 ? OK : FAILED;
  });
}

function describeReplay(replay: Replay, { from }: Span, timeZone: string): string[] {
  const { oldestEvent, recordedFrom, events, same, differences, unrecorded, clockSteps } = replay;
  const at = (time: EpochMs): string => formatSecond(time, timeZone);
  const lines = [
    `${count(events, 'event')}, ${count(same + differences.length + unrecorded, 'start')}: ` +
      `${String(same)} the same, ${String(differences.length)} different.`,
    ...differences.map((difference) => describeDifference(difference, timeZone)),
  ];
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

function describeDifference({ at, recorded, expected, why }: Difference, timeZone: string): string {
  const first = expected === null ? 'no task starts' : `task ${String(expected)} starts`;
  const reason =
    why === null
      ? `task ${String(recorded)} comes later`
      : `task ${String(recorded)}: ${nameOrDescribe(why, { now: at, timeZone })}`;
  return `${formatSecond(at, timeZone)}  task ${String(recorded)} started; by the rules of today ${first} (${reason})`;
}

function count(many: number, what: string): string {
  return `${String(many)} ${what}${many === 1 ? '' : 's'}`;
}

/** JSON of a replay: the contract of `replay --json`. */
function toJson(
  { oldestEvent, recordedFrom, events, same, differences, unrecorded, clockSteps }: Replay,
  { from, to }: Span,
  timeZone: string,
): string {
  return formatJson({
    ...{ since: isoOrNull(from), until: isoOrNull(to), timeZone },
    ...{ oldestEvent: isoOrNull(oldestEvent), recordedFrom: isoOrNull(recordedFrom) },
    ...{ events, starts: same + differences.length + unrecorded, same, unrecorded, clockSteps },
    differences: differences.map(({ at, recorded, expected, why }) => ({
      ...{ at: isoOrNull(at), recorded, expected },
      reason: why === null ? null : { shown: why.shown, text: nameOrDescribe(why, { now: at, timeZone }) },
    })),
  });
}
