import type { QueueViewModel, TaskViewModel } from '../../app/viewModel/queueViewModel';
import { isUserHere } from '../../domain/queue/view';
import type { GateSummary } from '../../app/present/gate';
import { describeHold } from '../../app/present/pause';
import { describeWithSource } from '../../app/present/problems/settingProblem';
import { describeBesideWorkers } from '../../app/present/timers/missingWorkerTexts';
import { countServices, describeServices } from '../../app/present/service';
import { COMMA, shorten } from '../../app/present/text';
import { describeUsageInWords, describeUsageShortly } from '../../app/present/usageWindows';
import { describeRowless, describeWorkers, findRowless, findStop } from '../../app/present/workers';
import { findUsedUpBudget } from '../../domain/queue/budget';
import type { ShownReason } from '../../app/present/reasons/reason';
import { findSettingsStop } from '../../app/viewModel/settingsStop';
import { findUsedUpNight } from '../../domain/queue/nightBudget';
import { formatUsd } from '../../domain/usd';
import { formatDuration, formatWait } from '../../domain/time/duration';
import { LATE_TIMER, redisRows } from '../tree/rows/topRows';
import { explainGone, nameUnreadWorkers, WORKER_WITHOUT_FILE } from './unreadTexts';
import { toSpokenSentence } from '../spokenText';
import { hideIcons } from '../hiddenLinks';
import { lastKnownOf, runsUnread, type Failing, type QueueState } from '../state/queueState';
import { countForUser, describeAttention } from '../tree/rows/taskGroups';
import { capitalize } from '../../platform/text/plainText';
import { t } from '../../platform/text/translate';

/** Content of the status bar. */
export interface StatusText {
  /** State in a few words. */
  readonly words: string;
  readonly text: string;
  /** Text for screen readers. */
  readonly spoken: string;
  /** Lines of plain text. */
  readonly tooltip: readonly string[];
  /** Set only if nothing continues until the user acts. */
  readonly warning: boolean;
  /** Whether the text shows a remaining time, and so changes soon. */
  readonly countsDown: boolean;
}

interface Headline {
  readonly icon: string;
  readonly words: string;
  readonly warning?: true;
  /** Words without the remaining time; absent: the words have none. */
  readonly lasting?: string;
  /** Set if the words say nothing about the state. */
  readonly isPlain?: true;
}

/** Icons of a task that runs, and of one that the user does. */
const RUNNING = 'sync~spin';
const BY_USER = 'account';

/** Words for a queue of which there is nothing to say. */
const AT_REST = t('Queue');

const MINUTE_MS = 60_000;
const PROMPT_WIDTH = 60;
const WAIT_WIDTH = 40;

/** State of one queue, before it is worded for the status bar. */
interface Summary {
  readonly headline: Headline;
  /** Number of items that need attention. */
  readonly forUser: number;
  readonly tooltip: readonly string[];
  readonly usage: { readonly short: string; readonly spoken: string };
}

/** Describes a state in the status bar; null if it shows nothing. */
export function describeStatus(state: QueueState): StatusText | null {
  const summary = summarize(state);
  return summary === null ? null : compose(summary);
}

/** Describes a state in a few words that hold until it changes; null if there is nothing to say. */
export function describeBriefly(state: QueueState): string | null {
  const headline = findHeadline(state);
  return headline === null || headline.isPlain === true ? null : (headline.lasting ?? headline.words);
}

/** Queue of one of several folders. */
interface NamedState {
  readonly name: string;
  readonly state: QueueState;
}

/** Describes the states of all queues in the status bar: the most urgent one, and what needs attention in all of them. */
export function describeStatuses(queues: readonly NamedState[]): StatusText | null {
  const found = queues.flatMap(({ name, state }) => {
    const summary = summarize(state);
    return summary === null ? [] : [{ name, ...summary }];
  });
  const [urgent, ...others] = found.toSorted((a, b) => urgencyOf(b.headline) - urgencyOf(a.headline));
  if (urgent === undefined || others.length === 0) return urgent === undefined ? null : compose(urgent);
  return compose({
    ...urgent,
    headline: { ...urgent.headline, words: nameUrgent(urgent, found.length) },
    forUser: found.reduce((sum, { forUser }) => sum + forUser, 0),
    tooltip: found.flatMap(({ name, headline: { words }, tooltip }) => [`${name}: ${words}`, ...tooltip]),
  });
}

