import { isDeepStrictEqual } from 'node:util';
import type { TaskState } from '../../domain/queue/view';
import type { ResumeCause } from '../../domain/task/attempt';
import { PERMISSION_COLUMNS, permissionFieldsOf } from '../../domain/task/permissionFingerprint';
import { placeOf } from '../../domain/task/place';
import type { Definition } from '../../domain/task/task';
import type { TaskFields } from '../../queue/taskQueue';

/** Words of the user that the next attempt of a task would have got. */
export type DroppedWords = Extract<ResumeCause, 'answer' | 'comment'>;

/** Returns the words that a task loses when its permissions change, since it is another task then; null: none. */
export function findDroppedWords({ resume }: Pick<TaskState, 'resume'>): DroppedWords | null {
  return resume === 'answer' || resume === 'comment' ? resume : null;
}

/**
 * Whether an edit of these fields changed nothing else that an approval covers, so that who approved the task before it
 * knows all of it.
 */
export function changesOnly(old: Definition, now: Definition, fields: TaskFields): boolean {
  // A link may have changed meanwhile and lead to a folder that the user did not name.
  const isFolderTheirs = 'working_dir' in fields || placeOf(old).folder === placeOf(now).folder;
  // Cells that nobody approved because nothing sent them are new with an address.
  const [approved, wanted] = [permissionFieldsOf(old), permissionFieldsOf(now)];
  return (
    isFolderTheirs &&
    sendsAsGiven(now, fields) &&
    Object.entries(PERMISSION_COLUMNS).every(
      ([column, field]) => column in fields || isDeepStrictEqual(approved[field], wanted[field]),
    )
  );
}

/** Fields of a row without callbacks. */
export const NO_CALLBACKS = { callback_url: '', request_id: '', metadata: '' } as const;

/**
 * Whether the callbacks of a row go where these fields say, with what they say. The row's permission fingerprint does not
 * cover that. Absent fields may have any text.
 */
export function sendsAsGiven(row: Definition, fields: TaskFields): boolean {
  return (Object.keys(NO_CALLBACKS) as (keyof typeof NO_CALLBACKS)[]).every((column) => {
    const text = row[PERMISSION_COLUMNS[column]] ?? '';
    return (fields[column] ?? text).trim() === text;
  });
}
