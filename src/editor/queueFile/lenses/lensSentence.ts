import { describeLastMessage } from '../../../app/present/attempt';
import { formatOrdinal } from '../../../app/present/reasons/amounts';
import { count, listIds, shorten } from '../../../app/present/text';
import type { TaskViewModel } from '../../../app/viewModel/queueViewModel';
import type { Service } from '../../../domain/order/service';
import type { Cause } from '../../../domain/reasons/reason';
import type { World } from '../../../domain/reasons/world';
import { isMet } from '../../../domain/task/dependencies';
import type { TaskId } from '../../../domain/task/task';
import { formatTime } from '../../../domain/time/moment';

/** Characters of a sentence, so that it stays one line above its row. */
const WIDTH = 100;

/** Describes the state of a task and its reason in one short sentence without a full stop. */
export function describeState(shown: TaskViewModel, world: World): string {
  const [line = ''] = `${capitalize(stateOf(shown, world))}${describeService(shown.service, world)}`.split(
    '\n',
  );
  return shorten(line, WIDTH).replace(/[.…\s]+$/, '');
}

/** Describes the state of a task and its reason in full, without a full stop. */
export function describeStateFully(shown: TaskViewModel, world: World): string {
  const { reason } = shown;
  const after = stateOf(shown, world);
  return capitalize(reason.shown === 'blocked' && reason.text !== '' ? `${after}: ${reason.text}` : after);
}

function stateOf(shown: TaskViewModel, world: World): string {
  const { task, reason, place } = shown;
  const { state, definition } = task;
  const { text } = reason;
  switch (reason.shown) {
    case 'invalid':
      return 'invalid row';
    case 'unapproved':
      return state.reopened ? `not approved: ${text}` : text;
    case 'running':
      return `running${task.claim === undefined ? '' : ` since ${formatTime(task.claim.at, world)}`}: ${text}`;
    case 'review':
      return text.startsWith('needs an answer') ? text : withText('needs review', text);
    case 'completed':
      return `completed${describeEnd(state.lastSuccessAt, world)}${text === '' ? '' : `, ${text}`}`;
    case 'dead':
      return withText(describeFailure(state.retryCount), describeLastMessage(state) ?? '');
    case 'blocked':
      return `after ${listIds(unmetOf(shown, world))}`;
    case 'retrying':
      return `${text}, failed ${String(state.retryCount)} of ${String(definition.maxRetries)} attempts`;
    default:
      return describeWait(text === '' ? reason.shown : text, place, reason.causes);
  }
}

/** Describes the place of a task that only waits for a free slot; else the text. */
function describeWait(text: string, place: number | null, causes: readonly Cause[]): string {
  if (place === null || causes.some(({ kind }) => kind === 'place-in-line')) return text;
  const inLine = `${formatOrdinal(place)} in line`;
  return causes.some(isUnusual) ? `${inLine}: ${text}` : inLine;
}

/** Whether the slot is not freed by the end of an attempt: the user has it, or its worker died. */
function isUnusual(cause: Cause): boolean {
  return cause.kind === 'busy' && (cause.claim.owner.kind === 'person' || cause.claim.ownerDied === true);
}

function describeFailure(retryCount: number): string {
  return retryCount === 0 ? 'failed' : `failed after ${count(retryCount, 'attempt')}`;
}

function describeEnd(at: number | null, world: World): string {
  return at === null ? '' : ` ${formatTime(at, world)}`;
}

function withText(start: string, text: string): string {
  return text === '' ? start : `${start}: ${text}`;
}

/** Returns the dependencies that are not met; all of them if the rules do not say. */
function unmetOf({ task }: TaskViewModel, { byId }: World): readonly TaskId[] {
  const { dependencies } = task.definition;
  const unmet = dependencies.filter((id) => {
    const dependency = byId.get(id);
    return dependency === undefined || !isMet(dependency, task);
  });
  return unmet.length === 0 ? dependencies : unmet;
}

const STANDINGS: Readonly<Record<Service['standing'], string>> = {
  'in-time': '',
  'at-risk': ', at risk',
  violated: ', late',
};

/** Describes a deadline of the row's own, and whether the task can still end in time. */
function describeService(service: Service | null, world: World): string {
  if (service === null) return '';
  const due = service.explicit ? `, due ${formatTime(service.by, world)}` : '';
  return `${due}${STANDINGS[service.standing]}`;
}

function capitalize(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
