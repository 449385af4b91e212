import assert from 'node:assert/strict';
import { Desk } from './desk';

let desk: Desk;

describe('A task that a person does by hand', () => {
  beforeEach(() => {
    desk = new Desk();
  });
  afterEach(() => desk.remove());

  beforeEach(() =>
    desk.write('1,low,.,Later,pending,,,no,,0,3', '2,high,sub,Do ```it``` now,pending,,,no,,0,3'),
  );

  it('is written to NEXT_TASK.md, the same one until they say what became of it', async () => {
    const { code, out } = await desk.call('next');
    assert.equal(code, 0);
    assert.match(
      out,
      /^Task 2 is yours: .*NEXT_TASK\.md\nStart claude in .*\/sub and tell it to read that file/,
    );
    assert.match(desk.read('NEXT_TASK.md'), /^# Next task: 2$/m);
    assert.deepEqual(await desk.shown(2), ['running', 'you']);
    await desk.call('next');
    assert.match(desk.read('NEXT_TASK.md'), /^# Next task: 2$/m);
    assert.equal((await desk.call('done')).out, 'Task 2 is done.');
    assert.equal(desk.has('NEXT_TASK.md'), false);
    assert.equal((await desk.shown(2))?.[0], 'completed');
    assert.match(desk.read('state/executed.log'), /^2,2026-11-20 18:00:00,0,0,Do ```it``` now$/m);
    assert.match((await desk.call('next')).out, /^Task 1 is yours/);
  });

  it('that failed is tried again later', async () => {
    await desk.call('trust');
    await desk.call('next');
    assert.equal((await desk.call('fail', '2')).out, 'Task 2 failed.');
    assert.deepEqual(await desk.shown(2), ['retrying', 'next try 18:00:30']);
    const task = (await desk.status()).tasks.find(({ id }) => id === 2);
    assert.deepEqual([task?.['retryCount'], task?.['lastMessage']], [1, 'Failed by hand.']);
  });

  it('that is given back is as it was', async () => {
    await desk.call('next');
    assert.equal((await desk.call('release')).out, 'Task 2 is given back.');
    assert.equal((await desk.shown(2))?.[0], 'unapproved');
    assert.equal(desk.has('NEXT_TASK.md'), false);
    assert.match((await desk.call('next')).out, /^Task 2 is yours/);
  });

  it('is done even where its row was edited meanwhile; what that says now is still to be done', async () => {
    await desk.call('next');
    desk.write('2,high,sub,Do it later,pending,,,no,,0,3');
    const { out } = await desk.call('done');
    assert.equal(out, 'Task 2 is done.\nIts row was edited meanwhile: what it says now is still to be done.');
    assert.equal((await desk.shown(2))?.[0], 'unapproved');
  });

  it('is nobody’s at first', async () => {
    const { code, err } = await desk.call('done');
    assert.equal(code, 1);
    assert.equal(err, 'You have no task: "claude-queue next" gives you one.');
    assert.match((await desk.call('release', '1')).err, /^Task 1 is not yours: /);
  });

  it('is not there when nothing is left, which is no failure', async () => {
    desk.write('1,low,.,Later,pending,2026-11-21 09:00,,no,,0,3');
    desk.writeFile('NEXT_TASK.md', 'an old one');
    const { code, out } = await desk.call('next');
    assert.equal(code, 4);
    assert.equal(out, 'There is no next task: not before 2026-11-21 09:00.');
    assert.equal(desk.has('NEXT_TASK.md'), false);
  });

  it('may be several, after an edit of the first: then one must be named', async () => {
    await desk.call('next');
    desk.write('1,low,.,Later,pending,,,no,,0,3');
    await desk.call('next');
    const { code, err } = await desk.call('done');
    assert.equal(code, 64);
    assert.equal(err, 'You have several tasks (2, 1): name one.');
    assert.equal((await desk.call('done', '2')).out, 'Task 2 is done.');
    assert.equal((await desk.call('done')).out, 'Task 1 is done.');
  });

  it('goes first even while the queue is held, since a person decides', async () => {
    await desk.call('hold');
    assert.match((await desk.call('next')).out, /^Task 2 is yours/);
  });
});
