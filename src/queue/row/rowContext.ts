import type { PriorityRule } from '../../domain/order/priorityRules';
import type { RealFolders } from '../../platform/files/realFolders';

/** What the meaning of a row depends on besides its cells. */
export interface RowContext {
  /** Zone of times that are written without one. */
  readonly timeZone: string;
  /** Absolute path of the folder above the queue's own; a relative `working_dir` starts there. */
  readonly folder: string;
  /** Absolute path that `~` stands for at the start of a `working_dir`. */
  readonly home: string;
  /** Whether a row may ask for `bypassPermissions`. */
  readonly allowBypass: boolean;
  /** Absolute folders without links in which, and below which, a row may work; absent or none: anywhere. */
  readonly allowedDirectories?: readonly string[];
  /** Where working directories lead; absent: each is looked up again. */
  readonly realFolders?: RealFolders;
  /** What a row's priority is that names none; absent: medium. */
  readonly priorityRules?: readonly PriorityRule[];
}
