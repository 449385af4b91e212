import type { TaskId } from '../../domain/task/task';
import type { AttemptName } from '../../platform/git/keptTrees';
import { t } from '../../platform/text/translate';

/** Describes the files that keep what a task changed from being undone. */
export function describeUndoOverlap(id: TaskId, paths: readonly string[]): string {
  const head = t('Nothing was undone: these files have changed since task {0}.', id);
  return [head, ...paths.map((path) => `  ${path}`)].join('\n');
}

/** Says that the changes of an attempt were undone. */
export function describeUndone({ id, number }: Pick<AttemptName, 'id' | 'number'>): string {
  return t('The changes of attempt {0} of task {1} were undone.', number, id);
}
