import type { Stop } from '../../../app/viewModel/report/nightReport';
import type { Review } from '../../../app/viewModel/report/risk';
import type { TaskAction } from '../../../app/viewModel/possibleActions';
import { commandOf } from '../../../platform/text/commandName';

/** Commands for actions on a task, without its id. */
const COMMANDS: Readonly<Partial<Record<TaskAction, string>>> = {
  showChanges: 'diff',
  showOutput: 'history',
  accept: 'accept',
  allow: 'allow',
  retry: 'retry',
  answer: 'answer',
  approve: 'approve',
};

/** Returns the commands that answer a need, the most likely first; at least one. */
export function commandsFor({ actions, task }: Review): readonly string[] {
  const words = actions.flatMap((action) => COMMANDS[action] ?? []);
  return (words.length === 0 ? ['show'] : words).map((word) => commandOf(`${word} ${String(task.id)}`));
}

/** Returns the command for several needs with the same risk: for all of them, or for the first where it takes only one. */
export function commandForAll(needs: readonly Review[]): string {
  const [first] = needs;
  if (first === undefined) return '';
  const [command = ''] = commandsFor(first);
  const others = needs.slice(1).map(({ task }) => String(task.id));
  return first.risk === 'unapproved' ? [command, ...others].join(' ') : command;
}

/** Words of the command for each stop. */
const STOP_COMMANDS: Readonly<Record<Stop['kind'], string>> = {
  'sign-in': 'resume',
  account: 'resume',
  settings: 'check',
  paused: 'resume',
  reviews: 'review',
  worker: 'work',
  rows: 'check',
};

/** Returns the command that ends what stops the queue. */
export function commandForStop({ kind }: Stop): string {
  const command = commandOf(STOP_COMMANDS[kind]);
  return kind === 'sign-in' ? `claude auth login && ${command}` : command;
}
