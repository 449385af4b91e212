import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { SETTINGS } from '../../../src/domain/settingList';
import { Desk } from '../cli/desk';

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

  for (const { name, scope } of SETTINGS) {
    if (scope !== 'queue') continue;
    it(`says which rule of the queue ${name} belongs to`, () => {
      const rules = README.slice(README.indexOf('\n## Rules'), README.indexOf('\n## Commands'));
      assert.ok(rules.split('\n').some((line) => line.startsWith('| ') && line.includes(`\`${name}\``)));
    });
  }

  it('tells of every command', async () => {
    const desk = new Desk();
    try {
      const { out } = await desk.call('--help');
      const names = [...out.slice(out.indexOf('Commands:')).matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name);
      const commands = README.slice(README.indexOf('\n## Commands'), README.indexOf('\n## Beside'));
      const untold = names.filter((name = '') => !new RegExp(`^\\|.*\`${name}\\b.*\\|`, 'm').test(commands));
      assert.ok(names.length > 20);
      assert.deepEqual(untold, ['help']);
    } finally {
      desk.remove();
    }
  });

  it('tells of no setting that there is not', () => {
    const told = rows().filter((cells) => cells[2] === 'queue' || cells[2] === 'machine');
    assert.deepEqual(told.map((cells) => cells[1]).sort(), SETTINGS.map(({ name }) => name).sort());
  });
});
