import { hash, webcrypto } from 'node:crypto';

/** Size from which bytes are digested in another thread. One or two megabytes take a millisecond. */
const LARGE_BYTES = 256 * 1024;

/** Digests by buffer. Buffers never change once read or written, and some are digested again. */
const known = new WeakMap<Buffer, string>();

/** Returns the SHA-256 of bytes, in hex. */
export function digest(bytes: Buffer): string {
  return hash('sha256', bytes);
}

/** Returns the SHA-256 of bytes, in hex, without blocking the event loop. */
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
