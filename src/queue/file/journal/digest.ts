import { createHash, webcrypto } from 'node:crypto';

/** Larger ones are digested in another thread: it takes a millisecond for one or two megabytes. */
const LARGE_BYTES = 256 * 1024;

/** A file's bytes are not changed once they were read or written, and some are asked for again. */
const known = new WeakMap<Buffer, string>();

/** SHA-256 in hex. */
export function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** As `digest`, without keeping others waiting. */
export async function digestLater(bytes: Buffer): Promise<string> {
  const before = known.get(bytes);
  if (before !== undefined) return before;
  const found =
    bytes.length < LARGE_BYTES
      ? digest(bytes)
      : Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('hex');
  known.set(bytes, found);
  return found;
}
