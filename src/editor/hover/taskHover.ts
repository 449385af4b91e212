import { formatRan, nameEnd } from '../../app/present/attempt';
import { describeLastMessage } from '../../app/present/reasons/endNote';
import { COMMA, describeFolder, shorten } from '../../app/present/text';
import type { TaskViewModel } from '../../app/viewModel/queueViewModel';
import type { Service } from '../../domain/order/service';
import type { TaskWorld } from '../../domain/reasons/world';
import type { Attempt } from '../../domain/task/attempt';
import { isEndUnknown } from '../../domain/task/runTime';
import { placeOf } from '../../domain/task/place';
import { formatTime } from '../../domain/time/moment';
import { formatUsd } from '../../domain/usd';
import { OUTCOME_NAMES } from '../../app/present/counts';
import { t } from '../../platform/text/translate';
import { READ_COMMANDS } from '../commandIds';
import { describeStateFully } from '../queueFile/lenses/stateSentence';
import { listTaskCommands } from '../queueFile/lenses/likelyActions';
import { bindTarget } from '../state/queueTarget';
import type { ListedCommands } from '../state/listedCommands';
import type { HoverFact, HoverLink, HoverText } from './hoverText';

/** Characters of a prompt in the title. */
const PROMPT_WIDTH = 120;

/** Facts about a task besides the queue. */
export interface TaskHoverFacts {
  readonly world: TaskWorld;
  /** Note about the session in which the user does the task. */
  readonly note?: string | undefined;
  /** Newest attempt that is in the history. */
  readonly attempt?: Attempt | undefined;
  /** Forecast of its start. */
  readonly forecast?: string | undefined;
}

/** Hover of a task without its links. */
export type TaskDescription = Required<Pick<HoverText, 'title' | 'lines' | 'facts'>>;

/** Describes a task in at most two sentences, and in up to four facts. */
export function describeTaskHover(
  shown: TaskViewModel,
  { world, note, attempt, forecast }: TaskHoverFacts,
): TaskDescription {
  const { definition } = shown.task;
  const more = note ?? describeService(shown.service, world);
  const lines = [describeStateFully(shown, world), ...(more === null ? [] : [more])];
  return {
    title: `${String(definition.id)}  ${shorten(definition.prompt, PROMPT_WIDTH)}`,
    lines: lines.map(endSentence),
    facts: [
      ...(forecast === undefined ? [] : [{ name: t('Forecast'), text: forecast }]),
      { name: t('Attempts'), text: describeAttempts(shown) },
      ...describeLastEnd(shown, world, attempt),
      ...(attempt?.costUsd === undefined ? [] : [{ name: t('Cost'), text: formatUsd(attempt.costUsd) }]),
      { name: t('Row'), text: describeRow(shown) },
    ],
  };
}

function endSentence(text: string): string {
  return /[.!?…。！？]$/.test(text) ? text : t('{0}.', text);
}

/** Describes when the task should have ended, if the row says so or it may be missed. */
function describeService(service: Service | null, world: TaskWorld): string | null {
  if (service === null) return null;
  const { by, standing, explicit } = service;
  if (!explicit && standing === 'in-time') return null;
  const at = formatTime(by, world);
  if (standing === 'violated')
    return explicit ? t('Late: it was due {0}', at) : t('Late: it should have ended by {0}', at);
  if (standing === 'at-risk')
    return explicit ? t('At risk: it is due {0}', at) : t('At risk: it should end by {0}', at);
  return t('Due {0}', at);
}

function describeAttempts({ task: { claim, state, definition } }: TaskViewModel): string {
  const running = claim === undefined ? [] : [t('attempt {0} is running', claim.attempt)];
  const hasRun = state.lastOutcome !== null || state.retryCount > 0;
  const failed = t('{0} of {1} failed', state.retryCount, definition.maxRetries);
  return [...running, ...(hasRun || claim !== undefined ? [failed] : [t('none yet')])].join(COMMA);
}

/** Describes the last end; an attempt that is not in the history is known by its outcome alone. */
function describeLastEnd(shown: TaskViewModel, world: TaskWorld, attempt?: Attempt): HoverFact[] {
  const { state } = shown.task;
  const { lastOutcome } = state;
  const text =
    attempt === undefined ? lastOutcome && OUTCOME_NAMES[lastOutcome] : describeEnd(attempt, world);
  if (text === null) return [];
  // In these states it is the reason.
  const isSaid = shown.reason.state === 'review' || shown.reason.state === 'dead';
  const message = isSaid ? '' : (describeLastMessage(state) ?? '');
  return [{ name: t('Last end'), text: message === '' ? text : `${text}: ${message}` }];
}

function describeEnd(attempt: Attempt, world: TaskWorld): string {
  const { endedAt } = attempt;
  const took = formatRan(attempt);
  // An unknown end lies before the time at which the worker's death was found.
  return took === '' || isEndUnknown(attempt)
    ? t('{0}, {1}', nameEnd(attempt), formatTime(endedAt, world))
    : t('{0}, {1}, took {2}', nameEnd(attempt), formatTime(endedAt, world), took);
}

function describeRow({ task: { definition }, effectivePriority }: TaskViewModel): string {
  const { priority, user, dependencies } = definition;
  const facts = [
    t('{0} priority', priority),
    ...(effectivePriority === priority ? [] : [t('counts as {0}', effectivePriority)]),
    ...(user === undefined || user === '' ? [] : [user]),
    ...(dependencies.length === 0 ? [] : [t('after {0}', dependencies.join(', '))]),
  ];
  return t('{0}, in {1}', facts.join(COMMA), describeFolder(placeOf(definition)));
}

/** Surroundings of the links. */
export interface LinkFacts {
  /** Key of the queue of the task. */
  readonly queue: string;
  readonly listed: ListedCommands;
  /** In an untrusted workspace only commands that read are offered. */
  readonly isTrusted: boolean;
}

/** Returns a link for each usual next step that is possible now, and one for all actions. */
export function linkActions(
  shown: TaskViewModel,
  { queue, listed, isTrusted }: LinkFacts,
): readonly HoverLink[] {
  const target = [bindTarget(queue, shown.task.definition.id)];
  const commands = listTaskCommands(shown, listed).filter(
    ({ command, isLikely }) => isLikely && (isTrusted || READ_COMMANDS.includes(command)),
  );
  const links = commands.map(({ title, command }) => ({ title, command, arguments: target }));
  return isTrusted ? [...links, { title: t('More…'), command: 'showActions', arguments: target }] : links;
}
