import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../../..');

/** Written so that this file does not hold what it looks for. */
const PATTERNS: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a path of one machine', new RegExp(`(?:^|[^\\w.])/(?:${['work', 'root'].join('|')})/[\\w.-]+`)],
  ['a home of one person', /(?:^|[^\w.])\/(?:home|Users)\/(?!(?:me|you|ken|alice|bob|user)\b)[a-z][\w.-]*/],
  [
    'the host of a package registry',
    new RegExp(['registry', '(?:npmjs|yarnpkg|npmmirror)', '\\w+'].join('\\.')),
  ],
  ['a merge that was not finished', /^(?:<{7} |>{7} )/m],
];

/** Folders that may be larger: the top has what programs look for there, the other holds one example a file. */
const LISTS: readonly string[] = ['.', 'test/fixtures/csv'];

/** Tracked files, and those that the next commit could add; no pictures. */
function listFiles(): string[] {
  // A checkout may belong to somebody else, as in a container.
  const args = ['-c', 'safe.directory=*', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' })
    .split('\0')
    .filter((name) => name !== '' && !/\.(?:png|ico|gif)$/.test(name) && existsSync(resolve(ROOT, name)));
}

describe('The files of the repository', () => {
  let files: readonly string[];

  before(function () {
    // A downloaded archive has no list of what is tracked.
    if (!existsSync(resolve(ROOT, '.git'))) this.skip();
    files = listFiles();
    assert.ok(files.includes('package.json'));
  });

  for (const [what, pattern] of PATTERNS) {
    it(`contain no trace of ${what}`, () => {
      const found = files.flatMap((name) => {
        const match = pattern.exec(readFileSync(resolve(ROOT, name), 'utf8'));
        return match === null ? [] : [`${name}: ${match[0]}`];
      });
      assert.deepEqual(found, []);
    });
  }

  it('are in folders in which a stranger finds them: at most 20 in each', () => {
    const counts = new Map<string, number>();
    for (const name of files) counts.set(dirname(name), (counts.get(dirname(name)) ?? 0) + 1);
    const large = [...counts].filter(([folder, count]) => count > 20 && !LISTS.includes(folder));
    assert.deepEqual(large, []);
  });
});
