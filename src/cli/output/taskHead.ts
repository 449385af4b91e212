import { STATE_NAMES } from '../../app/present/reasons/stateNames';
import type { TaskViewModel } from '../../app/viewModel/queueViewModel';
import type { Line } from './line';
import { stateTone } from './stateTone';

/** Returns the line that names a task, its state and its reason. `when` is set for an earlier time. */
export function describeHead({ task, reason }: TaskViewModel, when = ''): Line {
  const why = reason.text === '' ? '' : `: ${reason.text}`;
  return [
    { text: `Task ${String(task.definition.id)}`, tone: 'bold' },
    when === '' ? ', ' : ` at ${when}, `,
    { text: STATE_NAMES[reason.state], tone: stateTone(reason.state) },
    why,
  ];
}
