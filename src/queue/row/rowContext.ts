import type { PriorityRule } from '../../domain/order/priorityRules';
import type { Repositories } from '../../platform/files/repositories';
import type { PromptFiles } from '../../platform/files/promptFiles';
import type { RealFolders } from '../../platform/files/realFolders';

/** Context that determines the meaning of a row besides its cells. */
export interface RowContext {
  /** Time zone of times that are written without one. */
  readonly timeZone: string;
  /** Absolute path at which a relative `working_dir` starts; null: the row must say the same on every machine. */
  readonly folder: string | null;
  /** Absolute path that `~` stands for at the start of a `working_dir`. */
  readonly home: string;
  /** Whether a row may ask for `bypassPermissions`. */
  readonly allowBypass: boolean;
  /** Absolute folders, without links, in and below which a row may work; absent or empty: anywhere. */
  readonly allowedDirectories?: readonly string[];
  /** Repositories of this machine, which a `working_dir` may name; absent: none. */
  readonly repositories?: Repositories;
  /** Cache of the real paths of working directories; absent: each is looked up again. */
  readonly realFolders?: RealFolders;
  /** Cache of the prompt files; absent: each is read again. */
  readonly promptFiles?: PromptFiles;
  /**
   * Set if checks also run on the files before attempts: program and arguments of the set-up, or none.
   */
  readonly verifyBefore?: readonly string[];
  /** Rules for the priority of a row that names none; absent: medium. */
  readonly priorityRules?: readonly PriorityRule[];
}
