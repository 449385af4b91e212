import { statSync, type BigIntStats } from 'node:fs';
import * as fs from 'node:fs/promises';
import type { EpochMs } from '../../domain/epoch';

/** What tells whether a file is the one that was read, without reading it. */
export interface FileStamp {
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

const NS_PER_MS = 1_000_000n;

/** A file system that counts in seconds, or in two of them. */
const COARSE_GRAIN_MS = 2_000;

/** More than the time between two ticks of any system's clock. */
const FINE_GRAIN_MS = 25;

/** The stamp of the file that is there now. A local file tells it in a few microseconds, another thread would take ten times that. */
export function stampOf(file: string): FileStamp {
  return statSync(file, { bigint: true });
}

/** Whether both are of the same file, unchanged between them. */
export function isSameStamp(a: FileStamp, b: FileStamp): boolean {
  return a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs;
}

/**
 * Whether whatever happens to the file from `now` on changes its stamp. What was changed an instant ago can be changed
 * again within the same tick of the clock: the grain of a file system that shows no fractions of milliseconds is taken
 * for the coarsest there is.
 */
export function isTelling({ mtimeNs, ctimeNs }: FileStamp, now: EpochMs): boolean {
  const grainMs = ctimeNs % NS_PER_MS === 0n ? COARSE_GRAIN_MS : FINE_GRAIN_MS;
  const newest = mtimeNs > ctimeNs ? mtimeNs : ctimeNs;
  return now - msOf(newest) > grainMs;
}

/** A time of a stamp as other times are told. */
export function msOf(ns: bigint): EpochMs {
  return Number(ns / 1_000n) / 1_000;
}

/** A file's bytes, and its stamp from before they were read. */
export async function readStamped(
  file: string,
): Promise<{ readonly bytes: Buffer; readonly stamp: FileStamp }> {
  const handle = await fs.open(file, 'r');
  try {
    const stamp: BigIntStats = await handle.stat({ bigint: true });
    const bytes = Buffer.allocUnsafeSlow(Number(stamp.size));
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
    return { bytes: bytes.subarray(0, bytesRead), stamp };
  } finally {
    await handle.close();
  }
}
