import type { World } from '../../../src/domain/reasons/world';
import type { ShownReason } from '../../../src/app/present/reasons/reason';
import type { GateView } from '../../../src/domain/gate/limits';
import type { Settings } from '../../../src/domain/settings/settings';
import type { TaskView } from '../../../src/domain/queue/view';
import { explainAsText } from '../../support/queue/shownReason';
import { HOUR, NOW, worldOf } from './surroundings';

/** A window as a run told of it: how full, how many hours before its reset; told at `asOf`. */
interface Reported {
  readonly used: number;
  readonly left: number;
  readonly asOf?: number;
}

/** An open gate whose windows were told so; a window that is not named was never told of. */
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

/** What is said of the first task. */
export function why(seen: World): ShownReason {
  const [task] = seen.queue.tasks;
  if (task === undefined) throw new Error('There is no task.');
  return explainAsText(task, seen);
}
