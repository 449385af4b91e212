import type { TaskId } from '../../domain/task/task';
import type { AttemptName } from '../../platform/git/keptTrees';
import { KEPT_DAYS } from '../../platform/undo/keptFiles';
import type { UndoOverlaps } from '../../platform/undo/undoPlan';
import { revealInLine } from '../../platform/text/invisible';
import { t } from '../../platform/text/translate';

/** Names of what an undo does to a file. */
const RESTORED_WORDS = {
  restored: t('restored'),
  removed: t('removed'),
  returned: t('returned'),
} as const;

/** Attempts that are undone together, and the files and tasks that this concerns. */
interface Undo {
  readonly numbers: readonly number[];
  readonly dependents: readonly TaskId[];
  readonly folder: string;
  readonly files: readonly {
    readonly path: string;
    readonly action: keyof typeof RESTORED_WORDS;
    readonly permissions?: 'none' | 'executable';
  }[];
}

/** Describes an undo that was carried out. */
export function describeUndid(id: TaskId, { numbers, files }: Pick<Undo, 'numbers' | 'files'>): string {
  const names = numbers.join(', ');
  if (numbers.length === 1)
    return files.length === 1
      ? t('Undid attempt {0} of task {1}: 1 file.', names, id)
      : t('Undid attempt {0} of task {1}: {2} files.', names, id, files.length);
  return files.length === 1
    ? t('Undid attempts {0} of task {1}: 1 file.', names, id)
    : t('Undid attempts {0} of task {1}: {2} files.', names, id, files.length);
}

/** Asks whether to undo these attempts. */
export function askToUndo(id: TaskId, { numbers, files }: Pick<Undo, 'numbers' | 'files'>): string {
  const names = numbers.join(', ');
  if (numbers.length === 1)
    return files.length === 1
      ? t('Undo attempt {0} of task {1} in 1 file?', names, id)
      : t('Undo attempt {0} of task {1} in {2} files?', names, id, files.length);
  return files.length === 1
    ? t('Undo attempts {0} of task {1} in 1 file?', names, id)
    : t('Undo attempts {0} of task {1} in {2} files?', names, id, files.length);
}

/** Describes the files that keep what a task changed from being undone. */
export function describeUndoOverlap(id: TaskId, { overlaps, older }: UndoOverlaps): string {
  const changed = overlaps.filter((path) => !older.includes(path));
  const list = (head: string, paths: readonly string[]): string[] =>
    paths.length === 0 ? [] : [head, ...paths.map((path) => `  ${revealInLine(path)}`)];
  return [
    ...list(t('Nothing was undone: these files have changed since task {0}.', id), changed),
    ...list(
      t(
        'Nothing was undone: these files are older than task {0}. It moved them, or git did not see them before. Restore the other files by hand: "claude-queue diff {0}" shows their changes.',
        id,
      ),
      older,
    ),
  ].join('\n');
}

/** Says that the changes of an attempt were undone. */
export function describeUndone({ id, number }: Pick<AttemptName, 'id' | 'number'>): string {
  return t('The changes of attempt {0} of task {1} were undone.', number, id);
}

/** Says whose changes an undo takes back. */
export function describeUndoScope(id: TaskId, folder: string): string {
  return t('These are all changes in {0} while task {1} ran, by anybody.', folder, id);
}

/** Says which tasks still run on what was undone. */
export function describeDependents(id: TaskId, { dependents }: Pick<Undo, 'dependents'>): string[] {
  if (dependents.length === 0) return [];
  const names = dependents.join(', ');
  return [
    dependents.length === 1
      ? t('Task {0} depends on task {1} and will run: cancel it, or retry task {1}.', names, id)
      : t('Tasks {0} depend on task {1} and will run: cancel them, or retry task {1}.', names, id),
  ];
}

/** Says which permissions of restored files are not known. */
export function describePermissions({ files }: Pick<Undo, 'files'>): string[] {
  const partly = files.filter(({ permissions }) => permissions === 'executable');
  const [first] = partly;
  const name = revealInLine(first?.path ?? '');
  return [
    ...(files.some(({ permissions }) => permissions === 'none')
      ? [t('Files that return are readable only by you: their permissions were not kept.')]
      : []),
    ...(partly.length === 1
      ? [t('Check who may read {0}: only whether it is executable was kept of its permissions.', name)]
      : []),
    ...(partly.length > 1
      ? [
          t(
            'Check who may read {0} files, such as {1}: only whether they are executable was kept of their permissions.',
            partly.length,
            name,
          ),
        ]
      : []),
  ];
}

/** Says for how long an undo keeps what it replaces; `kept`: the folder, null: not known yet. */
export function describeKept(kept: string | null): string {
  return kept === null
    ? t('Replaced and removed files are kept for {0} days.', KEPT_DAYS)
    : t('Replaced and removed files are kept for {0} days in {1}', KEPT_DAYS, kept);
}

/** Returns the lines of a dialog that asks whether to undo this. It names at most `most` files, the removed ones first. */
export function describeUndoDetails(id: TaskId, undo: Undo, most: number): readonly string[] {
  const { folder, files } = undo;
  const sorted = [...files].sort((a, b) => ORDER.indexOf(a.action) - ORDER.indexOf(b.action));
  const more = sorted.length - most;
  return [
    describeUndoScope(id, folder),
    '',
    ...sorted.slice(0, most).map(({ path, action }) => `${RESTORED_WORDS[action]}: ${revealInLine(path)}`),
    ...(more > 0 ? [t('And {0} more.', more)] : []),
    '',
    ...describePermissions(undo),
    describeKept(null),
    ...describeDependents(id, undo),
  ];
}

/** Removed files come first: they are not easily found again. */
const ORDER: readonly string[] = ['removed', 'restored', 'returned'];
