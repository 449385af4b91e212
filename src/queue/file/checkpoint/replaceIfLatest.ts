import type { FileStamp } from '../../../platform/files/fileStamp';
import type { FileSnapshot } from '../reading/reconciler';
import type { FileHistory } from '../journal/fileHistory';
import { replaceIfUnchanged } from './replaceIfUnchanged';

/** Options of a replace. */
interface ReplaceOptions {
  /** Called with the new file's stamp, as by `replaceIfUnchanged`. */
  readonly onReplaced?: (stamp: FileStamp | null) => void;
  /** Asked right before the file is replaced. */
  readonly mayReplace?: () => Promise<boolean>;
}

/**
 * Replaces the queue file by `bytes` if it still is as in the snapshot, and if no other process has appended to the journal: one
 * that has took the lock over while this process was frozen, and concluded from the file that this replace did not happen.
 * Returns false otherwise: build on what is there, and try again. Requires the lock.
 */
export function replaceIfLatest(
  history: FileHistory,
  file: string,
  bytes: Buffer,
  { file: { bytes: expected } }: Pick<FileSnapshot, 'file'>,
  { onReplaced, mayReplace = () => Promise.resolve(true) }: ReplaceOptions = {},
): Promise<boolean> {
  const isLatest = async (): Promise<boolean> => (await mayReplace()) && !(await history.catchUp());
  return replaceIfUnchanged(file, bytes, expected, onReplaced, isLatest);
}
