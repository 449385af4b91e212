import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants, open, rm, type FileHandle } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { PRIVATE_FILE, writeAll } from '../../platform/files/files';

/** The input could not be given; why is the cause. */
export class PromptNotDelivered extends Error {}

/** A program's input: it gets all of it or nothing, whatever happens to this process. */
export interface WholeInput {
  /** Gives it to standard input, and closes that. @throws PromptNotDelivered */
  give(stdin: Writable): Promise<void>;
  /** Ends its leftover processes once the program has ended. */
  drop(): Promise<void>;
}

/** Bytes that every system takes at once: a kill hits before or after them. */
const LONGEST_AT_ONCE = 4096;

/** Prepares an input; `file`: where a long one may be put for a moment. @throws PromptNotDelivered */
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

/** A file with these bytes that has no name any more: nobody else can open it, and nothing of it stays. */
async function openUnnamed(bytes: Buffer, file: string): Promise<FileHandle> {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const handle = await open(file, flags, PRIVATE_FILE);
  try {
    await rm(file);
    // By position: the copy is read from where the file's own place is, which stays at its start.
    await writeAll(handle, bytes, 0);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

const COPY = 'process.stdin.pipe(process.stdout)';

/**
 * A long input is copied by a process of its own, which continues when this one is killed. It is started once the input may
 * be given, and alone has the other end by then, so that the program sees the end of its input only after all of it.
 */
class CopiedInput implements WholeInput {
  private copier: ChildProcess | undefined;

  constructor(private readonly handle: FileHandle) {}

  async give(stdin: Writable): Promise<void> {
    const copier = spawn(process.execPath, ['-e', COPY], {
      cwd: '/',
      // Nothing of this process's own: it could have it load something.
      env: { ELECTRON_RUN_AS_NODE: '1' },
      stdio: [this.handle.fd, stdin, 'ignore'],
      // What ends the group of this process does not end it.
      detached: true,
    });
    this.copier = copier;
    try {
      await once(copier, 'spawn');
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
