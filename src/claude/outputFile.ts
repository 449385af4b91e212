import { constants, open } from 'node:fs/promises';
import { PRIVATE_FILE } from '../platform/files';

/** Where the lines of an attempt go as they come. Only opening it can reject; a later failure is kept in `failure`. */
export interface OutputFile {
  /** The first error that kept something from being written, or null. Nothing is written after it. */
  readonly failure: unknown;
  /** Appends, in the order of the calls; resolves when it is written or has failed. */
  append(text: string): Promise<void>;
  close(): Promise<void>;
}

/** A link would have what Claude says appended to whatever file it names: one may have come with the folder. */
const AT_THE_END = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;

/** Opens the file, the owner's alone where it is new. `onFailure` is called once, at the first error. */
export async function openOutput(path: string, onFailure: () => void): Promise<OutputFile> {
  const handle = await open(path, AT_THE_END, PRIVATE_FILE);
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
    append(text) {
      last = last.then(() => (failure === null ? attempt(() => handle.appendFile(text)) : undefined));
      return last;
    },
    async close() {
      await last;
      // A network drive may tell only now that it is full.
      await attempt(() => handle.close());
    },
  };
}
