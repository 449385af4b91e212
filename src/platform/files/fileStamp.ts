import { renameSync, statSync, utimesSync, type BigIntStats } from 'node:fs';
import { realpath } from 'node:fs/promises';
import type { EpochMs } from '../../domain/time/epoch';
import { openRegular } from './files';

/** Metadata of a file that shows whether it has changed, without reading it. */
export interface FileStamp {
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

/** A stamp as JSON can hold it. */
export type StampTexts = Readonly<Record<keyof FileStamp, string>>;

const NS_PER_MS = 1_000_000n;

/** Timestamp granularity of file systems that count in seconds, or in two of them. */
const COARSE_GRAIN_MS = 2_000;

/** Timestamp granularity of other file systems: more than the time between two ticks of any system's clock. */
const FINE_GRAIN_MS = 25;

/**
 * Returns the current stamp of a file. Synchronous: a local file takes a few microseconds, another thread would take
 * ten times that.
 */
export function stampOf(file: string): FileStamp {
  return statSync(file, { bigint: true });
}

/** Returns a stamp as texts, to be stored. */
export function textsOf({ ino, size, mtimeNs, ctimeNs }: FileStamp): StampTexts {
  return {
    ino: String(ino),
    size: String(size),
    mtimeNs: String(mtimeNs),
    ctimeNs: String(ctimeNs),
  };
}

/** Returns the real path of a file and its stamp as one text, to be compared. */
export async function stampTextOf(file: string): Promise<string> {
  const real = await realpath(file);
  return [real, ...Object.values(textsOf(stampOf(real)))].join(' ');
}

/** Returns a stamp from its stored texts. */
export function stampFrom({ ino, size, mtimeNs, ctimeNs }: StampTexts): FileStamp {
  return { ino: BigInt(ino), size: BigInt(size), mtimeNs: BigInt(mtimeNs), ctimeNs: BigInt(ctimeNs) };
}

/** Whether both are of the same file, unchanged between them. */
export function isSameStamp(a: FileStamp, b: FileStamp): boolean {
  return a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs;
}

/**
 * Whether every change to the file from `now` on changes its stamp. A file that changed an instant ago can change again
 * within the same tick of the clock. Without fractions of milliseconds in its time, the coarsest granularity is
 * assumed.
 */
export function isReliable({ mtimeNs, ctimeNs }: FileStamp, now: EpochMs): boolean {
  const grainMs = ctimeNs % NS_PER_MS === 0n ? COARSE_GRAIN_MS : FINE_GRAIN_MS;
  const newest = mtimeNs > ctimeNs ? mtimeNs : ctimeNs;
  return now - msOf(newest) > grainMs;
}

/**
 * Sets a new file's time to one that no tick of a clock has, and renames the file to `to`. Any later write, even within
 * the same tick, gets another time, so the returned stamp shows it at once. Null: the file system is too coarse for
 * that, or another process has written to the file already.
 */
export function moveStamped(from: string, to: string): FileStamp | null {
  // Never a whole millisecond: that is the sign of a coarse file system.
  const time = (Date.now() + 0.1 + 0.8 * Math.random()) / 1_000;
  utimesSync(from, time, time);
  const before = stampOf(from);
  renameSync(from, to);
  const after = statSync(to, { bigint: true, throwIfNoEntry: false });
  const isFine = before.mtimeNs % NS_PER_MS !== 0n && before.ctimeNs % NS_PER_MS !== 0n;
  return isFine && after !== undefined && isSameStamp({ ...before, ctimeNs: after.ctimeNs }, after)
    ? after
    : null;
}

/** Returns a time of a stamp in milliseconds. */
export function msOf(ns: bigint): EpochMs {
  return Number(ns / 1_000n) / 1_000;
}

/** Reads a file. Returns its bytes, and its stamp from before they were read. @throws Problem `not-a-file` */
export async function readStamped(
  file: string,
): Promise<{ readonly bytes: Buffer; readonly stamp: FileStamp }> {
  const handle = await openRegular(file);
  try {
    const stamp: BigIntStats = await handle.stat({ bigint: true });
    const bytes = Buffer.allocUnsafeSlow(Number(stamp.size));
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
    return { bytes: bytes.subarray(0, bytesRead), stamp };
  } finally {
    await handle.close();
  }
}