function nameUrgent(
  { name, headline: { words, isPlain } }: Summary & { readonly name: string },
  queues: number,
): string {
  return isPlain === true ? t('{0} queues', queues) : `${name}: ${words}`;
}

/** Ranks states: what stops until the user acts, then what runs, then what ends by itself. */
function urgencyOf({ warning, icon, lasting }: Headline): number {
  if (warning === true) return 3;
  if (icon === RUNNING || icon === BY_USER) return 2;
  return lasting !== undefined ? 1 : 0;
}

function summarize(state: QueueState): Summary | null {
  const headline = findHeadline(state);
  if (headline === null) return null;
  if (state.kind !== 'ready') {
    const tooltip = state.kind === 'failing' ? explainFailure(state) : explainGone(state);
    return { headline, forUser: 0, tooltip, usage: { short: '', spoken: '' } };
  }
  const { viewModel } = state;
  const forUser = countForUser(viewModel);
  const { world } = viewModel;
  const usage = { short: describeUsageShortly(world), spoken: describeUsageInWords(world) };
  return { headline, forUser, tooltip: tooltipOf(viewModel, forUser), usage };
}

/** Returns the headline of a state; null if nothing is shown. */
function findHeadline(state: QueueState): Headline | null {
  switch (state.kind) {
    case 'opening':
      return null;
    case 'missing':
      return runsUnread(state) ? { icon: 'warning', words: WORKER_WITHOUT_FILE, warning: true } : null;
    case 'failing':
      return headlineOfFailure(state);
    case 'ready':
      return headlineOf(state.viewModel);
  }
}

function headlineOfFailure(state: Failing): Headline {
  const [row] = redisRows(state);
  if (row === undefined) return { icon: 'error', words: t('Cannot be read'), warning: true };
  const lastKnown = lastKnownOf(state);
  const words =
    lastKnown === null
      ? row.title
      : t('{0}, last known: {1}', row.title, headlineOf(lastKnown.viewModel).words);
  return { icon: 'error', words, warning: true };
}

/** Describes why the queue cannot be read, and what was read last. */
function explainFailure(state: Failing): readonly string[] {
  const [row] = redisRows(state);
  const lastKnown = lastKnownOf(state);
  return [
    ...(row === undefined ? [state.message, ...nameUnreadWorkers(state)] : row.details),
    ...(lastKnown === null ? [] : tooltipOf(lastKnown.viewModel, 0)),
  ];
}

function compose({ headline, forUser, tooltip, usage }: Summary): StatusText {
  const { icon, words, warning, lasting } = headline;
  const needs = forUser === 0 ? [] : [describeAttention(forUser)];
  const bell = forUser === 0 ? [] : [`$(bell) ${String(forUser)}`];
  const drawn = [hideIcons(words), usage.short, ...bell].filter((part) => part !== '');
  const spoken = [words, ...needs, usage.spoken].filter((part) => part !== '');
  return {
    words,
    text: `$(${icon}) ${drawn.join('  ')}`,
    spoken: toSpokenSentence(`Claude Queue: ${spoken.join(COMMA)}`),
    tooltip,
    warning: warning === true,
    countsDown: lasting !== undefined,
  };
}

/** Describes what runs; else what prevents it; else whether anything could run. */
function headlineOf(viewModel: QueueViewModel): Headline {
  const running = describeRunning(viewModel);
  if (running !== null) return running;
  if (findStop(viewModel.snapshot) !== null) return { icon: 'sync~spin', words: t('Stopping') };
  if (findSettingsStop(viewModel) !== undefined)
    return { icon: 'warning', words: t('Invalid settings'), warning: true };
  if (viewModel.pause !== null) return { icon: 'debug-pause', words: t('Paused') };
  return describeNeed(viewModel) ?? describeLimit(viewModel) ?? describeRest(viewModel);
}

