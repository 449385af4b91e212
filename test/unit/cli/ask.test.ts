import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { ask } from '../../../src/cli/ask';

/** A terminal's input: a stream that stays paused once it was paused. */
function openKeyboard(): PassThrough & { setRawMode(): void } {
  return Object.assign(new PassThrough(), { setRawMode: () => undefined });
}

describe('A question in the terminal', () => {
  it('is answered also after an earlier one', async () => {
    const keyboard = openKeyboard();
    const system = { keyboard, out: () => undefined };
    keyboard.write('yes\n');
    assert.equal(await ask(system, 'First?'), 'yes');
    const second = ask(system, 'Second?');
    keyboard.write('no\n');
    const unread = new Promise((resolve) => setImmediate(resolve, 'unread'));
    assert.equal(await Promise.race([second, unread]), 'no');
  });

  it('has no answer if the input ends', async () => {
    const keyboard = openKeyboard();
    keyboard.end();
    assert.equal(await ask({ keyboard, out: () => undefined }, 'First?'), null);
  });
});
