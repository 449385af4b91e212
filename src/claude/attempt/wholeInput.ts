import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants, open, rm, type FileHandle } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { PRIVATE_FILE, writeAll } from '../../platform/files/files';

/** Thrown if the input could not be delivered. `cause` holds the error. */
export class PromptNotDelivered extends Error {}

/** Input of a program, which gets all of it or nothing, whatever happens to this process. */
export interface WholeInput {
  /** Writes the input to standard input and closes that. @throws PromptNotDelivered */
  give(stdin: Writable): Promise<void>;
  /** Ends leftover processes and closes the file, once the program has ended. */
  drop(): Promise<void>;
}

/** Bytes that every system writes to a pipe at once: a kill hits before or after them. */
const LONGEST_AT_ONCE = 4096;

/** Prepares an input. A long one is put into `file` for a moment. @throws PromptNotDelivered */
export async function prepareInput(text: string, file: string): Promise<WholeInput> {
  const bytes = Buffer.from(text);
  if (bytes.length <= LONGEST_AT_ONCE) return { give: (stdin) => giveAtOnce(bytes, stdin), drop: nothing };
  try {
    return new CopiedInput(await openUnnamed(bytes, file));
  } catch (cause) {
    throw new PromptNotDelivered('The input could not be put into a file.', { cause });
  }
}

function nothing(): Promise<void> {
  return Promise.resolve();
}

function giveAtOnce(bytes: Buffer, stdin: Writable): Promise<void> {
  stdin.end(bytes);
  return nothing();
}

/** Opens a file with these bytes and removes its name. Nobody else can open it, and nothing is left behind. */
async function openUnnamed(bytes: Buffer, file: string): Promise<FileHandle> {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const handle = await open(file, flags, PRIVATE_FILE);
  try {
    await rm(file);
    // Written by position, so that the file offset stays at the start, where the copier begins to read.
    await writeAll(handle, bytes, 0);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

const COPY = 'process.stdin.pipe(process.stdout)';

/**
 * Copies a long input in a separate process, which continues if this one is killed. It is started once the
 * input may be delivered. By then it alone holds the write end of the pipe, so the program sees the end of its
 * input only after all of it.
 */
class CopiedInput implements WholeInput {
  private copier: ChildProcess | undefined;

  constructor(private readonly handle: FileHandle) {}

  async give(stdin: Writable): Promise<void> {
    // The program ended before it was to get the input. Its exit says what that means.
    if (stdin.destroyed) return;
    try {
      this.copier = spawn(process.execPath, ['-e', COPY], {
        cwd: '/',
        // No variables of this process: they could make the copier load something.
        env: { ELECTRON_RUN_AS_NODE: '1' },
        stdio: [this.handle.fd, stdin, 'ignore'],
        // Ending the group of this process does not end the copier.
        detached: true,
      });
      await once(this.copier, 'spawn');
    } catch (cause) {
      throw new PromptNotDelivered('The program that copies the input was not started.', { cause });
    }
    stdin.destroy();
  }

  async drop(): Promise<void> {
    this.copier?.kill('SIGKILL');
    await this.handle.close();
  }
}
