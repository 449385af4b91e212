import { Problem } from '../../domain/problem';
import { SHOWN_STATES, type ShownState } from '../../domain/reasons/reason';
import { parsePriority, PRIORITIES, type Priority } from '../../domain/task/priority';
import type { TaskViewModel } from './queueViewModel';
import { t } from '../../platform/text/translate';

/** Selection of tasks. An absent part selects all; within a part one match is enough. */
export interface TaskSelection {
  readonly states?: readonly ShownState[];
  readonly priorities?: readonly Priority[];
  readonly tags?: readonly string[];
  readonly users?: readonly string[];
  /** Words that all are in the prompt, or are the id. In small letters. */
  readonly words?: readonly string[];
}

/** Whether a task is selected. */
export function isSelected(
  { task: { definition }, reason }: TaskViewModel,
  selection: TaskSelection,
): boolean {
  const { states, priorities, tags, users, words } = selection;
  return (
    (states === undefined || states.includes(reason.state)) &&
    (priorities === undefined || priorities.includes(definition.priority)) &&
    (tags === undefined || tags.some((tag) => definition.tags?.includes(tag) === true)) &&
    (users === undefined || users.includes(definition.user ?? '')) &&
    (words === undefined || words.every((word) => hasWord(definition, word)))
  );
}

function hasWord({ id, prompt }: { readonly id: number; readonly prompt: string }, word: string): boolean {
  return String(id) === word || prompt.toLowerCase().includes(word);
}

/**
 * Parses a selection as a user types it: words, and `state:`, `priority:`, `tag:` or `user:` with values between commas.
 * @throws Problem `usage`
 */
export function parseSelection(text: string): TaskSelection {
  const parts = text.split(/\s+/).filter((part) => part !== '');
  const valuesOf = (name: string): readonly string[] | undefined => {
    const own = parts.filter((part) => part.startsWith(`${name}:`));
    return own.length === 0 ? undefined : own.flatMap((part) => split(part.slice(name.length + 1)));
  };
  const words = parts.filter((part) => !PART.test(part)).map((word) => word.toLowerCase());
  const [states, priorities] = [valuesOf('state')?.map(parseState), valuesOf('priority')?.map(parseOne)];
  const [tags, users] = [valuesOf('tag'), valuesOf('user')];
  return {
    ...(states === undefined ? {} : { states }),
    ...(priorities === undefined ? {} : { priorities }),
    ...(tags === undefined ? {} : { tags }),
    ...(users === undefined ? {} : { users }),
    ...(words.length === 0 ? {} : { words }),
  };
}

const PART = /^(?:state|priority|tag|user):/;

function split(values: string): string[] {
  return values.split(',').map((value) => value.trim());
}

/** Returns the state with this name. @throws Problem `usage` */
export function parseState(word: string): ShownState {
  const name = word.trim().toLowerCase();
  const state = SHOWN_STATES.find((shown) => shown === name || nameState(shown) === name);
  if (state !== undefined) return state;
  const names = SHOWN_STATES.map(nameState).join(', ');
  throw new Problem('usage', t('"{0}" is not a state: give some of {1}, with commas between.', word, names));
}

/** Returns a state as the status cell and lists name it: only JSON says `dead`. */
function nameState(state: ShownState): string {
  return state === 'dead' ? 'failed' : state;
}

function parseOne(word: string): Priority {
  const priority = word === '' ? null : parsePriority(word);
  if (priority !== null) return priority;
  throw new Problem(
    'usage',
    t('"{0}" is not a priority: give {1}, with commas between.', word, PRIORITIES.join(', ')),
  );
}
