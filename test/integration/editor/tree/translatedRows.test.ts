import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

const ROOT = resolve(__dirname, '../../../..');
const SCRIPT = 'test/support/editor/translatedRows.ts';

/** Texts of the tree and the status bar in a language. */
function readTexts(language: string): string[] {
  const args = ['--import', 'tsx', SCRIPT, language];
  const output = execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  return (JSON.parse(output) as readonly (readonly string[])[]).flat();
}

/** Words that stay: the name, the prompts of these tasks, a priority, the unit of a time, and icons. */
const STAYS = /Claude Queue|Do \d|medium|\d+ s\b|\$\([^)]*\)/g;

describe('The tree and the status bar', () => {
  for (const language of ['ja', 'ru'])
    it(`have no English word in ${language}`, () => {
      const texts = readTexts(language);
      assert.ok(texts.length > 15, `${texts.length} texts`);
      assert.deepEqual(
        texts.filter((text) => /[A-Za-z]{2,}/.test(text.replaceAll(STAYS, ''))),
        [],
      );
    });

  it('have the comma of the language between phrases', () => {
    const [texts, english] = [readTexts('ja'), readTexts('en')];
    assert.ok(english.some((text) => text.includes(', ')));
    assert.deepEqual(
      texts.filter((text) => text.includes(', ')),
      [],
    );
  });

  it('have English words without a translation', () => {
    assert.ok(readTexts('en').includes('Not approved on this machine, task 1: Do 1. Priority medium.'));
  });
});
