import { findFullHold } from '../../domain/queue/pauses';
import { findRunning, WINDOWS, type UsageWindow } from '../../domain/gate/usageWindows';
import type { Service } from '../../domain/order/service';
import { countInvalidRows } from '../../domain/problem';
import { SHOWN_STATES, type ShownState } from '../../domain/reasons/reason';
import type { World } from '../../domain/reasons/world';
import { PRIORITIES } from '../../domain/task/priority';
import { accountGateAsJson, gatesAsJson } from '../present/gate';
import { isQueued } from '../viewModel/queuedByUser';
import type { QueueViewModel, TaskViewModel } from '../viewModel/queueViewModel';
import type { Metric, Sample } from './metric';

/** Returns the metrics of a queue as it is now. */
export function measureQueue(viewModel: QueueViewModel): readonly Metric[] {
  return [
    {
      name: 'claude_proxy_queue_size',
      help: 'Tasks that wait to start, by their effective priority.',
      type: 'gauge',
      samples: countByPriority(viewModel.tasks.filter(isQueued)),
    },
    {
      name: 'claude_proxy_queue_tasks',
      help: 'Tasks of the queue by their shown state.',
      type: 'gauge',
      samples: SHOWN_STATES.map((status) => ({ labels: { status }, value: countShown(viewModel, status) })),
    },
    {
      name: 'claude_proxy_sla_violated',
      help: 'Unfinished tasks that are past their service time or deadline.',
      type: 'gauge',
      samples: countByPriority(viewModel.tasks.filter(isStanding('violated'))),
    },
    {
      name: 'claude_proxy_sla_at_risk',
      help: 'Unfinished tasks whose service time or deadline ends soon.',
      type: 'gauge',
      samples: countByPriority(viewModel.tasks.filter(isStanding('at-risk'))),
    },
    ...measureStarts(viewModel),
    ...measureGate(viewModel.world),
    ...measureUsage(viewModel.world),
  ];
}

function countByPriority(tasks: readonly TaskViewModel[]): readonly Sample[] {
  return PRIORITIES.map((priority) => ({
    labels: { priority },
    value: tasks.filter(({ effectivePriority }) => effectivePriority === priority).length,
  }));
}

/** Rows that cannot be read are no tasks, and count as invalid. */
function countShown({ tasks, snapshot }: QueueViewModel, status: ShownState): number {
  const shown = tasks.filter(({ reason }) => reason.state === status).length;
  return status === 'invalid' ? shown + countInvalidRows(snapshot.problems) : shown;
}

const isStanding =
  (standing: Service['standing']) =>
  ({ service }: TaskViewModel): boolean =>
    service?.standing === standing;

/** Measures what else keeps tasks from starting: a pause, or no worker. */
function measureStarts({ snapshot, world }: QueueViewModel): readonly Metric[] {
  const { machine } = world;
  const own = snapshot.workers.filter(({ owner }) => machine === undefined || owner.machine === machine);
  return [
    {
      name: 'claude_proxy_queue_paused',
      help: 'Whether the whole queue is paused: 1 or 0.',
      type: 'gauge',
      samples: [{ labels: {}, value: findFullHold(snapshot.holds) === null ? 0 : 1 }],
    },
    {
      name: 'claude_proxy_workers',
      help: 'Workers of this machine that are running.',
      type: 'gauge',
      samples: [{ labels: {}, value: own.length }],
    },
  ];
}

function measureGate(world: World): readonly Metric[] {
  const blocks = gatesAsJson(world).filter(({ state }) => state === 'closed');
  return [
    {
      name: 'claude_proxy_gate_open',
      help: 'Whether the account lets tasks of all models start: 1 or 0.',
      type: 'gauge',
      samples: [{ labels: {}, value: accountGateAsJson(world).state === 'open' ? 1 : 0 }],
    },
    {
      name: 'claude_proxy_gate_blocked',
      help: 'Blocks that keep tasks from starting, by kind and model. An empty model means all models.',
      type: 'gauge',
      samples: blocks.map(({ kind, model }) => ({ labels: { kind, model: model ?? '' }, value: 1 })),
    },
    {
      name: 'claude_proxy_gate_reset_timestamp_seconds',
      help: 'Reported reset of each of these blocks.',
      type: 'gauge',
      samples: blocks.flatMap(({ kind, model, until }) =>
        until === null ? [] : [{ labels: { kind, model: model ?? '' }, value: toSeconds(Date.parse(until)) }],
      ),
    },
  ];
}

function measureUsage({ gate, now }: World): readonly Metric[] {
  const running = WINDOWS.flatMap((window) => findRunning(gate, window, now) ?? []);
  const isOver = ({ window, resetAt }: UsageWindow): boolean =>
    resetAt <= now && !running.some((one) => one.window === window);
  return [
    {
      name: 'claude_proxy_usage_window_ratio',
      help: 'Used share of the usage windows, as last reported; 0 after the reset.',
      type: 'gauge',
      samples: [
        ...running.map(({ window, utilization }) => ({ labels: { window }, value: utilization })),
        ...gate.usage.filter(isOver).map(({ window }) => ({ labels: { window }, value: 0 })),
      ],
    },
    {
      name: 'claude_proxy_usage_window_reset_timestamp_seconds',
      help: 'Reset of each running usage window.',
      type: 'gauge',
      samples: running.map(({ window, resetAt }) => ({ labels: { window }, value: toSeconds(resetAt) })),
    },
  ];
}

/** Returns a time in seconds, the base unit of Prometheus. */
export function toSeconds(ms: number): number {
  return ms / 1000;
}
