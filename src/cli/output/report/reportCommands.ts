import type { Stop } from '../../../app/viewModel/report/nightReport';
import type { Review } from '../../../app/viewModel/report/risk';
import type { TaskAction } from '../../../app/viewModel/possibleActions';
import { isElsewhere, nameMachine } from '../../../platform/processes/machine';
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

/** Command that answers a need. */
export interface NeedCommand {
  readonly command: string;
  /** Name of the machine on which it works; null: on this one. */
  readonly on: string | null;
}

/** Returns the commands that answer a need, the most likely first; at least one. */
export function commandsFor({ actions, task }: Review): readonly NeedCommand[] {
  const of = (word: string): string => commandOf(`${word} ${String(task.id)}`);
  const found = actions.flatMap((action) => {
    const word = COMMANDS[action];
    if (word === undefined) return [];
    return [{ command: of(word), on: action === 'showChanges' ? findMachine(task) : null }];
  });
  return found.length > 0 ? found : [{ command: of('show'), on: null }];
}

/** Returns the name of the machine that has the changes of a task; null: this one, or that is not known. */
function findMachine({ attempts }: Review['task']): string | null {
  const machine = attempts.at(-1)?.machine;
  return machine === undefined || !isElsewhere(machine) ? null : nameMachine(machine);
}

/** Describes a command, with its machine if that is another one. */
export function describeCommand({ command, on }: NeedCommand): string {
  return on === null ? command : `${command} (on ${on})`;
}

/** Returns the command for several needs with the same risk: for all of them, or for the first where it takes only one. */
export function commandForAll(needs: readonly Review[]): string {
  const [first] = needs;
  if (first === undefined) return '';
  const [command = ''] = commandsFor(first).map(describeCommand);
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
