import type { Verdict } from '../../domain/task/attempt';
import type { EpochMs } from '../../domain/time/epoch';
import type { LimitSignal } from '../../domain/gate/gate';
import { redact } from '../../platform/text/redact';
import { classifyFailure } from '../verdict/classifyFailure';
import type { FailureEvent, HookEvent } from './hookEvents';
import { firstLine } from '../../platform/text/plainText';
import { t } from '../../platform/text/translate';
import type { Finding } from '../stream/endFacts';
import { readFailure, readSessionEnd } from '../attempt/transcript';
import { NO_WORK } from '../verdict/toolCallTracker';

/**
 * State of an interactive session. `idle`: its turn has ended, and it waits for the user. `asks`: it waits for
 * an answer in the middle of a turn.
 */
export type SessionState = 'working' | 'idle' | 'asks' | 'failed' | 'limit' | 'ended';

/** State of an interactive session, as its hooks report it. */
export interface SessionView {
  readonly state: SessionState;
  /** End of the limit that stopped the session; null if there is none or it is unknown. */
  readonly resetAt: EpochMs | null;
  /** For `limit`: the signal for the gate. */
  readonly signal?: LimitSignal;
  /** One line for the user. */
  readonly sentence: string;
}

/** Time and zone to judge a limit's reset by. */
export interface SessionClock {
  readonly now: EpochMs;
  /** IANA name of the machine's zone, for resets that are printed without a zone. */
  readonly timeZone: string;
}

/** Returns the state of a session after these events. Reads its transcript if the last event was a failure. */
export async function describeSession(
  events: readonly HookEvent[],
  clock: SessionClock,
): Promise<SessionView> {
  const { isOver, failure, state, sentence } = events.reduce(follow, STARTING);
  if (isOver) return { state: 'ended', resetAt: null, sentence: t('The session has ended.') };
  if (failure === undefined) return { state, resetAt: null, sentence };
  const { outcome, message, signal } = await explainFailure(failure, clock);
  if (outcome !== 'limit') {
    return { state: 'failed', resetAt: null, sentence: t('Claude Code could not continue: {0}', message) };
  }
  if (signal === undefined) return { state: 'idle', resetAt: null, sentence: LIMIT_OVER };
  return { state: 'limit', resetAt: signal.resetAt, signal, sentence: `${message}.` };
}

const LIMIT_OVER = t(
  'The usage limit has reset. Claude continues by itself or when you ask; or close the terminal to leave the task to the queue.',
);

/**
 * Returns the verdict on an attempt whose terminal was closed before the user marked the task. That is a limit
 * if one stopped the attempt, so that it continues later in its session. Null: only the user knows.
 */
export async function verdictOfSession(
  events: readonly HookEvent[],
  exit: { readonly exitCode: number | null },
  clock: SessionClock,
): Promise<Verdict | null> {
  const { failure } = events.reduce(follow, STARTING);
  const finding = failure === undefined ? null : await explainFailure(failure, clock);
  if (failure === undefined || finding?.outcome !== 'limit') return null;
  const { contextTokens } = await readSessionEnd(failure.transcript);
  const size = contextTokens === undefined ? {} : { contextTokens };
  return { ...finding, ...size, denials: [], usage: [], exitCode: exit.exitCode };
}

/**
 * Returns why the last turn failed. A terminal may stay open for days, so a reset is judged by the time of the
 * failure. A limit that has ended since has no signal: the gate must not close for it again.
 */
async function explainFailure(event: FailureEvent, { now, timeZone }: SessionClock): Promise<Finding> {
  const record = await readFailure(event.transcript, event.text);
  const { signal, ...finding } = classifyFailure({
    exitCode: null,
    signal: null,
    stderr: '',
    stream: {
      structured: false,
      plainText: redact(event.text),
      failure: record?.failure ?? { error: event.error },
      work: NO_WORK,
    },
    now: record?.at ?? now,
    timeZone,
  });
  const isOver = signal === undefined || (signal.resetAt !== null && signal.resetAt <= now);
  return isOver ? finding : { ...finding, signal };
}

interface VerdictState {
  readonly state: 'working' | 'idle' | 'asks';
  readonly sentence: string;
  /** Set if the last event was a failure. */
  readonly failure?: FailureEvent;
  /** Whether the process has ended or is about to. The state before that is kept. */
  readonly isOver: boolean;
}

const stand = (state: VerdictState['state'], sentence: string): VerdictState => ({
  state,
  sentence,
  isOver: false,
});

const STARTING = stand(
  'working',
  t('Claude Code is starting; if it asks something first, answer in the terminal.'),
);
const WORKING = stand('working', t('Claude is running.'));
const IDLE = stand('idle', t('Claude ended its turn. Check the work, continue it, or mark the task.'));

function follow(before: VerdictState, event: HookEvent): VerdictState {
  switch (event.name) {
    case 'SessionStart':
      if (before.isOver) return STARTING;
      // A conversation is compacted in the middle of a turn. Any other start but the first comes from the user.
      return before === STARTING || event.source === 'compact' ? before : IDLE;
    case 'UserPromptSubmit':
      return WORKING;
    case 'Notification':
      return notice(before, event.kind, event.message);
    case 'PostToolUse':
      // Work that continues in the background does not undo a failure.
      return before.failure === undefined ? WORKING : before;
    case 'Stop':
      return event.inBackground === 0 ? IDLE : BACKGROUND;
    case 'StopFailure':
      return { ...IDLE, failure: event };
    case 'SessionEnd':
      return SWITCHES.includes(event.reason) ? IDLE : { ...before, isOver: true };
  }
}

/** State during background work. Claude Code is notified when it ends, and then continues by itself. */
const BACKGROUND = stand('working', t("Claude's turn is over, but its background work is still running."));

/** Reasons that end a conversation, not the process: another conversation follows. */
const SWITCHES: readonly string[] = ['clear', 'resume'];

const QUESTIONS: readonly string[] = ['permission_prompt', 'elicitation_dialog', 'elicitation_url_dialog'];

function notice(before: VerdictState, kind: string, message: string): VerdictState {
  if (QUESTIONS.includes(kind)) {
    return stand('asks', t('Waiting for your answer in the terminal: {0}', firstLine(redact(message))));
  }
  if (kind === 'quota_auto_resume_fired') return WORKING;
  // `idle_prompt` comes a minute after the end of a turn, and after a failure too.
  return kind === 'idle_prompt' && before.failure === undefined ? IDLE : before;
}
