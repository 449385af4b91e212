import type { Where } from '../../domain/problem';
import type { TaskId } from '../../domain/task/task';

/** Result of one check. */
export interface Checked {
  /** `note` is worth knowing; with a `problem` something will not work. */
  readonly state: 'fine' | 'note' | 'problem';
  /** Path or name of what was checked. */
  readonly where: string;
  /** Result, and how to fix a problem. */
  readonly message: string;
  /** Place of the finding; absent if it is in no file and no row. */
  readonly at?: CheckedPlace;
  /** Step that fixes it, if a program can offer one. */
  readonly remedy?: Remedy;
}

/** Place of a finding: a file, and the place in it; of a queue in Redis, its name and the row. */
export interface CheckedPlace {
  readonly file: string;
  readonly where: Where | null;
}

/** Step that fixes a finding and that a program can offer as a button. */
export type Remedy =
  | { readonly kind: 'edit-task'; readonly id: TaskId }
  /** Opens this setting of VS Code. */
  | { readonly kind: 'open-setting'; readonly name: string }
  /** Opens a terminal in this folder, for what only the user can do. */
  | { readonly kind: 'open-terminal'; readonly folder: string }
  /** Copies a command for the user to run, or a name to look for. */
  | { readonly kind: 'copy-command' | 'copy-name'; readonly text: string }
  | {
      readonly kind:
        | 'adopt-foreign'
        | 'adopt-scripts'
        | 'choose-claude'
        | 'choose-permissions'
        | 'create-queue'
        | 'resume'
        | 'show-versions'
        | 'sign-in'
        | 'start-worker'
        | 'update-extension';
    };

export const fine = (where: string, message: string): Checked => ({ state: 'fine', where, message });
export const note = (where: string, message: string): Checked => ({ state: 'note', where, message });
export const problem = (where: string, message: string): Checked => ({ state: 'problem', where, message });
/** Part of a finding that has a place. */
export const placedAt = (place: CheckedPlace | null): Pick<Checked, 'at'> =>
  place === null ? {} : { at: place };
/** Part of a finding that the user can only fix in a terminal. */
export const inTerminal = (folder: string): Pick<Checked, 'remedy'> => ({
  remedy: { kind: 'open-terminal', folder },
});