/** Describes the running tasks, and why no other follows. */
function describeRunning({ snapshot, tasks, pause, world }: QueueViewModel): Headline | null {
  const rowless = findRowless(snapshot).filter(({ ownerDied }) => ownerDied !== true);
  const running = [
    ...tasks.flatMap(({ task, reason }) => (reason.state === 'running' ? (task.claim ?? []) : [])),
    ...rowless,
  ];
  // Only where all are the user's, what is said of the first holds for the others.
  const first = running.find(({ owner }) => !isUserHere(owner, world)) ?? running[0];
  if (first === undefined) return null;
  const { id, owner } = first;
  const ids = running.length === 1 ? String(id) : `${String(id)} +${String(running.length - 1)}`;
  const ms = Math.max(...running.map(({ at }) => world.now - at));
  const age = ms < MINUTE_MS ? [] : [formatDuration(Math.floor(ms / MINUTE_MS) * MINUTE_MS)];
  const isUser = isUserHere(owner, world);
  const isStopping = findStop(snapshot) !== null && !isUser;
  const then = isStopping ? [t('stopping')] : pause === null ? [] : [t('queue paused')];
  return {
    icon: isUser ? BY_USER : RUNNING,
    words: [isUser ? t('Task {0} (you)', ids) : t('Task {0}', ids), ...age, ...then].join(COMMA),
  };
}

/** Describes what the user has to fix before anything starts. */
function describeNeed(viewModel: QueueViewModel): Headline | null {
  const { account, tasks } = viewModel;
  const need = account.find(({ needsUser }) => needsUser);
  if (need === undefined) return describeLateTimer(viewModel);
  if (tasks.some(({ reason }) => reason.state === 'ready')) return null;
  return { icon: 'warning', words: need.title, warning: true };
}

/** Describes a timer that should have started a worker and did not. */
function describeLateTimer({ missingWorkers }: QueueViewModel): Headline | null {
  const isLate = missingWorkers.found.some(({ kind }) => kind === 'timer-late');
  return isLate ? { icon: 'warning', words: LATE_TIMER, warning: true } : null;
}

/** Describes a limit or budget that alone prevents a start, with its countdown. */
function describeLimit(viewModel: QueueViewModel): Headline | null {
  const { tasks, world, gateSummary } = viewModel;
  const atLimit = tasks.filter(({ reason }) => reason.atLimit === true);
  const first = soonest(atLimit);
  if (first === undefined || tasks.some(({ reason }) => reason.state === 'ready')) return null;
  const { until, text } = first.reason;
  if (until === undefined) {
    const isOneFirst = gateSummary?.phase === 'half-open';
    return { icon: 'watch', words: isOneFirst ? t('Probing with one task') : shorten(text, WAIT_WIDTH) };
  }
  const left = formatWait(until - world.now);
  const name = nameBudget(viewModel, until) ?? nameLimit(first.reason.causes);
  const lasting = viewModel.snapshot.workers.length > 0 ? name : t('{0}, no worker', name);
  return { icon: 'watch', words: countDown(viewModel, first.reason, left), lasting };
}

/** Formats the countdown. The queue's own budget is no limit of the account: the user can raise it. */
function countDown(viewModel: QueueViewModel, { until, causes }: ShownReason, left: string): string {
  const hasWorker = viewModel.snapshot.workers.length > 0;
  const continues = hasWorker ? t('resumes in {0}', left) : t('no worker, again in {0}', left);
  const budget = nameBudget(viewModel, until);
  if (budget !== null) return `${budget}, ${continues}`;
  const limit = nameLimit(causes);
  return hasWorker ? `${limit}, ${continues}` : t('{0} for {1}, no worker', limit, left);
}

/** Names the budget of the queue that is used up until a time; null if there is none. */
function nameBudget({ snapshot, world }: QueueViewModel, until: number | undefined): string | null {
  const { now, settings, timeZone } = world;
  const used = findUsedUpBudget(snapshot.starts, now, settings);
  if (used !== null && used.until === until)
    return used.per === 'hour' ? t('{0} an hour used up', used.limit) : t('{0} a day used up', used.limit);
  const night = findUsedUpNight(snapshot.costs, now, settings, timeZone);
  return night !== null && night.until === until
    ? t('{0} a night used up', formatUsd(settings.nightBudget))
    : null;
}

