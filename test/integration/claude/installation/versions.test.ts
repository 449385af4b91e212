import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isAtLeast, judgeVersion, OLDEST_USABLE, TESTED } from '../../../../src/claude/installation/versions';

const ROOT = resolve(__dirname, '../../../..');

function packageOf(folder: string): Record<string, Record<string, string>> {
  return JSON.parse(readFileSync(resolve(ROOT, folder, 'package.json'), 'utf8')) as Record<
    string,
    Record<string, string>
  >;
}

describe('A version of Claude Code', () => {
  it('is compared by number, not by letter', () => {
    assert.equal(isAtLeast('2.1.329', '2.1.90'), true);
    assert.equal(isAtLeast('2.1.90', '2.1.329'), false);
    assert.equal(isAtLeast('2.1.90', '2.1.90'), true);
    assert.equal(isAtLeast('10.0.0', '9.9.9'), true);
  });

  for (const [version, standing] of [
    [TESTED.from, 'tested'],
    ['2.1.197', 'tested'],
    [TESTED.to, 'tested'],
    ['2.1.333', 'newer'],
    ['3.0.0', 'newer'],
    ['2.1.89', 'older'],
    [OLDEST_USABLE, 'older'],
    ['2.0.19', 'too-old'],
    ['1.0.60', 'too-old'],
    ['2.1', 'unknown'],
    [null, 'unknown'],
  ] as const)
    it(`${version ?? 'that is not known'} is ${standing}`, () => {
      assert.equal(judgeVersion(version), standing);
    });

  it('counts as tested if the tests run it', () => {
    const name = '@anthropic-ai/claude-code';
    assert.equal(packageOf('.')['devDependencies']?.[name], TESTED.to);
    assert.equal(packageOf('scripts/claude-versions/oldest')['dependencies']?.[name], TESTED.from);
    assert.equal(packageOf('scripts/claude-versions/older')['dependencies']?.[name], OLDEST_USABLE);
  });
});
