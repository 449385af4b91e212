import type { CommandName } from '../../commandIds';

/** Mark of a row that is late or at risk, or that failed: it has a colour and a badge. */
export type RowMark = 'late' | 'at-risk' | 'failed';

/** Icon, and its theme colour if it has one. */
export type RowIcon = readonly [icon: string, color?: string];

/** Command that a row calls when it is opened. */
export interface RowCommand {
  /** Command of the extension, id of one of VS Code's, or whichever opens `setting` on the machine that runs the extension. */
  readonly command: CommandName | `vscode.${string}` | `workbench.${string}` | 'openSetting';
  readonly title: string;
  readonly arguments?: readonly unknown[];
  /** File to open, instead of arguments. */
  readonly file?: string;
  /** Setting of VS Code to open, instead of arguments. */
  readonly setting?: string;
}

/** Row of the tree, as a value. The tree redraws a row if its value changes. */
export interface TreeRow {
  /** Key that is unique in the tree and stays the same while the row means the same. */
  readonly key: string;
  /** Key of its queue; absent until the row is in the tree. */
  readonly queue?: string;
  readonly label: string;
  readonly description: string;
  readonly icon?: RowIcon;
  /** Lines of plain text for the hover. */
  readonly details?: readonly string[];
  /** Forecast of its task for the hover. */
  readonly forecast?: string;
  /** Commands that the hover offers; for a task, the hover finds them on request. */
  readonly actions?: readonly CommandName[];
  /** Words for the `when` of menus. */
  readonly traits?: readonly string[];
  /** Text for screen readers, with symbols that are replaced by words; absent: label and description. */
  readonly spoken?: string;
  readonly mark?: RowMark;
  readonly command?: RowCommand;
  /** Task of the row; null for an invalid row of the file. */
  readonly taskId?: number | null;
  /** Line of the queue file, or number of the row in Redis, from 1. */
  readonly line?: number;
  readonly children?: readonly TreeRow[];
  /** Whether a row with children is drawn open at first. */
  readonly isOpen?: boolean;
}
