import { describeLastMessage } from '../../../app/present/reasons/endNote';
import type { ShownReason } from '../../../app/present/reasons/reason';
import { STATE_NAMES } from '../../../app/present/reasons/stateNames';
import { COMMA, listIds, shorten } from '../../../app/present/text';
import type { TaskViewModel } from '../../../app/viewModel/queueViewModel';
import type { Service } from '../../../domain/order/service';
import type { TaskState } from '../../../domain/queue/view';
import type { Cause } from '../../../domain/reasons/reason';
import type { TaskWorld } from '../../../domain/reasons/world';
import { isMet } from '../../../domain/task/dependencies';
import type { TaskId } from '../../../domain/task/task';
import { formatTime } from '../../../domain/time/moment';
import { capitalize } from '../../../platform/text/plainText';
import { t } from '../../../platform/text/translate';

/** Characters of a sentence, so that it stays one line above its row. */
const WIDTH = 100;

/** Describes the state of a task and its reason in one short sentence without a full stop. */
export function describeState(shown: TaskViewModel, world: TaskWorld): string {
  const parts = [capitalize(stateOf(shown, world)), ...describeService(shown.service, world)];
  const [line = ''] = parts.join(COMMA).split('\n');
  return shorten(line, WIDTH).replace(/[.。…\s]+$/, '');
}

/** Describes the state of a task and its reason in full, without a full stop. */
export function describeStateFully(shown: TaskViewModel, world: TaskWorld): string {
  const { reason } = shown;
  const after = stateOf(shown, world);
  return capitalize(reason.state === 'blocked' && reason.text !== '' ? `${after}: ${reason.text}` : after);
}

function stateOf(shown: TaskViewModel, world: TaskWorld): string {
  const { task, reason, place } = shown;
  const { state, definition } = task;
  const { text } = reason;
  switch (reason.state) {
    case 'invalid':
      return t('invalid row');
    case 'unapproved':
      return saysNotApproved(reason) ? text : t('not approved: {0}', text);
    case 'running':
      return task.claim === undefined
        ? t('running: {0}', text)
        : t('running since {0}: {1}', formatTime(task.claim.at, world), text);
    case 'review':
      return startsWithQuestion(reason) ? text : withText(t('needs review'), text);
    case 'completed':
      return [describeEnd(state, world), text].filter((part) => part !== '').join(COMMA);
    case 'dead':
      return withText(describeFailure(state.retryCount), describeLastMessage(state) ?? '');
    case 'blocked':
      return t('after {0}', listIds(unmetOf(shown, world)));
    case 'retrying':
      return t('{0}, failed {1} of {2} attempts', text, state.retryCount, definition.maxRetries);
    default:
      return describeWait(text === '' ? STATE_NAMES[reason.state] : text, place, reason.causes);
  }
}

/** Whether the text of a reason says that the task is not approved. */
function saysNotApproved({ causes: [first] }: ShownReason): boolean {
  return first?.kind === 'not-approved' || first?.kind === 'approved-elsewhere';
}

/** Whether the text of a reason says that the task needs an answer. */
function startsWithQuestion({ review, causes: [first] }: ShownReason): boolean {
  return (review ?? first)?.kind === 'question';
}

/** Describes the place of a task that only waits for a free slot; else the text. */
function describeWait(text: string, place: number | null, causes: readonly Cause[]): string {
  if (place === null || causes.some(({ kind }) => kind === 'place-in-line')) return text;
  const inLine = describePlace(place);
  return causes.some(isUnusual) ? `${inLine}: ${text}` : inLine;
}

const ORDINALS = new Intl.PluralRules('en', { type: 'ordinal' });

function describePlace(place: number): string {
  switch (ORDINALS.select(place)) {
    case 'one':
      return t('{0}st in line', place);
    case 'two':
      return t('{0}nd in line', place);
    case 'few':
      return t('{0}rd in line', place);
    default:
      return t('{0}th in line', place);
  }
}

/** Whether the slot is not freed by the end of an attempt: the user has it, or its worker died. */
function isUnusual(cause: Cause): boolean {
  return cause.kind === 'busy' && (cause.claim.owner.kind === 'person' || cause.claim.ownerDied === true);
}

function describeFailure(retryCount: number): string {
  if (retryCount === 0) return t('failed');
  return retryCount === 1 ? t('failed after 1 attempt') : t('failed after {0} attempts', retryCount);
}

/** The end of a row that the user set to completed is not known: its stored time is that of the first reading. */
function describeEnd({ lastSuccessAt: at, lastOutcome }: TaskState, world: TaskWorld): string {
  return at === null || lastOutcome === null ? t('completed') : t('completed {0}', formatTime(at, world));
}

function withText(start: string, text: string): string {
  return text === '' ? start : `${start}: ${text}`;
}

/** Returns the dependencies that are not met; all of them if the rules do not say. */
function unmetOf({ task }: TaskViewModel, { byId }: TaskWorld): readonly TaskId[] {
  const { dependencies } = task.definition;
  const unmet = dependencies.filter((id) => {
    const dependency = byId.get(id);
    return dependency === undefined || !isMet(dependency, task);
  });
  return unmet.length === 0 ? dependencies : unmet;
}

/** Names of the standings that are worth a word. */
export const STANDINGS: Readonly<Partial<Record<Service['standing'], string>>> = {
  'at-risk': t('at risk'),
  violated: t('late'),
};

/** Describes a deadline of the row's own, and whether the task can still end in time: the parts of a sentence. */
function describeService(service: Service | null, world: TaskWorld): string[] {
  if (service === null) return [];
  const due = service.explicit ? [t('due {0}', formatTime(service.by, world))] : [];
  const standing = STANDINGS[service.standing];
  return [...due, ...(standing === undefined ? [] : [standing])];
}
