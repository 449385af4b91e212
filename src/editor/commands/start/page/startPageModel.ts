import { describePermissions, describeUnseen } from '../../../../app/approval/approval';
import { findChange, type KnownRows } from '../../../../app/approval/approvedChanges';
import type { Rehearsed } from '../../../../app/checks/rehearsal';
import { summarizeChange } from '../../../../app/present/rowChanges';
import { describeNewPower } from '../../../../app/approval/newPower';
import { describeDoubts } from '../../../../app/present/rehearsal';
import { describeShortly } from '../../../../app/present/reasons/shortReason';
import { shorten } from '../../../../app/present/text';
import type { QueueViewModel, TaskViewModel } from '../../../../app/viewModel/queueViewModel';
import { approvable, approvalOf } from '../../../../domain/task/approval';
import type { PermissionMode, TaskId } from '../../../../domain/task/task';
import { revealInvisible } from '../../../../platform/text/invisible';
import type { PermissionChoice, WindowRule } from '../../../state/editorSettings';
import type { StartPlan } from '../../../state/startPlan';
import { layRowOut, type CellDiff } from './rowDiff';
import { t } from '../../../../platform/text/translate';

/** Facts that the page shows besides the plan. */
export interface StartFacts {
  readonly plan: StartPlan;
  readonly viewModel: QueueViewModel;
  readonly rehearsed: readonly Rehearsed[];
  /** Earlier facts about the rows that wait for approval. */
  readonly knownRows: KnownRows;
  /** Default permission mode; `ask` until the user has chosen one. */
  readonly mode: PermissionChoice;
  readonly windowRule: WindowRule;
  /** Account of the operating system, and the machine. */
  readonly user: string;
  readonly machine: string;
  readonly isSignedOut: boolean;
  /** Sentence that the queue file has unsaved changes; null if it has none. */
  readonly unsaved: string | null;
  /** Sentence that a worker is still stopping; null if none is. */
  readonly stopping: string | null;
}

/** Task of the page, in the order of running. */
export interface LineItem {
  readonly id: TaskId;
  /** Place in line, or why it waits. */
  readonly reason: string;
  readonly prompt: string;
  readonly user: string;
  /** Reasons against running it unattended. */
  readonly doubts: string;
}

/** Row that waits for approval. */
export interface ChangedItem {
  readonly id: TaskId;
  /** Names the row as it is shown: an edited row has another key. */
  readonly key: string;
  /** `new`, or the names of the changed cells. */
  readonly kind: string;
  readonly facts: string;
  /** Power of the row beyond what was approved. */
  readonly warnings: readonly string[];
  readonly cells: readonly CellDiff[];
}

/** Model of the page. */
export interface StartPageModel extends Omit<StartFacts, 'rehearsed' | 'knownRows'> {
  /** Tasks that wait only for a slot, in the order of running. */
  readonly first: readonly LineItem[];
  /** Approved tasks that wait for something else. */
  readonly later: readonly LineItem[];
  readonly changed: readonly ChangedItem[];
  /** Tasks with permissions of their own. */
  readonly own: readonly TaskId[];
}

/** Key of a row as it is shown: its id, what it may do, and whether it was reopened. */
export function keyOf({ task: { definition, state } }: TaskViewModel): string {
  return `${approvalOf(approvable(definition, state.power))}${state.reopened ? ' reopened' : ''}`;
}

/** Key of a plan: another one means that other rows are shown. */
export function keyOfPlan({ unapproved, approved }: Pick<StartPlan, 'unapproved' | 'approved'>): string {
  return JSON.stringify([unapproved, approved].map((shown) => shown.map(keyOf).sort()));
}

/** Builds the model of the page. */
export async function buildStartPage(facts: StartFacts): Promise<StartPageModel> {
  const { plan, rehearsed } = facts;
  const found = new Map(rehearsed.map((one) => [one.shown, one]));
  const inLine = plan.approved.filter(({ place }) => place !== null);
  const toItem = (shown: TaskViewModel): LineItem => toLineItem(shown, found.get(shown), facts);
  return {
    ...facts,
    first: inLine.map(toItem),
    later: plan.approved.filter(({ place }) => place === null).map(toItem),
    changed: await Promise.all(plan.unapproved.map((shown) => toChangedItem(shown, found.get(shown), facts))),
    own: [...plan.unapproved, ...plan.approved]
      .filter((shown) => hasOwnPermissions(shown, found.get(shown)))
      .map(({ task }) => task.definition.id),
  };
}

const PROMPT_WIDTH = 160;

function toLineItem(
  shown: TaskViewModel,
  rehearsed: Rehearsed | undefined,
  { viewModel }: StartFacts,
): LineItem {
  const { id, prompt, user = '' } = shown.task.definition;
  return {
    id,
    reason: revealInvisible(describeShortly(shown, viewModel.world)),
    prompt: revealInvisible(shorten(prompt, PROMPT_WIDTH)),
    user: revealInvisible(user),
    doubts: revealInvisible(rehearsed === undefined ? '' : describeDoubts(rehearsed).join(' · ')),
  };
}

async function toChangedItem(
  shown: TaskViewModel,
  rehearsed: Rehearsed | undefined,
  { knownRows, mode }: StartFacts,
): Promise<ChangedItem> {
  const { definition, state } = shown.task;
  const change = findChange(shown, knownRows);
  const unseen = describeUnseen(shown);
  const power = describeNewPower(shown, knownRows.approved.get(definition.id), usualMode(mode));
  return {
    id: definition.id,
    key: keyOf(shown),
    kind: state.reopened ? shown.reason.text : (summarizeChange(change) ?? t('new')),
    facts: revealInvisible(
      [definition.priority, definition.user ?? [], describePermissions(shown)].flat().join(' · '),
    ),
    warnings: [
      ...power.map((text) => t('more power: {0}', text)),
      ...(unseen === null ? [] : [t('{0}: read the row', unseen)]),
      ...(rehearsed?.lacks ?? []).map(revealInvisible),
    ],
    cells: await layRowOut(shown, change),
  };
}

/** Mode of rows that name none. Until the user has chosen one, no start is offered. */
function usualMode(mode: PermissionChoice): PermissionMode {
  return mode === 'ask' ? 'manual' : mode;
}

function hasOwnPermissions(
  { task: { definition } }: TaskViewModel,
  rehearsed: Rehearsed | undefined,
): boolean {
  const tools = rehearsed?.permissions.tools ?? definition.allowedTools ?? [];
  return definition.permissionMode !== undefined || tools.length > 0;
}
