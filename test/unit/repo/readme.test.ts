import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { SETTINGS } from '../../../src/domain/settingList';

const README = readFileSync(resolve(__dirname, '../../../README.md'), 'utf8');

/** The cells of the README's lines that begin with a word in code. */
function rows(): string[][] {
  return README.split('\n')
    .filter((line) => /^\| `\w+` +\|/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')));
}

describe('README', () => {
  for (const { name, scope, sentence, ...setting } of SETTINGS) {
    it(`tells of the setting ${name} as the program has it`, () => {
      const row = rows().find(
        (cells) => cells[1] === name && (cells[2] === 'queue' || cells[2] === 'machine'),
      );
      const written = setting.default === '' ? '(empty)' : String(setting.default);
      assert.deepEqual(row?.slice(2, 5), [scope, written, sentence]);
    });
  }

  it('tells of no setting that there is not', () => {
    const told = rows().filter((cells) => cells[2] === 'queue' || cells[2] === 'machine');
    assert.deepEqual(told.map((cells) => cells[1]).sort(), SETTINGS.map(({ name }) => name).sort());
  });
});
