import { randomUUID } from 'node:crypto';
import { constants, lstat, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { isProblem, Problem } from '../../domain/problem';
import {
  APPENDED,
  hasCode,
  isOfOtherUser,
  makePrivateFolder,
  PRIVATE_FILE,
} from '../../platform/files/files';

/** Output file of an attempt. Only opening it can reject; a later error is kept in `failure`. */
export interface OutputFile {
  /** First write error, or null. Nothing is written after it. */
  readonly failure: unknown;
  /** New name of an earlier file of this attempt; null if there was none. */
  readonly earlier: string | null;
  /** Appends in the order of the calls. Resolves when the text is written or the write has failed. */
  append(text: string): Promise<void>;
  close(): Promise<void>;
}

/** Bytes kept of an attempt's output. The limit does not change the verdict. */
const MOST_BYTES = 64 * 1024 * 1024;
const NOT_KEPT = `The rest of this output was not kept: it is longer than ${String(MOST_BYTES / 1024 / 1024)} MB.\n`;

/**
 * Creates the file of an attempt and its folder, readable by the user alone. `onFailure` is called once, at the
 * first error.
 * @throws Problem `output-exists` if a link, a special file or another user's file is there
 */
export async function openOutput(
  path: string,
  onFailure: () => void,
  mostBytes = MOST_BYTES,
): Promise<OutputFile> {
  await makePrivateFolder(dirname(path));
  const { handle, earlier } = await createOutput(path);
  return Object.assign(appendTo(handle, onFailure, mostBytes), { earlier });
}

/** Creates a file that nobody else can have open. Keeps this user's own file of an earlier start. */
export async function prepareOutput(path: string): Promise<void> {
  try {
    await (await createFile(path)).close();
  } catch (error) {
    if (!isProblem(error, 'output-exists') || !(await isOwnFile(path))) throw error;
  }
}

/**
 * Creates the file. An earlier one of this user, from an attempt that the history lost, is renamed. An empty one is from a
 * start that failed, and is removed.
 */
async function createOutput(
  path: string,
): Promise<{ readonly handle: FileHandle; readonly earlier: string | null }> {
  try {
    return { handle: await createFile(path), earlier: null };
  } catch (error) {
    if (!isProblem(error, 'output-exists') || !(await isOwnFile(path))) throw error;
    const earlier = `${path}.earlier-${randomUUID()}`;
    await rename(path, earlier);
    const isEmpty = (await lstat(earlier)).size === 0;
    if (isEmpty) await rm(earlier);
    return { handle: await createFile(path), earlier: isEmpty ? null : basename(earlier) };
  }
}

async function createFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, APPENDED | constants.O_CREAT | constants.O_EXCL, PRIVATE_FILE);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    throw new Problem(
      'output-exists',
      `${path} exists already, and this attempt did not write it. Check where it came from, and move it away.`,
      { cause: error },
    );
  }
}

async function isOwnFile(path: string): Promise<boolean> {
  const stat = await lstat(path);
  return stat.isFile() && stat.nlink === 1 && !isOfOtherUser(stat);
}

function appendTo(handle: FileHandle, onFailure: () => void, mostBytes: number): Omit<OutputFile, 'earlier'> {
  let leftBytes = mostBytes;
  let failure: unknown = null;
  let last: Promise<void> = Promise.resolve();
  const attempt = async (step: () => Promise<void>): Promise<void> => {
    try {
      await step();
    } catch (error) {
      if (failure !== null) return;
      failure = error;
      onFailure();
    }
  };
  return {
    get failure() {
      return failure;
    },
    append(whole) {
      if (leftBytes < 0) return last;
      leftBytes -= Buffer.byteLength(whole);
      const text = leftBytes < 0 ? NOT_KEPT : whole;
      last = last.then(() => (failure === null ? attempt(() => handle.appendFile(text)) : undefined));
      return last;
    },
    async close() {
      await last;
      // A network drive may report only now that it is full.
      await attempt(() => handle.close());
    },
  };
}
