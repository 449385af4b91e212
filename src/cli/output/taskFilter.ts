import type { Command } from 'commander';
import type { TaskViewModel } from '../../app/viewModel/queueViewModel';
import { isSelected, parseState } from '../../app/viewModel/taskSelection';
import type { ShownState } from '../../domain/reasons/reason';
import { parsePriorities } from '../options/parseArguments';

/** Options that select tasks, as typed. */
export interface FilterOptions {
  readonly all?: true;
  readonly only?: string;
  readonly priority?: string;
  readonly tag?: string;
}

/** Adds the options that select tasks to a command. */
export function addFilterOptions(command: Command): Command {
  return command
    .option('-a, --all', 'include completed and cancelled tasks')
    .option('--only <states>', 'only tasks in these states (ready,running)')
    .option('--priority <priorities>', 'only tasks with these priorities (high,medium)')
    .option('--tag <tags>', 'only tasks with one of these tags (docs,weekly)');
}

/** Selection of tasks. */
export interface TaskFilter {
  readonly fits: (shown: TaskViewModel) => boolean;
  /** Whether nobody asked for finished tasks: a list hides them then. */
  readonly hidesEnded: boolean;
  /** Whether invalid rows are selected too. */
  readonly hasInvalid: boolean;
  /** Whether tasks that somebody has and that have no valid row are selected too. */
  readonly hasRowless: boolean;
}

/** Parses the options that select tasks. @throws Problem `usage` */
export function readFilter({ all, only, priority, tag }: FilterOptions): TaskFilter {
  const states = only?.split(',').map(parseState);
  const priorities = priority === undefined ? undefined : parsePriorities(priority);
  const tags = tag?.split(',').map((each) => each.trim());
  const selection = {
    ...(states === undefined ? {} : { states }),
    ...(priorities === undefined ? {} : { priorities }),
    ...(tags === undefined ? {} : { tags }),
  };
  const selects = (state: ShownState): boolean =>
    priority === undefined && tag === undefined && states?.includes(state) !== false;
  return {
    fits: (shown) => isSelected(shown, selection),
    hidesEnded: all === undefined && states === undefined,
    hasInvalid: selects('invalid'),
    hasRowless: selects('running'),
  };
}

/** Whether the task has finished: it is completed or cancelled. */
export function hasEnded({ reason }: TaskViewModel): boolean {
  return reason.state === 'completed' || reason.state === 'cancelled';
}
