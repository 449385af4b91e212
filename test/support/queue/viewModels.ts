import { composeViewModel, type QueueViewModel } from '../../../src/app/viewModel/queueViewModel';
import type { World } from '../../../src/domain/reasons/world';
import type { GateBlock, GateView } from '../../../src/domain/gate/gate';
import { defaults, type SettingProblem } from '../../../src/domain/settings/settings';
import type { Definition, TaskId } from '../../../src/domain/task/task';
import {
  isUnreviewed,
  type Claim,
  type Owner,
  type TaskState,
  type TaskView,
} from '../../../src/domain/queue/view';
import type { Snapshot } from '../../../src/queue/taskQueue';
import type { Failing, QueueState } from '../../../src/editor/state/queueState';
import { define, NO_HOLDS, PERSON, UNKNOWN, workerOf } from '../../conformance/harness';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const NOW = Date.parse('2026-11-20T18:00:00Z');

/** A row: the owner's cells, the remembered state, and its claim. */
export interface Row {
  readonly fields?: Partial<Definition>;
  readonly state?: Partial<TaskState>;
  readonly owner?: Owner;
  /** When it was claimed. */
  readonly at?: number;
  /** Its worker is dead, and nobody has found it yet. */
  readonly lost?: true;
}

/** Everything but the rows. Default: a trusted queue, an open gate, and no running worker. */
export interface Around extends Partial<Pick<World, 'approvedRows' | 'settings'>> {
  readonly settingProblems?: readonly SettingProblem[];
  readonly block?: Partial<GateBlock>;
  /** Fill levels that attempts reported. */
  readonly usage?: GateView['usage'];
  readonly held?: string;
  /** Ended pauses. */
  readonly pauses?: Snapshot['pauses'];
  readonly streak?: Snapshot['streak'];
  readonly problems?: Snapshot['problems'];
  /** Number of running workers. */
  readonly workers?: number;
  readonly starts?: readonly number[];
  readonly costs?: Snapshot['costs'];
  readonly stop?: Snapshot['stop'];
  readonly timer?: Snapshot['timer'];
}

/** A setting of the queue that must be a number. */
export const INVALID_SETTING = {
  source: '/queue/config.yaml',
  name: 'maxPerHour',
  fault: {
    kind: 'wrong-value',
    setting: 'maxPerHour',
    wrong: { path: [], expected: { kind: 'number', isWhole: true, min: 0 }, value: 'lots' },
  },
} as const satisfies SettingProblem;

/** A row that a worker runs, or the user has. */
export const runByWorker: Row = { owner: workerOf(1) };
export const runByUser: Row = { owner: PERSON };

/** A queue of these rows, ids from 1, explained by the rules themselves; a row is two lines below the one before. */
export function paint(rows: readonly Row[], around: Around = {}): QueueViewModel {
  const tasks = rows.map((row, order) => toTask(row, order));
  const claims = tasks.flatMap(({ claim }) => (claim === undefined ? [] : [claim]));
  const { approvedRows = { trusted: true, approvals: new Set() }, settings = defaults } = around;
  const workers = Array.from({ length: around.workers ?? 0 }, (_, i) => ({
    owner: workerOf(i + 1),
    since: NOW,
  }));
  const snapshot: Snapshot = {
    tasks,
    claims,
    invalidIds: new Set(),
    unreviewed: tasks.filter(isUnreviewed).length,
    ...NO_HOLDS,
    ...holdsOf(around),
    ...(around.pauses === undefined ? {} : { pauses: around.pauses }),
    ...besides(around),
    revision: 1,
    columns: [],
    isUntouched: false,
    emptied: 0,
    died: [],
    callbacks: [],
    outbox: [],
    places: new Map(
      tasks.map(({ definition, order }) => [definition.id, { kind: 'file', line: 2 + 2 * order, column: 1 }]),
    ),
    workers,
    stopping: workers.filter(({ since }) => around.stop && around.stop.at >= since).map(({ owner }) => owner),
  };
  const closures = around.block === undefined ? [] : [close(around.block)];
  const gate = { closures, usage: around.usage ?? [] };
  const { settingProblems = [] } = around;
  const rules = { settings, wrongSettings: settingProblems.map(({ name }) => name), timeZone: 'UTC' };
  return composeViewModel(snapshot, { gate, approvedRows, ...rules, now: NOW }, settingProblems);
}

function besides(
  around: Around,
): Pick<Snapshot, 'streak' | 'starts' | 'costs' | 'problems' | 'stop' | 'timer'> {
  const { streak = null, starts = [], costs = [], problems = [], stop = null, timer = null } = around;
  return { streak, starts, costs, problems, stop, timer };
}

function holdsOf({ held }: Around): Pick<Snapshot, 'holds'> {
  return { holds: held === undefined ? [] : [{ by: 'person', why: held, at: NOW }] };
}

/** The state of a window that shows this picture. */
export function ready(viewModel: QueueViewModel, notes: ReadonlyMap<TaskId, string> = new Map()): QueueState {
  return { kind: 'ready', viewModel, notes, byRisk: new Map() };
}

function toTask({ fields, state, owner, at = NOW, lost }: Row, order: number): TaskView {
  const id = order + 1;
  const definition = { ...define(id), ...fields, id };
  const claim: Claim | undefined =
    owner === undefined
      ? undefined
      : {
          ...{ id, power: 'p', token: id, attempt: 2, owner, at, session: 's', mark: 'm' },
          ...(lost === undefined ? {} : { ownerDied: lost }),
        };
  return {
    definition,
    state: { ...UNKNOWN, id, power: 'p', firstSeenAt: NOW, ...state },
    order,
    ...(claim === undefined ? {} : { claim }),
  };
}

function close(block: Partial<GateBlock>): GateBlock {
  return { kind: 'five_hour', since: NOW, until: NOW + 2 * HOUR, message: '', ...block };
}

/** The state of a window whose Redis was lost at NOW, and that looked again `after` milliseconds. */
export function lost(
  lastKnown: QueueViewModel | null,
  { redis = 'away', after = 0 }: { redis?: 'away' | 'refused'; after?: number } = {},
): Failing {
  return {
    kind: 'failing',
    message: 'Redis does not answer.',
    files: [],
    redis,
    outage: {
      since: NOW,
      moment: { now: NOW + after, timeZone: 'UTC' },
      lastKnown:
        lastKnown === null
          ? null
          : { kind: 'ready', viewModel: lastKnown, notes: new Map(), byRisk: new Map() },
    },
  };
}
