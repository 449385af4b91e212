import type { Picture, ShownTask } from '../app/picture';
import { describeHold } from '../app/holdWords';
import { countServices, describeServices, servicesOf } from '../app/serviceWords';
import { describeWorkers, findStandstill, findStop } from '../app/standstill';
import { count, shorten } from '../app/words';
import { findUsedUpBudget } from '../domain/budget';
import { formatDuration } from '../domain/duration';
import { explainFullPause } from '../domain/explainQueue';
import { hideIcons } from './iconWords';
import type { QueueState } from './queueState';
import { countForPerson } from './taskGroups';

/** What the status bar shows. */
export interface StatusText {
  readonly text: string;
  /** For those who hear it. */
  readonly spoken: string;
  /** Lines of plain text. */
  readonly tooltip: readonly string[];
  /** Set only where nothing goes on until a person acts. */
  readonly warning: boolean;
  /** Whether the text holds only for a moment, since it tells how long something lasts. */
  readonly countsDown: boolean;
}

interface Headline {
  readonly icon: string;
  readonly words: string;
  readonly warning?: true;
  readonly countsDown?: true;
}

const PROMPT_WIDTH = 60;
const WAIT_WIDTH = 40;

/** The status bar of a state; null where it shows nothing. */
export function describeStatus(state: QueueState): StatusText | null {
  switch (state.kind) {
    case 'opening':
    case 'missing':
      return null;
    case 'failing':
      return compose({ icon: 'error', words: 'Queue', warning: true }, 0, [state.message]);
    case 'ready': {
      const waiting = countForPerson(state.picture);
      return compose(headline(state.picture), waiting, tooltipOf(state.picture, waiting));
    }
  }
}

function compose(
  { icon, words, warning, countsDown }: Headline,
  forPerson: number,
  tooltip: readonly string[],
): StatusText {
  const needs = forPerson === 0 ? '' : `${String(forPerson)} need${forPerson === 1 ? 's' : ''} you`;
  return {
    text: `$(${icon}) ${hideIcons(words)}${needs === '' ? '' : `  $(bell) ${String(forPerson)}`}`,
    spoken: `Claude Queue: ${words}${needs === '' ? '' : `, ${needs}`}`,
    tooltip,
    warning: warning === true,
    countsDown: countsDown === true,
  };
}

/** What runs; else what keeps the worker from it; else whether anything could run. */
function headline(picture: Picture): Headline {
  const { snapshot, tasks } = picture;
  const running = tasks.filter(({ reason }) => reason.shown === 'running');
  const [first] = running;
  const isStopping = findStop(snapshot) !== null;
  if (first !== undefined) {
    const more = running.length === 1 ? '' : ` +${String(running.length - 1)}`;
    const isPerson = first.task.claim?.owner.kind === 'person';
    return {
      icon: isPerson ? 'account' : 'sync~spin',
      words: `Task ${String(first.task.definition.id)}${more}${isPerson ? ' (you)' : ''}${isStopping && !isPerson ? ', stopping' : ''}`,
    };
  }
  if (isStopping) return { icon: 'sync~spin', words: 'Stopping' };
  if (explainFullPause(picture.world) !== null) return { icon: 'debug-pause', words: 'Held' };
  return describeLimit(picture) ?? describeRest(picture);
}

const PER = { hour: 'an hour', day: 'a day' } as const;

/** What only a limit or the budget keeps from running, with its count-down. */
function describeLimit({ snapshot, tasks, world }: Picture): Headline | null {
  const atLimit = tasks.filter(({ reason }) => reason.atLimit === true);
  const first = soonest(atLimit);
  if (first === undefined || tasks.some(({ reason }) => reason.shown === 'ready')) return null;
  const { until } = first.reason;
  if (until === undefined) return { icon: 'warning', words: 'Limit: needs you', warning: true };
  const left = formatDuration(Math.max(until - world.now, 0));
  const used = findUsedUpBudget(snapshot.starts, world.now, world.settings);
  const isGoingOn = snapshot.workers.length > 0;
  // The queue's own budget is no limit of the account: its owner can raise it.
  const words =
    used?.until === until
      ? `${String(used.limit)} ${PER[used.per]} used up, ${isGoingOn ? 'goes on' : 'no worker, again'} in ${left}`
      : isGoingOn
        ? `Limit, goes on in ${left}`
        : `Limit for ${left}, no worker`;
  return { icon: 'watch', words, countsDown: true };
}

function describeRest(picture: Picture): Headline {
  const { tasks } = picture;
  const standstill = findStandstill(picture);
  const ready = tasks.filter(({ reason }) => reason.shown === 'ready').length;
  if (standstill?.kind === 'waiting') {
    const { waitsFor, text } = standstill.why;
    return waitsFor === 'person'
      ? { icon: 'checklist', words: 'Waits for you' }
      : { icon: 'watch', words: shorten(text, WAIT_WIDTH) };
  }
  if (standstill === null) return { icon: 'sync', words: `${String(ready)} ready` };
  if (ready > 0) return { icon: 'play', words: `${String(ready)} ready, no worker` };
  const waiting = tasks.filter(
    ({ reason }) => reason.waitsFor === 'machine' || reason.waitsFor === 'schedule',
  );
  if (waiting.length > 0) return { icon: 'watch', words: `${String(waiting.length)} waiting, no worker` };
  return { icon: 'checklist', words: 'Queue' };
}

/** The one that may run first; those of which nobody knows when come last. */
function soonest(tasks: readonly ShownTask[]): ShownTask | undefined {
  const [first] = [...tasks].sort((a, b) => (a.reason.until ?? Infinity) - (b.reason.until ?? Infinity));
  return first;
}

function tooltipOf(picture: Picture, forPerson: number): string[] {
  const { snapshot, tasks, next } = picture;
  const nextTask = tasks.find(({ task }) => task.definition.id === next)?.task.definition;
  return [
    ...tasks
      .filter(({ reason }) => reason.shown === 'running')
      .map(({ task, reason }) => `Task ${String(task.definition.id)} runs (${reason.text}).`),
    describeWorkers(snapshot),
    ...(nextTask === undefined
      ? []
      : [`Next: ${String(nextTask.id)}  ${shorten(nextTask.prompt, PROMPT_WIDTH)}`]),
    ...pauseLines(picture),
    ...limitLines(picture),
    ...serviceLines(picture),
    ...(forPerson === 0 ? [] : [`${count(forPerson, 'task')} ${forPerson === 1 ? 'needs' : 'need'} you.`]),
  ];
}

/** What a person holds, or why the queue holds by itself. */
function pauseLines(picture: Picture): string[] {
  const holds = picture.snapshot.holds.map(describeHold);
  const pause = explainFullPause(picture.world);
  return holds.length > 0 || pause === null ? holds : [`Nothing is begun: ${pause.text}.`];
}

function serviceLines({ tasks, world }: Picture): string[] {
  const services = describeServices(countServices(servicesOf(tasks, world)));
  return services === null ? [] : [services];
}

/** Each reason once, however many tasks have it. */
function limitLines({ tasks }: Picture): string[] {
  const texts = tasks.filter(({ reason }) => reason.atLimit === true).map(({ reason }) => reason.text);
  return [...new Set(texts)];
}
