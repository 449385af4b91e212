import assert from 'node:assert/strict';
import { readMessage, readShown } from '../../../../src/editor/attempt/page/messages';

describe('A message of the page of an attempt', () => {
  it('is read if its shape is right', () => {
    for (const message of [
      { kind: 'ready' },
      { kind: 'command', name: 'retry' },
      { kind: 'file', path: 'notes.md', line: 2 },
      { kind: 'attempt', number: 3 },
      { kind: 'continue', where: 'terminal' },
    ])
      assert.deepEqual(readMessage(message), message);
  });

  it('opens a file at its beginning if it names no line', () => {
    const message = { kind: 'file', path: 'notes.md' };
    assert.deepEqual(readMessage({ ...message, line: Number.NaN }), message);
  });

  it('is not read if its shape is wrong', () => {
    for (const wrong of [null, 'ready', {}, { kind: 'attempt', number: 0 }, { kind: 'continue', where: '/' }])
      assert.equal(readMessage(wrong), null, JSON.stringify(wrong));
  });
});

describe('The attempt that a tab remembers for the next window', () => {
  it('has a queue, a task, and a number unless it is the newest', () => {
    for (const number of [2, null]) {
      const shown = { queue: '/north', id: 3, number };
      assert.deepEqual(readShown({ ...shown, more: true }), shown);
    }
  });

  it('is unknown if the tab remembers anything else', () => {
    const queue = '/north';
    const wrongs = [
      undefined,
      null,
      [],
      { id: 3, number: 2 },
      { queue, id: '3', number: 2 },
      { queue, id: 3 },
    ];
    for (const wrong of [...wrongs, { queue, id: 3, number: -1 }])
      assert.equal(readShown(wrong), null, JSON.stringify(wrong));
  });
});
