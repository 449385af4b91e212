import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';

const TEST = resolve(__dirname, '../..');
const UNIT = resolve(TEST, 'unit');

/** Modules that a unit test must not use: disk, processes, network, and the machine's time. */
const OUTSIDE =
  /^node:(?:fs|fs\/promises|child_process|cluster|dgram|http|http2|https|inspector|net|os|timers|timers\/promises|tls|worker_threads)$/;

/** Returns the modules from which a file imports more than types. */
function importsOf(file: string): string[] {
  const source = readFileSync(file, 'utf8').replaceAll(/^import type .*?;$/gms, '');
  return [...source.matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, from = '']) => from);
}

/** The ways from a test through other files of test/ to a module that reaches outside. */
function waysOutside(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  return importsOf(file).flatMap((from) => {
    if (OUTSIDE.test(from)) return [`${relative(TEST, file)} imports ${from}`];
    const target = `${resolve(dirname(file), from)}.ts`;
    const isOfTests = from.startsWith('.') && target.startsWith(TEST) && existsSync(target);
    return isOfTests ? waysOutside(target, seen) : [];
  });
}

describe('A unit test', () => {
  const files = readdirSync(UNIT, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => resolve(UNIT, name));

  it('is found by the check', () => {
    assert.ok(files.length >= 90, `${String(files.length)} files`);
  });

  for (const file of files) {
    it(`uses neither disk nor processes: ${relative(UNIT, file)}`, () => {
      assert.deepEqual(waysOutside(file), []);
    });
  }

  it('is checked with all its imports', () => {
    assert.match(waysOutside(__filename).join('\n'), /unitTests\.test\.ts imports node:fs/);
    const helper = resolve(TEST, 'integration/queue/journalWriter.ts');
    assert.match(waysOutside(helper).join('\n'), /folder\.ts imports node:fs/);
  });
});
