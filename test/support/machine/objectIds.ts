import { createHash } from 'node:crypto';

/** Bytes of the name of an object in SHA-1. */
export const ID_BYTES = 20;

/** Names of objects, one after the other. */
export function makeIds(count: number): Buffer {
  const one = (number: number): Buffer => createHash('sha1').update(String(number)).digest();
  return Buffer.concat(Array.from({ length: count }, (_, number) => one(number)));
}

/** Returns where each of these names starts. */
export const placesIn = (bytes: Buffer): number[] =>
  Array.from({ length: bytes.length / ID_BYTES }, (_, number) => number * ID_BYTES);
