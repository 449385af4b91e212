import assert from 'node:assert/strict';
import { Desk, HEADER } from './desk';

let desk: Desk;

describe('A task that "add" makes', () => {
  beforeEach(async () => {
    desk = new Desk();
    await desk.call('init');
  });
  afterEach(() => desk.remove());

  it('may use a column that the file lacks, beside rows that were there', async () => {
    await desk.call('add', 'First');
    await desk.call('add', 'Second', '--timeout', '90m');
    assert.equal(
      desk.read(),
      `${HEADER},timeout\n1,medium,.,First,pending,,,no,,0,3,\n2,medium,.,Second,pending,,,no,,0,3,90m\n`,
    );
    assert.deepEqual(await desk.shown(1), ['ready', '']);
    assert.deepEqual(await desk.shown(2), ['ready', '']);
    assert.equal((await desk.call('edit', '1', '--user', 'ada')).code, 0);
    assert.deepEqual(await desk.shown(1), ['ready', '']);
  });

  it('may name tasks and tags with commas, and times of the day that come next', async () => {
    for (const prompt of ['One', 'Two']) await desk.call('add', prompt);
    // It is 18:00.
    await desk.call(
      'add',
      'Three',
      '--after',
      '1,2',
      '--at',
      '18:00',
      '--deadline',
      '21:30',
      '--tags',
      'a, b',
    );
    assert.equal(
      desk.read().trimEnd().split('\n').at(-1),
      '3,medium,.,Three,pending,2026-11-21 18:00,1|2,no,,0,3,2026-11-20 21:30,a| b',
    );
  });
});
