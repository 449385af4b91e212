import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openPlace } from '../../support/queue/queuePlace';
import type { QueueFolder } from '../../support/queue/queuePlace';
import { text } from '../../support/claude/replies';
import type { Reply } from '../../support/claude/replies';
import { until } from '../../support/until';

const TWO = { CLAUDE_QUEUE_MAX_RUNNING: '2' };

/** Answers that wait until they are let go. */
class Answers {
  private readonly waiting: (() => void)[] = [];

  readonly respond = (): Promise<Reply> =>
    new Promise((resolve) => {
      this.waiting.push(() => {
        resolve(text('Done.'));
      });
    });

  get count(): number {
    return this.waiting.length;
  }

  letGo(): void {
    for (const answer of this.waiting.splice(0)) answer();
  }
}

/** Adds N approved tasks, each in a directory of its own. */
async function trustTasks(queue: QueueFolder, count: number): Promise<void> {
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  for (const id of ids) mkdirSync(join(queue.folder, `part${id}`));
  await queue.trust(ids.map((id) => ({ id, prompt: `Do number <${id}>`, working_dir: `part${id}` })));
}

describe('One worker with two slots', () => {
  it('runs two tasks in parallel, each once, and labels each output line with its task', async () => {
    const answers = new Answers();
    const place = await openPlace({ respond: answers.respond, env: TWO });
    const { queue } = place;
    await trustTasks(queue, 4);
    const worker = queue.start('work --workers 2 --until-empty');
    await until('two tasks are asked for at once', () => answers.count === 2);
    const { workers, tasks } = await queue.status();
    assert.deepEqual(
      workers.map(({ running }) => running),
      [[1, 2]],
    );
    assert.equal(tasks[2]?.reason, '2 of 2 running');
    answers.letGo();
    await until('the next two are asked for', () => answers.count === 2);
    answers.letGo();
    const { code, stdout, stderr } = await worker.ended;
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /Ran 4 attempts\.\n$/);
    for (const id of [1, 2, 3, 4]) {
      assert.equal(place.turnsOf(`Do number <${id}>`).length, 1);
      assert.match(stdout, new RegExp(`^\\S+ \\S+ {4}${id} │ Done\\.$`, 'm'));
      assert.match(stdout, new RegExp(`^\\S+ \\S+ {2}Task ${id} ended: success`, 'm'));
    }
    assert.doesNotMatch(queue.read(), /pending/);
  });

  it('uses the second slot when more tasks are ready, and returns both tasks to the queue at a signal', async () => {
    const answers = new Answers();
    const place = await openPlace({ respond: answers.respond, env: TWO });
    const { queue } = place;
    await trustTasks(queue, 2);
    const worker = queue.start('work --workers 1-2');
    await until('a task is asked for', () => answers.count === 1);
    assert.deepEqual(
      (await queue.status()).tasks.map(({ shown }) => shown),
      ['running', 'ready'],
    );
    mkdirSync(join(queue.folder, 'part3'));
    appendFileSync(queue.file, '3,medium,part3,Do number <3>,pending,,,no,,0,3\n');
    await until('a second task is asked for', () => answers.count === 2);
    worker.kill('SIGTERM');
    assert.equal((await worker.ended).code, 0);
    assert.deepEqual(place.processes(), []);
    const { tasks } = await queue.status();
    assert.deepEqual(
      tasks.map(({ status, retryCount, session }) => [status, retryCount, session !== null]),
      [
        ['pending', 0, true],
        ['pending', 0, true],
        ['pending', 0, false],
      ],
    );
  });
});

describe('A worker run with --max-tasks', () => {
  it('pauses the queue when it ends; status shows why, and the next run resumes it', async () => {
    const place = await openPlace();
    const { queue } = place;
    await trustTasks(queue, 3);
    const first = await queue.run('work --max-tasks 1');
    assert.equal(first.code, 0, first.stdout + first.stderr);
    const why = '--max-tasks 1';
    assert.match(first.stdout, new RegExp(`The queue is paused: ${why}\\.`));
    const held = await queue.status();
    assert.equal(held.hold, why);
    assert.deepEqual(
      held.tasks.map(({ shown, reason }) => [shown, reason]),
      [
        ['completed', 'not confirmed'],
        ['waiting', `the queue is paused (${why})`],
        ['waiting', `the queue is paused (${why})`],
      ],
    );
    const second = await queue.run('work --until-empty');
    assert.match(second.stdout, /Ran 2 attempts\.\n$/);
    assert.equal((await queue.status()).hold, null);
  });
});
