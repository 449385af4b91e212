import type { World } from '../../../src/domain/reasons/world';
import type { ShownReason } from '../../../src/app/present/reasons/reason';
import type { GateView } from '../../../src/domain/gate/gate';
import type { Settings } from '../../../src/domain/settings/settings';
import type { TaskView } from '../../../src/domain/queue/view';
import { explainAsText } from '../../support/queue/shownReason';
import { HOUR, NOW, worldOf } from './surroundings';

/** A usage window as an attempt reported it at `asOf`: its fill level, and the hours to its reset. */
interface Reported {
  readonly used: number;
  readonly left: number;
  readonly asOf?: number;
}

/** An open gate with these windows; any other window was never reported. */
export function gateWith({ five, week }: { readonly five?: Reported; readonly week?: Reported }): GateView {
  const report = (window: 'five_hour' | 'seven_day', reported?: Reported): GateView['usage'] =>
    reported === undefined
      ? []
      : [
          {
            window,
            utilization: reported.used,
            resetAt: NOW + reported.left * HOUR,
            asOf: reported.asOf ?? NOW,
          },
        ];
  return { closures: [], usage: [...report('five_hour', five), ...report('seven_day', week)] };
}

/** These tasks at an account with that gate. */
export function worldAt(gate: GateView, tasks: readonly TaskView[], settings: Partial<Settings>): World {
  return { ...worldOf(tasks, { settings }), gate };
}

/** Returns the shown reason of the first task. */
export function why(seen: World): ShownReason {
  const [task] = seen.queue.tasks;
  if (task === undefined) throw new Error('There is no task.');
  return explainAsText(task, seen);
}
