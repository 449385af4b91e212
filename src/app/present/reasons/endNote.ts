import type { Attempt, EndNote } from '../../../domain/task/attempt';
import type { TaskState } from '../../../domain/queue/view';
import { formatDuration } from '../../../domain/time/duration';
import { isElsewhere, nameMachine } from '../../../platform/processes/machine';
import { t } from '../../../platform/text/translate';

/** Describes an end in the words of this program, of Claude Code, or both. */
export function describeMessage({
  message,
  note,
  machine,
}: Pick<Attempt, 'message' | 'note' | 'machine'>): string {
  const noted = note === undefined ? '' : describeNote(note, machine);
  return [noted, message].filter((text) => text !== '').join(' ');
}

/** Describes the last end of a task; null if it never ran. */
export function describeLastMessage({
  lastMessage,
  lastNote: note,
}: Pick<TaskState, 'lastMessage' | 'lastNote'>): string | null {
  if (lastMessage === null) return null;
  return describeMessage({ message: lastMessage, ...(note === undefined ? {} : { note }) });
}

function describeNote(note: EndNote, machine: string | undefined): string {
  switch (note.kind) {
    case 'stopped':
      return t('Stopped with its worker; will resume in the same session.');
    case 'made-way':
      return t('Made way for {0}; will resume in the same session.', note.for);
    case 'cancelled':
      return t('Cancelled by the user.');
    case 'timed-out':
      return note.afterMs === undefined
        ? t('Timed out.')
        : t('Timed out after {0}.', formatDuration(note.afterMs));
    case 'owner-died':
      return describeDeath(note, machine);
    case 'redis-away':
      return t('Redis did not answer for too long, so the worker ended the attempt.');
    case 'history-lost':
      return t(
        '{0} The queue file says {1}, but the history of attempt {2} is lost. Accept it if it is done, or retry it.',
        describeDeath(note, machine),
        note.status,
        note.attempt,
      );
    case 'ended-by-scripts':
      return describeScriptsEnd(note);
    case 'written-by-scripts':
      return t('Was written into NEXT_TASK.md by queue_manager.sh. Accept it if it is done, or retry it.');
    case 'undecided-by-scripts':
      return t('Ran under queue_manager.sh, and its row read pending. Accept it if it is done, or retry it.');
    default:
      return describeUnknown(note);
  }
}

/** A later version may add notes that this one does not know. */
function describeUnknown(_: never): string {
  return '';
}

function describeDeath({ worker }: { readonly worker: string | null }, machine: string | undefined): string {
  if (worker === null) return t('The owner died during the attempt.');
  const isFar = machine !== undefined && isElsewhere(machine);
  const who = isFar ? t('{0} on {1}', worker, nameMachine(machine)) : worker;
  return t('Worker {0} died during the attempt.', who);
}

function describeScriptsEnd({ log, code }: Extract<EndNote, { readonly kind: 'ended-by-scripts' }>): string {
  if (log === 'quota_exceeded.log') return t('Hit the usage limit under queue_manager.sh ({0}).', log);
  return code === 0
    ? t('Ended with exit code 0 under queue_manager.sh ({0}).', log)
    : t('Failed with exit code {0} under queue_manager.sh ({1}).', code, log);
}
