import type { Command } from 'commander';
import type { TaskViewModel } from '../../app/viewModel/queueViewModel';
import { SHOWN, type Shown } from '../../domain/reasons/reason';
import { Problem } from '../../domain/problem';
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
  /** Whether tasks were selected at all. */
  readonly isNarrow: boolean;
}

/** Parses the options that select tasks. @throws Problem `usage` */
export function readFilter({ all, only, priority, tag }: FilterOptions): TaskFilter {
  const states = only === undefined ? null : parseStates(only);
  const priorities = priority === undefined ? null : parsePriorities(priority);
  const tags = tag?.split(',').map((each) => each.trim());
  return {
    fits: ({ reason, task: { definition } }) =>
      (states === null || states.includes(reason.shown)) &&
      (priorities === null || priorities.includes(definition.priority)) &&
      (tags === undefined || tags.some((each) => definition.tags?.includes(each) === true)),
    hidesEnded: all === undefined && states === null,
    isNarrow: only !== undefined || priority !== undefined || tag !== undefined,
  };
}

/** Whether the task has finished: it is completed or cancelled. */
export function hasEnded({ reason }: TaskViewModel): boolean {
  return reason.shown === 'completed' || reason.shown === 'cancelled';
}

function parseStates(text: string): readonly Shown[] {
  return text.split(',').map((word) => {
    const name = word.trim().toLowerCase();
    // The status cell says `failed`.
    const state = name === 'failed' ? 'dead' : SHOWN.find((shown) => shown === name);
    if (state !== undefined) return state;
    throw new Problem(
      'usage',
      `"${word}" is not a state: give some of ${SHOWN.join(', ')}, with commas between.`,
    );
  });
}
