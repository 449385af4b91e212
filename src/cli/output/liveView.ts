import { describeWhy } from '../../app/present/pause';
import { describeEarlier } from '../../app/present/attempt';
import { describeMessage } from '../../app/present/reasons/endNote';
import type { EpochMs } from '../../domain/time/epoch';
import { formatSecond } from '../../domain/time/localTime';
import { isFarFrom, type Claim } from '../../domain/queue/view';
import type { Moment } from '../../domain/time/moment';
import { isResettable } from '../../domain/reasons/reason';
import type { RowAtEnd, WorkerEvents } from '../../worker/workerDeps';
import { nameMachine } from '../../platform/processes/machine';
import { redact } from '../../platform/text/redact';
import { describeAfterOwnReset } from '../../app/present/gate';
import { describeOwner } from '../../app/present/reasons/claim';
import { describeWait } from '../../app/present/reasons/idle';
import { shorten } from '../../app/present/text';
import type { EndNote, Outcome } from '../../domain/task/attempt';
import type { Change } from '../../domain/task/decide';
import type { System } from '../system';
import { quoteCommand } from '../../platform/text/commandName';

const PROMPT_WIDTH = 70;

/** Output and clock of the live view. */
export interface LiveViewDeps extends Pick<System, 'clock' | 'pass'> {
  out(text: string): void;
}

/** Reader of the live view: their zone and machine. */
type Reader = Pick<Moment, 'timeZone' | 'machine'>;

/** Prints the events of a worker, as lines with the time of day. In a log, which may have many nights, also with the date. */
export function createLiveView(system: LiveViewDeps, reader: () => Reader): WorkerEvents {
  const say = (text: string): void => {
    const time = formatSecond(system.clock.now(), reader().timeZone);
    system.out(`${system.pass === null ? time : time.slice('YYYY-MM-DD '.length)}  ${text}`);
  };
  const saidOnce = new Set<string>();
  /** Reset for which the advice about the user's own reset was printed. */
  let hintedFor: EpochMs | undefined;
  return {
    lost: ({ claim, change, note }) => {
      say(
        `Task ${String(claim.id)} was lost: ${describeLoss(claim, note, reader())} ${describeFuture(change, claim, reader())}`,
      );
    },
    started: ({ claim, definition }) => {
      const how = `${claim.resume === undefined ? '' : 'resumed, '}attempt ${String(claim.attempt)}`;
      // A log may keep this line.
      const prompt = shorten(redact(definition.prompt), PROMPT_WIDTH);
      say(`Task ${String(claim.id)} (${definition.priority}, ${how}): ${prompt}`);
    },
    line: (id, text, often) => {
      if (!saidOnce.has(text)) say(`  ${String(id)} │ ${text}`);
      if (often === 'once') saidOnce.add(text);
    },
    ended: ({ claim }, verdict, change, row) => {
      const { outcome, reason, earlierOutput } = verdict;
      const next = describeNext(outcome, change, row, reader());
      say(`Task ${String(claim.id)} ended: ${outcome} (${reason})${next}. ${describeMessage(verdict)}`);
      if (earlierOutput !== undefined) say(`Task ${String(claim.id)}: ${describeEarlier(earlierOutput)}.`);
      if (verdict.denials.some(({ rule }) => rule !== undefined)) {
        say(
          `${quoteCommand(`allow ${String(claim.id)}`)} shows what to allow so that it is not refused again.`,
        );
      }
    },
    waiting: ({ why }) => {
      say(describeWait(why, { ...reader(), now: system.clock.now() }));
      if (why.causes.some(({ kind }) => kind === 'hold')) say(`Resume with ${quoteCommand('resume')}.`);
      if (!isResettable(why) || why.until === hintedFor) return;
      hintedFor = why.until;
      say(describeAfterOwnReset());
    },
    lifted: (hold) => {
      const why = describeWhy(hold, { ...reader(), now: system.clock.now() });
      say(`Queue resumed (it was paused by ${why}).`);
    },
    windowsGone: (how) => {
      const what = how === 'now' ? 'Stopping now; running tasks resume later' : 'Stopping after this task';
      say(`No editor window has this queue open. ${what}.`);
    },
    trouble: (message) => {
      say(message);
    },
  };
}

/** Describes the task after an attempt, as the rest of a sentence. A task without a valid row has no next time. */
function describeNext(
  outcome: Outcome,
  { status, dueAt }: Change,
  row: RowAtEnd,
  { timeZone }: Reader,
): string {
  if (row === 'edited') return '. It does not count for its row, which was changed meanwhile';
  const left = status === outcome ? '' : ` → ${status}`;
  if (row === 'none') return `${left}. It has no valid row now`;
  return dueAt === null ? left : `${left}; not before ${formatSecond(dueAt, timeZone)}`;
}

function describeLoss({ owner }: Claim, note: EndNote, reader: Reader): string {
  if (note.kind === 'redis-away') return 'Redis did not answer for too long.';
  const who = owner.kind === 'process' ? describeOwner(owner, reader) : 'its owner';
  return `${who} died during the attempt.`;
}

/** Describes what happens next to a task whose worker died. */
function describeFuture({ givenUp, status, resume }: Change, { owner }: Claim, reader: Reader): string {
  if (givenUp) return 'It failed: no retries are left.';
  if (status !== 'pending') return `It is ${status}.`;
  if (resume === null) return 'It starts over.';
  return isFarFrom(reader, owner)
    ? `It resumes: on ${nameMachine(owner.machine)} in the same session, elsewhere in a new one.`
    : 'It resumes in the same session.';
}
