import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findMessages } from '../../../scripts/texts/collect';

const ROOT = resolve(__dirname, '../../..');

/** Rooms that give codes and data; `app/present` has the words. */
const PURE = ['src/domain', 'src/queue/model'];

/** Texts that look like sentences, and why they may stay. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'The default of {setting.name} is wrong: {checked.wrong.expected.kind}': 'a bug, shown with its stack',
  'The cron expression "{interval.text}" has no next time': 'a bug, shown with its stack',
  'The rows of a copy never change.': 'a bug, shown with its stack',
  'The store did not return the ids that it added.': 'a bug, shown with its stack',
  'US dollars': 'the unit of a setting',
  'VS Code': 'the name of a program',
};

/** Whether a text is more than a code, a key or a value: a capital letter and a space, two spaces, or a full stop. */
function isSentence(text: string): boolean {
  const words = text.replaceAll(/\{[^}]*\}/g, '').trim();
  return /^[A-Z].* /s.test(words) || /\S +\S.* +\S/s.test(words) || /\w\.$/.test(words);
}

function listSentences(room: string): string[] {
  const files = readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => findMessages(`${room}/${file}`, readFileSync(join(ROOT, room, file), 'utf8')))
    .map(({ text }) => text)
    .filter(isSentence);
}

describe('The pure rooms', () => {
  const found = PURE.flatMap(listSentences);

  it('contain no sentence: what they report is a code and data', () => {
    assert.deepEqual(
      found.filter((text) => EXCEPTIONS[text] === undefined),
      [],
    );
  });

  it('contain every exception that is listed', () => {
    assert.deepEqual(
      Object.keys(EXCEPTIONS).filter((text) => !found.includes(text)),
      [],
    );
  });

  it('are checked: a sentence is found', () => {
    for (const text of [
      'Task {id} is running.',
      'must be {rule}; it is {value}',
      'Not found',
      'needs a review',
    ])
      assert.ok(isSentence(text), text);
    for (const text of ['owner-died', '{worker} ({pool})', 'default in {folder}', 'acceptEdits', '{n} ms'])
      assert.ok(!isSentence(text), text);
  });
});
