import { readFile } from 'node:fs/promises';
import * as path from 'node:path';

/**
 * Reads a script or a style of a page. `name` is its path in the extension's folder, and `program` that of
 * `dist/cli.js`.
 */
export function readPageFile(program: string, name: string): Promise<string> {
  return readFile(path.join(path.dirname(program), '..', name), 'utf8');
}
