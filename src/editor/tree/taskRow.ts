import { describeLastMessage } from '../../app/present/attempt';
import { describeRowProblem } from '../../app/present/problems/rowProblem';
import type { TaskViewModel } from '../../app/viewModel/queueViewModel';
import { possibleActions, type TaskAction } from '../../app/viewModel/possibleActions';
import { SERVICE_MARKS } from '../../app/present/service';
import { formatOrdinal } from '../../app/present/reasons/amounts';
import { describeFolder, shorten } from '../../app/present/text';
import { formatDuration } from '../../domain/time/duration';
import type { World } from '../../domain/reasons/world';
import type { Cause, Shown } from '../../domain/reasons/reason';
import { formatTime } from '../../domain/time/moment';
import { rowNumberOf, type RowProblem } from '../../domain/problem';
import type { Service } from '../../domain/order/service';
import { GROUP_OF } from './groupNames';

/** Row of the tree. */
export interface TaskRow {
  /** Key that stays the same while the row means the same. */
  readonly key: string;
  /** Null for an invalid row of the file. */
  readonly taskId: number | null;
  readonly shown: Shown;
  readonly label: string;
  readonly description: string;
  /** Lines of plain text. */
  readonly details: readonly string[];
  /** Words for the `when` of menus, separated by spaces. */
  readonly traits: readonly string[];
  /** Line of the queue file, from 1. */
  readonly line: number;
  /** Set if it was read before the queue could no longer be read. */
  readonly isLastKnown?: boolean;
}

/** Characters of a prompt to show, so that the reason beside it fits. */
const LABEL_WIDTH = 60;

interface Surroundings {
  readonly line: number;
  readonly world: World;
  /** Note about the session in which the user does the task. */
  readonly note: string | undefined;
}

/** Returns the row of a task. */
export function toTaskRow(shown: TaskViewModel, { line, world, note }: Surroundings): TaskRow {
  const { service, task } = shown;
  const { id, prompt } = task.definition;
  const mark = service === null ? '' : SERVICE_MARKS[service.standing];
  const details = describeDetails(shown, world);
  return {
    key: `task-${String(id)}`,
    taskId: id,
    shown: shown.reason.shown,
    label: `${String(id)}  ${shorten(prompt, LABEL_WIDTH)}`,
    description: `${note ?? describe(shown, world)}${mark === '' ? '' : ` ${mark}`}`,
    details: note === undefined ? details : [note, ...details],
    traits: traitsOf(shown),
    line,
  };
}

/** Describes a task in lines of plain text. */
export function describeDetails(shown: TaskViewModel, world: World): readonly string[] {
  const { service } = shown;
  return [...detail(shown), ...(service === null ? [] : [describeService(service, world)])];
}

/** Describes what the group does not show already. */
function describe({ task, reason, effectivePriority, place }: TaskViewModel, { now }: World): string {
  const { priority } = task.definition;
  if (task.claim !== undefined && reason.shown === 'running') {
    return `${formatDuration(wholeSeconds(now - task.claim.at))} · ${reason.text}`;
  }
  const raised = effectivePriority === priority ? priority : `${priority} → ${effectivePriority}`;
  if (place !== null && !reason.causes.some(saysMore)) return `${formatOrdinal(place)} · ${raised}`;
  // The icon shows it, and the details say why.
  if (reason.shown === 'unapproved' && !task.state.reopened) return raised;
  if (reason.text === '') return reason.shown;
  if (reason.shown === 'completed') return `completed, ${reason.text}`;
  const isSaid = GROUP_OF[reason.shown] === 'waiting' || reason.shown === 'review';
  return isSaid ? reason.text : `${reason.shown}: ${reason.text}`;
}

/** Whether the reason says more than the place: which pool has the task, or who keeps the slot without a living worker. */
function saysMore(cause: Cause): boolean {
  if (cause.kind === 'busy') return cause.claim.owner.kind === 'person' || cause.claim.ownerDied === true;
  return cause.kind === 'place-in-line';
}

function wholeSeconds(ms: number): number {
  return Math.max(Math.floor(ms / 1000), 0) * 1000;
}

function detail(shown: TaskViewModel): string[] {
  const { task, reason, effectivePriority } = shown;
  const { definition, state, claim } = task;
  const raised = effectivePriority === definition.priority ? '' : `, counts as ${effectivePriority}`;
  const tries = `${String(state.retryCount)} of ${String(definition.maxRetries)} failed attempts`;
  return [
    `${reason.shown}${reason.text === '' ? '' : `: ${reason.text}`}`,
    `priority ${definition.priority}${raised} · ${tries}`,
    `in ${describeFolder(definition)}`,
    ...(claim === undefined ? [] : [`attempt ${String(claim.attempt)}`]),
    // If there is output, all facts of its attempt are shown instead.
    ...(state.lastOutcome === null || possibleActions(shown).has('showOutput')
      ? []
      : [[`last attempt: ${state.lastOutcome}`, describeLastMessage(state) ?? []].flat().join('. ')]),
    ...(definition.dependencies.length === 0 ? [] : [`after ${definition.dependencies.join(', ')}`]),
  ];
}

const STANDING_WORDS: Readonly<Record<Service['standing'], string>> = {
  'in-time': '',
  'at-risk': ', at risk (!)',
  violated: ', violated (!!)',
};

/** Describes when it should have ended, and whether it still can. */
function describeService({ by, standing, explicit }: Service, world: World): string {
  const whose = explicit ? 'deadline' : 'service time';
  return `${whose} ${formatTime(by, world)}${STANDING_WORDS[standing]}`;
}

/** Words for the `when` of menus. */
const TRAIT_OF: Readonly<Record<TaskAction, string>> = {
  handBack: 'inHand',
  runInteractively: 'pending',
  run: 'runnable',
  approve: 'unapproved',
  answer: 'question',
  accept: 'review',
  allow: 'refused',
  retry: 'retriable',
  cancel: 'cancellable',
  showChanges: 'changes',
  showOutput: 'output',
};

/** States in which the user looks at what was done. */
const ENDED: readonly Shown[] = ['review', 'dead', 'completed'];

function traitsOf(shown: TaskViewModel): string[] {
  const actions = possibleActions(shown);
  // A row has room for three buttons: a question has Answer in place of Accept, and changes are more than the output.
  const isAcceptable = actions.has('accept') && !actions.has('answer');
  const isCompared = actions.has('showChanges') && ENDED.includes(shown.reason.shown);
  const isRead = actions.has('showOutput') && !(isCompared && actions.has('accept'));
  return [
    'task',
    ...[...actions].map((action) => TRAIT_OF[action]),
    ...(isAcceptable ? ['acceptable'] : []),
    ...(isCompared ? ['compared'] : []),
    ...(isRead ? ['read'] : []),
  ];
}

/** Returns the row of a row of the file that is not valid. */
export function toProblemRow(problem: RowProblem): TaskRow {
  const { where } = problem;
  const line = rowNumberOf(where);
  const message = describeRowProblem(problem);
  return {
    key: `line-${String(line)}-${where.kind === 'file' ? String(where.column) : (where.field ?? '')}`,
    taskId: null,
    shown: 'invalid',
    label: `${where.kind === 'file' ? 'Line' : 'Row'} ${String(line)}`,
    description: message,
    details: [message],
    traits: ['invalid'],
    line,
  };
}
