import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import * as path from 'node:path';
import { isBelow } from './paths';
import { isReliable, isSameStamp, type FileStamp } from './fileStamp';
import { hasCode } from './files';
import { t } from '../text/translate';

/** Most bytes of a prompt file. */
export const MOST_PROMPT_BYTES = 256 * 1024;

/** Text of a prompt file, or why it cannot be used. */
export type PromptReading = { readonly value: string } | { readonly wrong: string };

/**
 * Reads a prompt file. `workspace` is absolute and without links; `name` is a path in it. The file is opened once:
 * its size, its kind and its text are of the same file. The text has the bytes of the file, unchanged.
 */
export function readPromptFile(workspace: string, name: string): PromptReading {
  const file = path.resolve(workspace, name);
  if (path.isAbsolute(name) || !isBelow(file, workspace)) {
    return {
      wrong: t(
        'The prompt file {0} is outside of the workspace. Give a path in {1}, relative to it.',
        name,
        workspace,
      ),
    };
  }
  try {
    const real = realpathSync.native(file);
    if (isBelow(real, workspace)) return readWhole(name, real);
    return {
      wrong: t(
        'The prompt file {0} leads out of the workspace, to {1}. Use a file in {2}.',
        name,
        real,
        workspace,
      ),
    };
  } catch (error) {
    return { wrong: describeUnreadable(name, error) };
  }
}

/** Opens no link in place of the file, and never waits for the other end of a pipe. */
const READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

function readWhole(name: string, file: string): PromptReading {
  const handle = openSync(file, READ);
  try {
    const stat = fstatSync(handle);
    if (!stat.isFile())
      return { wrong: t('The prompt file {0} is not a regular file. Use a text file.', name) };
    return readText(name, handle);
  } finally {
    closeSync(handle);
  }
}

/** Memory for one file, which is read at once. Made when the first file is read. */
let scratch: Buffer | undefined;

function readText(name: string, handle: number): PromptReading {
  scratch ??= Buffer.allocUnsafeSlow(MOST_PROMPT_BYTES + 1);
  let size = 0;
  for (let more = 1; more > 0; size += more) {
    more = readSync(handle, scratch, size, scratch.length - size, size);
  }
  const bytes = scratch.subarray(0, size);
  if (size > MOST_PROMPT_BYTES) {
    const most = MOST_PROMPT_BYTES.toLocaleString('en-US');
    return {
      wrong: t('The prompt file {0} has more than {1} bytes, which is the limit. Shorten it.', name, most),
    };
  }
  if (!isUtf8(bytes)) return { wrong: t('The prompt file {0} is not UTF-8 text. Save it as UTF-8.', name) };
  const value = bytes.toString('utf8');
  if (value.trim() !== '') return { value };
  return { wrong: t('The prompt file {0} is empty. Write what Claude Code should do into it.', name) };
}

function describeUnreadable(name: string, error: unknown): string {
  if (hasCode(error, 'ENOENT', 'ENOTDIR')) {
    return t('The prompt file {0} does not exist. Create it, or change the path.', name);
  }
  if (hasCode(error, 'ENXIO', 'ENODEV')) {
    return t('The prompt file {0} is not a regular file. Use a text file.', name);
  }
  if (error instanceof Error && 'code' in error) {
    return t('The prompt file {0} cannot be read ({1}). Check its permissions.', name, String(error.code));
  }
  throw error;
}

/** Reading of one file, with its stamp. */
interface Known {
  readonly reading: PromptReading;
  /** Stamp from before it was read; null if a later change might have the same one. */
  readonly stamp: FileStamp | string | null;
}

/** Cache of the prompt files of a queue. A file is read again only if its stamp changed. */
export class PromptFiles {
  private readonly known = new Map<string, Known>();

  /**
   * @param workspace absolute, without links
   * @param revision another number for other contents
   * @param before readings that are still right. Their files are looked at until one is read here.
   */
  constructor(
    private readonly workspace: string,
    readonly revision = 0,
    private before: ReadonlyMap<string, Known> = new Map(),
  ) {}

  /** Returns the text of a file, as it was when it was first asked for. */
  read(name: string): PromptReading {
    const known = this.known.get(name) ?? this.before.get(name) ?? this.look(name);
    this.known.set(name, known);
    return known.reading;
  }

  /** Returns itself if no text changed, else another cache. Notices a change also if nothing was read after the last one. */
  renew(): PromptFiles {
    const watched = this.known.size === 0 ? this.before : this.known;
    const now = new Map<string, Known>();
    let isChanged = false;
    for (const [name, before] of watched) {
      const known = this.lookAgain(name, before);
      if (!isSameReading(before.reading, known.reading)) isChanged = true;
      now.set(name, known);
    }
    if (isChanged) return new PromptFiles(this.workspace, this.revision + 1, now);
    // Those that were not read here are looked at no more.
    if (watched === this.known) this.before = new Map();
    for (const [name, known] of now) this.known.set(name, known);
    return this;
  }

  private lookAgain(name: string, known: Known): Known {
    const isRight = known.stamp !== null && isSame(known.stamp, stampOf(this.fileOf(name)));
    return isRight ? known : this.look(name);
  }

  private look(name: string): Known {
    const stamp = stampOf(this.fileOf(name));
    const isLasting = typeof stamp === 'string' || isReliable(stamp, Date.now());
    return { reading: readPromptFile(this.workspace, name), stamp: isLasting ? stamp : null };
  }

  private fileOf(name: string): string {
    return path.resolve(this.workspace, name);
  }
}

/** Returns the stamp of a file, or the code of the error if there is none. */
function stampOf(file: string): FileStamp | string {
  try {
    return statSync(file, { bigint: true, throwIfNoEntry: false }) ?? 'ENOENT';
  } catch (error) {
    if (error instanceof Error && 'code' in error) return String(error.code);
    throw error;
  }
}

function isSame(a: FileStamp | string, b: FileStamp | string): boolean {
  return typeof a === 'string' || typeof b === 'string' ? a === b : isSameStamp(a, b);
}

function isSameReading(a: PromptReading, b: PromptReading): boolean {
  if ('value' in a) return 'value' in b && a.value === b.value;
  return 'wrong' in b && a.wrong === b.wrong;
}
