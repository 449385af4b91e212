import type * as vscode from 'vscode';
import type { QueueModel } from './queueModel';
import type { EditorSettings } from './editorSettings';
import type { ShownTexts } from '../queueFile/shownTexts';

/** What a window has before any Claude Code runs in its terminals. */
export interface WindowServices {
  readonly queueModel: QueueModel;
  readonly settings: EditorSettings;
  readonly log: vscode.LogOutputChannel;
  /** The queue file of this workspace, whether it is there or not; null where no folder is open. */
  readonly queueFile: string | null;
  /** `dist/cli.js` of this extension. */
  readonly program: string;
  /** What is remembered of this workspace. */
  readonly memory: vscode.Memento;
  readonly texts: ShownTexts;
}
