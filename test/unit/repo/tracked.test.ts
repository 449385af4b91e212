import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const ROOT = resolve(__dirname, '../../..');

/** Tracked files, and those that would be with the next commit; no pictures. */
const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
})
  .toString('utf8')
  .split('\0')
  .filter((name) => name !== '' && !/\.(?:png|ico|gif)$/.test(name) && existsSync(resolve(ROOT, name)));

/** Written so that this file does not hold what it looks for. */
const PATTERNS: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a path of one machine', new RegExp(`(?:^|[^\\w.])/(?:${['work', 'farm', 'root'].join('|')})/[\\w.-]+`)],
  [
    'a home of one person',
    /(?:^|[^\w.])\/(?:home|Users)\/(?!me\b|you\b|ken\b|alice\b|bob\b|user\b)[a-z][\w.-]*/,
  ],
  [
    'the host of a package registry',
    new RegExp(['registry', '(?:npmjs|yarnpkg|npmmirror)', '\\w+'].join('\\.')),
  ],
  ['a marker of an unfinished merge', /^(?:<{7} |>{7} )/m],
];

describe('The files of the repository', () => {
  it('are found', () => assert.ok(files.includes('package.json')));

  for (const [what, pattern] of PATTERNS) {
    it(`hold no trace of ${what}`, () => {
      const found = files.flatMap((name) => {
        const match = pattern.exec(readFileSync(resolve(ROOT, name), 'utf8'));
        return match === null ? [] : [`${name}: ${match[0]}`];
      });
      assert.deepEqual(found, []);
    });
  }
});