/** Words for short-lived blocks, which must not look like a usage limit. */
const PASSING: Partial<Record<GateSummary['kind'], string>> = {
  offline: t('Offline'),
  throttle: t('Throttled'),
  overload: t('Overloaded'),
};

function nameLimit([cause, ...others]: ShownReason['causes']): string {
  const passing = cause?.kind === 'gate' && others.length === 0 ? PASSING[cause.gate.block.kind] : undefined;
  return passing ?? t('Limit');
}

function describeRest({ tasks, idleReason }: QueueViewModel): Headline {
  const ready = tasks.filter(({ reason }) => reason.state === 'ready').length;
  if (idleReason?.kind === 'waiting') {
    const { waitsFor, text } = idleReason.why;
    return waitsFor === 'person'
      ? { icon: 'checklist', words: t('Waiting for you') }
      : { icon: 'watch', words: capitalize(shorten(text, WAIT_WIDTH)) };
  }
  if (idleReason === null) return { icon: 'sync', words: t('{0} ready', ready) };
  if (ready > 0) return { icon: 'play', words: t('{0} ready, no worker', ready) };
  const waiting = tasks.filter(
    ({ reason }) => reason.waitsFor === 'machine' || reason.waitsFor === 'schedule',
  );
  if (waiting.length > 0) return { icon: 'watch', words: t('{0} waiting, no worker', waiting.length) };
  return { icon: 'checklist', words: AT_REST, isPlain: true };
}

/** Returns the task that may run first; tasks with an unknown time come last. */
function soonest(tasks: readonly TaskViewModel[]): TaskViewModel | undefined {
  const [first] = [...tasks].sort((a, b) => (a.reason.until ?? Infinity) - (b.reason.until ?? Infinity));
  return first;
}

function tooltipOf(viewModel: QueueViewModel, forUser: number): string[] {
  const { snapshot, tasks, next, world } = viewModel;
  const nextTask = tasks.find(({ task }) => task.definition.id === next)?.task.definition;
  return [
    ...tasks
      .filter(({ reason }) => reason.state === 'running')
      .map(({ task, reason }) => t('Task {0} runs ({1}).', task.definition.id, reason.text)),
    ...describeRowless(snapshot, world),
    describeWorkers(snapshot, world),
    // Without commands of a terminal: a click on the entry offers what to do.
    ...viewModel.missingWorkers.found.map((missing) => t('{0}.', describeBesideWorkers(missing, world))),
    ...(nextTask === undefined
      ? []
      : [t('Next: {0}', `${String(nextTask.id)}  ${shorten(nextTask.prompt, PROMPT_WIDTH)}`)]),
    ...pauseLines(viewModel),
    ...limitLines(viewModel),
    ...viewModel.usage,
    ...serviceLines(viewModel),
    ...(forUser === 0 ? [] : [t('{0}.', describeAttention(forUser))]),
  ];
}

/** Describes the user's pauses, or why no task starts. */
function pauseLines(viewModel: QueueViewModel): string[] {
  const { snapshot, pause, world } = viewModel;
  const holds = snapshot.holds.map((hold) => describeHold(hold, world));
  const stop = findSettingsStop(viewModel) ?? (holds.length > 0 ? null : pause);
  if (stop === null) return holds;
  const problems = viewModel.settingProblems.map(describeWithSource);
  return [...holds, t('No task starts: {0}.', stop.text), ...problems];
}

function serviceLines({ tasks }: QueueViewModel): string[] {
  const services = describeServices(countServices(tasks));
  return services === null ? [] : [services];
}

/** Describes limits, each reason once, and the gate even if no task waits for it. */
function limitLines({ tasks, gateSummary }: QueueViewModel): string[] {
  const texts = tasks.filter(({ reason }) => reason.atLimit === true).map(({ reason }) => reason.text);
  return [...new Set([...texts, ...(gateSummary === null ? [] : [gateSummary.text])])];
}
