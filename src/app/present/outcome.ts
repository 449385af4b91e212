import type { Attempt, EndNote, Outcome } from '../../domain/task/attempt';
import type { TaskState } from '../../domain/queue/view';
import { formatDuration } from '../../domain/time/duration';

const WORDS: Record<Outcome, string> = {
  success: 'succeeded',
  review: 'ended and wants your eye',
  error: 'failed',
  transient: 'failed with a transient error',
  limit: 'hit a usage limit',
  blocked: 'was blocked',
  permanent: 'failed permanently',
  cancelled: 'was cancelled',
  lost: 'was lost',
};

/** Describes the end of an attempt, to follow the task's name in a sentence. */
export function describeOutcome({ outcome, reason }: Pick<Attempt, 'outcome' | 'reason'>): string {
  // An attempt stopped with its worker resumes later, so it is not called cancelled.
  return outcome === 'cancelled' && reason === 'stopped' ? 'was stopped' : WORDS[outcome];
}

/** Describes an end in the words of this program, of Claude Code, or both. */
export function describeMessage({ message, note }: Pick<Attempt, 'message' | 'note'>): string {
  const noted = note === undefined ? '' : describeNote(note);
  return [noted, message].filter((text) => text !== '').join(' ');
}

/** Describes the last end of a task; null if it never ran. */
export function describeLastMessage({ lastMessage, lastNote: note }: LastEnd): string | null {
  if (lastMessage === null) return null;
  return describeMessage({ message: lastMessage, ...(note === undefined ? {} : { note }) });
}

type LastEnd = Pick<TaskState, 'lastMessage' | 'lastNote'>;

function describeNote(note: EndNote): string {
  switch (note.kind) {
    case 'stopped':
      return 'Stopped with its worker; will resume in the same session.';
    case 'cancelled':
      return 'Cancelled by the user.';
    case 'timed-out':
      return note.afterMs === undefined ? 'Timed out.' : `Timed out after ${formatDuration(note.afterMs)}.`;
    case 'owner-died':
      return describeDeath(note);
    case 'history-lost':
      return `${describeDeath(note)} The queue file says ${note.status}, but the history of attempt ${String(note.attempt)} is lost. Accept it if it is done, or retry it.`;
    case 'ended-by-scripts':
      return describeScriptsEnd(note);
    case 'written-by-scripts':
      return 'Was written into NEXT_TASK.md by queue_manager.sh. Accept it if it is done, or retry it.';
    case 'undecided-by-scripts':
      return 'Ran under queue_manager.sh, and its row read pending. Accept it if it is done, or retry it.';
    default:
      return describeUnknown(note);
  }
}

/** A later version may add notes that this one does not know. */
function describeUnknown(_: never): string {
  return '';
}

function describeDeath({ worker }: { readonly worker: string | null }): string {
  return `${worker === null ? 'The owner' : `Worker ${worker}`} died during the attempt.`;
}

function describeScriptsEnd({ log, code }: Extract<EndNote, { readonly kind: 'ended-by-scripts' }>): string {
  if (log === 'quota_exceeded.log') return `Hit the usage limit under queue_manager.sh (${log}).`;
  return code === 0
    ? `Ended with exit code 0 under queue_manager.sh (${log}).`
    : `Failed with exit code ${String(code)} under queue_manager.sh (${log}).`;
}
