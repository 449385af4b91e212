import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, resolve } from 'node:path';

const SRC = resolve(__dirname, '../../../src');

/** The programs do things when they are loaded, and the editor's room needs the editor. */
const NOT_ALONE = /^(?:cli\.ts|extension\.ts|editor[/\\].*)$/;

const modules = readdirSync(SRC, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => join(entry.parentPath, entry.name))
  .filter((file) => !NOT_ALONE.test(relative(SRC, file)));

const load = createRequire(__filename);

describe('Every module', () => {
  for (const file of modules) {
    it(`${relative(SRC, file)} loads by itself`, () => {
      assert.equal(typeof load(file), 'object');
    });
  }
});
