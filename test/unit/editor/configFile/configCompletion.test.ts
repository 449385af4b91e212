import assert from 'node:assert/strict';
import { completeConfig, type ConfigCompletion } from '../../../../src/editor/configFile/configCompletion';
import { findConfigProblems } from '../../../../src/editor/configFile/configProblems';
import type { SettingScope } from '../../../../src/domain/settings/setting';
import { SETTINGS } from '../../../../src/domain/settings/settingList';
import { parseConfig } from '../../../../src/platform/files/configText';

const ZONES = ['Asia/Tokyo', 'Europe/Berlin'];

/** The completions at `|` in a text, and the text after one of them was inserted. */
function completeAt(marked: string, scope: SettingScope = 'queue') {
  const offset = marked.indexOf('|');
  const text = marked.replace('|', '');
  const before = text.slice(0, offset).split('\n');
  const position = {
    lines: text.split('\n'),
    line: before.length - 1,
    character: (before.at(-1) ?? '').length,
  };
  const { entries, replaced } = completeConfig(position, scope, ZONES);
  const insert = ({ insertText }: ConfigCompletion): string =>
    text.slice(0, offset - replaced) + insertText + text.slice(offset);
  return { entries, insert, labels: entries.map(({ label }) => label) };
}

describe('The completion of a settings file', () => {
  it('offers the names that the file may have and does not have yet, with default and meaning', () => {
    const names = (scope: SettingScope): string[] =>
      SETTINGS.filter((setting) => setting.scope === scope).map(({ name }) => name);
    for (const scope of ['queue', 'machine'] as const)
      assert.deepEqual(completeAt('|', scope).labels, names(scope));
    const { labels, entries } = completeAt('maxPerHour: 3\n# pools: none\nmax|\nstrict: true\n');
    assert.deepEqual(
      names('queue').filter((name) => !labels.includes(name)),
      ['maxPerHour', 'strict'],
    );
    const perDay = entries.find(({ label }) => label === 'maxPerDay');
    assert.equal(perDay?.detail, '100');
    assert.match(perDay.documentation ?? '', /within 24 hours/);
  });

  it('replaces the word at the cursor, and keeps the colon behind it', () => {
    const named = (marked: string): string => {
      const { entries, insert } = completeAt(marked);
      const entry = entries.find(({ label }) => label === 'maxPerDay');
      return entry === undefined ? '' : insert(entry);
    };
    assert.equal(named('max|\n'), 'maxPerDay: \n');
    assert.equal(named('max|: 4\n'), 'maxPerDay: 4\n');
  });

  it('offers values that the setting accepts, the default first, for every setting', async () => {
    for (const { name, scope } of SETTINGS) {
      const { entries, insert } = completeAt(`${name}: |`, scope);
      assert.ok(entries.length > 0, name);
      assert.equal(entries[0]?.detail, 'default', name);
      for (const entry of entries) {
        const text = insert(entry);
        assert.deepEqual(findConfigProblems(await parseConfig(text), scope), [], text);
      }
    }
  });

  it('offers words of a choice, time zones, and durations within the limits', () => {
    assert.deepEqual(completeAt('missedRuns: s|').labels, ['once', 'skip', 'all']);
    assert.deepEqual(completeAt('timeZone: |').labels, ['""', ...ZONES]);
    assert.ok(!completeAt('keepHistory: |').labels.includes('12h'));
    assert.ok(!completeAt('limitFallback: |').labels.includes('30d'));
  });

  it('offers no values of a setting that belongs into the other file', () => {
    assert.deepEqual(completeAt('billing: |').labels, []);
    assert.deepEqual(completeAt('missedRuns: |', 'machine').labels, []);
  });

  it('offers the fields of parts, and their words', () => {
    assert.deepEqual(completeAt('quietHours:\n  - |').labels, ['from', 'to', 'days', 'priorities']);
    assert.deepEqual(completeAt('quietHours:\n  - from: "9:00"\n    t|').labels[1], 'to');
    assert.deepEqual(completeAt('priorityRules:\n- tag: a\n  priority: |').labels[0], 'critical');
    assert.deepEqual(completeAt('pools:\n  |').labels, []);
    assert.deepEqual(completeAt('pools:\n  fast:\n    |').labels, ['priorities', 'tags', 'min', 'max']);
    assert.deepEqual(completeAt('maxPerHour: 4\n  |').labels, []);
    assert.deepEqual(completeAt('constructor:\n  |').labels, []);
  });
});
