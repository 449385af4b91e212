import { Problem } from '../../domain/problem';
import { fields, isId, isObject, isText, listOf, orAbsent } from '../../platform/text/shapes';
import type { TaskFields } from '../../queue/taskQueue';

/** Input of the tool that adds a task, with the names of columns. */
interface AddInput {
  readonly prompt: string;
  readonly priority?: string | undefined;
  readonly working_dir?: string | undefined;
  readonly dependencies?: readonly number[] | undefined;
  readonly scheduled_time?: string | undefined;
}

const CHECKS = {
  prompt: isText,
  priority: orAbsent(isText),
  working_dir: orAbsent(isText),
  dependencies: orAbsent(listOf(isId)),
  scheduled_time: orAbsent(isText),
};

/** Names of the input's fields. A tool sets no other column: none that widens what Claude may do. */
export const ADD_FIELDS: readonly string[] = Object.keys(CHECKS);

const isAddInput = fields<AddInput>(CHECKS);

/** Returns the cells of the task that a model asked for. @throws Problem `usage` for input of another shape */
export function readAddInput(input: unknown): TaskFields {
  const unknown = isObject(input) ? Object.keys(input).filter((name) => !ADD_FIELDS.includes(name)) : [];
  if (unknown.length > 0)
    throw new Problem(
      'usage',
      `A tool cannot set ${unknown.join(', ')}. It can set ${ADD_FIELDS.join(', ')}; the user edits the rest.`,
    );
  if (!isAddInput(input))
    throw new Problem(
      'usage',
      'Give prompt as a text, dependencies as a list of task ids, and priority, working_dir and scheduled_time as texts.',
    );
  const { dependencies = [], ...texts } = input;
  const cells = { ...texts, dependencies: dependencies.join('|') };
  return Object.fromEntries(
    Object.entries(cells).filter((cell): cell is [string, string] => cell[1] !== undefined && cell[1] !== ''),
  );
}
