import type * as vscode from 'vscode';
import type { QueueModel } from './queueModel';
import type { EditorSettings } from './editorSettings';
import type { ShownTexts } from '../queueFile/shownTexts';
import type { RedisPlace } from './redisPlace';

/** Services of a queue in a window that do not need interactive runs. */
export interface WindowServices {
  /** Identifies the queue among those of the window. */
  readonly key: string;
  /** Name of the queue for people: that of its folder. */
  readonly name: string;
  readonly queueModel: QueueModel;
  readonly settings: EditorSettings;
  readonly log: vscode.LogOutputChannel;
  /** The queue file of this workspace, whether it exists or not; null without a folder, or for a queue in Redis. */
  readonly queueFile: string | null;
  /** Null: the queue is a file. */
  readonly redis: RedisPlace | null;
  /** Folder of the workspace; the user's home without one. */
  readonly folder: string;
  /** Path of `dist/cli.js` of this extension. */
  readonly program: string;
  /** Path of the command claude-queue of this extension. Unlike `program`, it stays when the extension is updated. */
  readonly command: string;
  /** State remembered for this workspace. */
  readonly memory: vscode.Memento;
  readonly texts: ShownTexts;
}
