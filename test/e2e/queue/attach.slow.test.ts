import assert from 'node:assert/strict';
import { openPlace } from '../../support/queue/queuePlace';
import type { Place } from '../../support/queue/queuePlace';
import { text, tool } from '../../support/claude/replies';
import type { Reply } from '../../support/claude/replies';

/** Claude looks around, and answers only when `answer` is called. */
async function openSlowPlace(): Promise<{ place: Place; answer: () => void }> {
  let answer: () => void = () => undefined;
  const slow = new Promise<Reply>((resolve) => (answer = () => resolve(text('It is done: おはよう.'))));
  const place = await openPlace({
    respond: (turn) => (turn.toolResults === 0 ? tool('Glob', { pattern: '*.md' }, 'I look around.') : slow),
  });
  return { place, answer };
}

describe('Attaching from another terminal', () => {
  it('shows running attempts live, to their end and beyond; leaving stops nothing', async () => {
    const { place, answer } = await openSlowPlace();
    const { queue } = place;
    await queue.trust([{ id: 1, prompt: 'Look around' }]);
    const worker = queue.start('work');
    await worker.waitForLine(/Glob/);
    const all = queue.start('attach');
    const one = queue.start('attach 1');
    const leaving = queue.start('attach');
    for (const view of [all, one, leaving]) {
      await view.waitForLine(/^Task 1, attempt 1: Look around$/);
      await view.waitForLine(/1 │ I look around\.$/);
      await view.waitForLine(/1 │ Glob \*\.md$/);
    }
    leaving.kill('SIGTERM');
    assert.equal((await leaving.ended).code, 0);
    answer();
    await all.waitForLine(/1 │ It is done: おはよう\.$/);
    await all.waitForLine(/^Task 1 succeeded\. /);
    assert.match((await one.ended).stdout, /It is done: おはよう\.\n[^]*Task 1 succeeded/);
    assert.equal((await one.ended).code, 0);
    assert.equal((await queue.run('stop')).code, 0);
    assert.equal((await worker.ended).code, 0);
    assert.match((await all.ended).stdout, /No worker is running\.\n$/);
    assert.equal((await all.ended).code, 0);
  });

  it('shows the output of an ended task, or that there is none', async () => {
    const { place, answer } = await openSlowPlace();
    const { queue } = place;
    await queue.trust([
      { id: 1, prompt: 'Look around' },
      { id: 2, prompt: 'Later', scheduled_time: '2099-01-01 00:00' },
    ]);
    answer();
    assert.equal((await queue.run('run')).code, 0);
    const { code, stdout } = await queue.run('attach 1');
    assert.equal(code, 0);
    assert.match(
      stdout,
      /I look around\.\nGlob \*\.md\nIt is done: おはよう\.\nFinished \(2 turns.*\nTask 1 succeeded/,
    );
    const none = await queue.run('attach 2');
    assert.deepEqual([none.code, none.stderr.trim()], [1, 'Task 2 has no output yet: it has not run here.']);
  });
});
