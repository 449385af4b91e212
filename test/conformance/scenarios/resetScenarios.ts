import assert from 'node:assert/strict';
import { findFullHold } from '../../../src/domain/queue/pauses';
import { isProblem } from '../../../src/domain/problem';
import type { TaskState } from '../../../src/domain/queue/view';
import type { Snapshot } from '../../../src/queue/taskQueue';
import { DAY, HOUR, repeat, type Harness } from '../harness';
import type { Scenario } from '../queueConformance';

/** Scenarios of a reset: what it archives with the history, and what stays in force. */
export function describeReset(scenario: Scenario): void {
  describe('archives its history', () => {
    describeWhatGoes(scenario);
    describeWhatGoverns(scenario);
    describeTasks(scenario);
  });
}

async function reset(harness: Harness): Promise<void> {
  await harness.queue.reset();
}

function describeWhatGoes(scenario: Scenario): void {
  scenario('but not while a task runs', async (harness) => {
    await harness.put(1);
    await harness.put(2);
    const claimed = await harness.claim();
    await assert.rejects(reset(harness), (error) => isProblem(error, 'already-running'));
    await harness.finish(claimed, 'success');
    await reset(harness);
    assert.deepEqual(await harness.queue.attempts({}), []);
    assert.equal((await harness.state(1)).status, 'completed', 'the rows stay as they are');
    assert.deepEqual(await harness.drain(), [2]);
  });

  scenario('and changes nothing else, for every open handle', async (harness) => {
    await fill(harness);
    const other = await harness.subject.another();
    const before = lookOf(await other.read());
    await reset(harness);
    const after = await other.read();
    assert.deepEqual(lookOf(after), before);
    assert.deepEqual(lookOf(await harness.queue.read()), before);
    assert.deepEqual(
      after.tasks.flatMap(({ state }) => (state.untold === true ? state.id : [])),
      [1, 2, 3, 4],
      'nobody looks for what they have left',
    );
  });

  scenario('also when it is empty', async (harness) => {
    await reset(harness);
    await harness.put(1);
    await reset(harness);
    assert.deepEqual(await harness.drain(), [1]);
  });

  scenario('and numbers the next attempt after the last one', async (harness) => {
    await harness.put(1);
    const { claim: first } = await harness.run('error');
    const { revision } = await harness.queue.read();
    await reset(harness);
    assert.ok((await harness.queue.read()).revision > revision, 'watchers see that something has happened');
    harness.clock.advance(HOUR);
    const { claim: second } = await harness.run('error');
    assert.deepEqual([second.attempt, second.session], [2, first.session]);
    assert.ok(second.token > first.token);
    assert.deepEqual(
      (await harness.queue.attempts({})).map(({ number }) => number),
      [2],
    );
    assert.equal((await harness.state(1)).untold, undefined);
  });

  scenario('but keeps the last attempts of tasks in review', async (harness) => {
    await harness.put(1);
    await harness.put(2, { repeat: repeat('daily') });
    await harness.run('error');
    await harness.run('review', {}, { id: 2 });
    await harness.run('review', {}, { id: 1, override: { time: true } });
    await reset(harness);
    const reported = await harness.queue.attempts({});
    assert.deepEqual(
      reported.map(({ id, number }) => [id, number]),
      [
        [1, 2],
        [2, 1],
      ],
    );
    await harness.queue.command(1, 'accept', harness.op());
    await reset(harness);
    assert.deepEqual(
      (await harness.queue.attempts({})).map(({ id }) => id),
      [2],
    );
    assert.equal((await harness.state(1)).status, 'completed');
  });
}

function describeWhatGoverns(scenario: Scenario): void {
  scenario('and stays paused: by the user, by bounds, for some priorities', async (harness) => {
    await harness.put(1, { priority: 'low' });
    await harness.put(2);
    const { queue } = harness;
    await queue.hold({ by: 'person', why: 'the night', priorities: ['low'] }, harness.op());
    await reset(harness);
    assert.deepEqual(await harness.drain(), [2]);
    await queue.hold({ by: 'bounds', why: 'after 3 tasks' }, harness.op());
    await reset(harness);
    const { holds } = await queue.read();
    assert.equal(findFullHold(holds)?.why, 'after 3 tasks');
    assert.equal(holds.length, 2);
    await harness.idle();
    await queue.resume(harness.op());
    assert.deepEqual(await harness.drain(), [1]);
  });

  scenario('and keeps its used budget', async (harness) => {
    harness.settings = { ...harness.settings, maxPerHour: 2 };
    for (const id of [1, 2, 3]) await harness.put(id);
    assert.deepEqual(await harness.drain(), [1, 2]);
    await reset(harness);
    assert.equal((await harness.why(3)).state, 'waiting');
    await harness.idle();
    harness.clock.advance(HOUR);
    assert.deepEqual(await harness.drain(), [3]);
  });

  scenario('and keeps the cost of the night', async (harness) => {
    harness.settings = { ...harness.settings, nightBudget: 1 };
    for (const id of [1, 2]) await harness.put(id);
    const claimed = await harness.claim();
    const { change, attempt } = await harness.endOf(claimed, 'success');
    const end = { change, attempt: { ...attempt, costUsd: 1 }, definition: claimed.definition };
    await harness.queue.finish(claimed.claim, end, harness.op());
    await reset(harness);
    assert.match((await harness.why(2)).text, /^the night's budget of \$1.00 is used up/);
    await harness.idle();
    harness.clock.advance(DAY);
    assert.deepEqual(await harness.drain(), [2]);
  });

  scenario('and starts nothing while the failures in a row are not fixed', async (harness) => {
    for (const id of [1, 2, 3, 4]) await harness.put(id);
    for (let times = 0; times < 3; times += 1) await harness.run('error', { reason: 'no-network' });
    await reset(harness);
    const idle = await harness.idle();
    assert.match(idle.why.text, /^the same failure in 3 tasks in a row \(1, 2, 3\)/);
  });

  scenario('and reuses no id', async (harness) => {
    await harness.put(1);
    await harness.put(7);
    await harness.subject.remove(7);
    await reset(harness);
    const cells = { prompt: 'Added', working_dir: '/place/a' };
    assert.equal((await harness.queue.add({ fields: cells }, harness.op())).id, 8);
  });
}

function describeTasks(scenario: Scenario): void {
  scenario('and keeps the due times of repeating tasks', async (harness) => {
    await harness.put(1, { repeat: repeat('daily') });
    await harness.put(2, { dependencies: [1] });
    assert.deepEqual(await harness.drain(), [1, 2]);
    const { dueAt } = await harness.state(1);
    await reset(harness);
    assert.equal((await harness.state(1)).dueAt, dueAt);
    await harness.idle();
    harness.clock.advance(DAY);
    assert.deepEqual(await harness.drain(), [1]);
  });

  scenario('and a failed task keeps its count, its message and its retry time', async (harness) => {
    await harness.put(1);
    await harness.put(2, { maxRetries: 1 });
    await harness.run('error');
    await harness.run('error');
    const [retried, dead] = [await harness.state(1), await harness.state(2)];
    assert.ok(retried.dueAt !== null && dead.lastMessage !== null);
    await reset(harness);
    assert.deepEqual(await harness.state(1), { ...retried, untold: true });
    assert.deepEqual(await harness.state(2), { ...dead, untold: true });
    assert.deepEqual([(await harness.why(1)).state, (await harness.why(2)).state], ['retrying', 'dead']);
  });

  scenario(
    'and a task that a limit interrupted waits for the reset and resumes its session',
    async (harness) => {
      await harness.put(1);
      const { claim } = await harness.run('limit', {
        signal: { kind: 'five_hour', resetAt: harness.now + HOUR, message: 'limit' },
      });
      await reset(harness);
      await harness.idle();
      const state = await harness.state(1);
      assert.deepEqual([state.ownerScheduledAt, state.dueCause], [null, 'limit'], 'its owner wrote no time');
      await harness.queue.resume(harness.op());
      const again = await harness.claim();
      assert.deepEqual([again.claim.session, again.claim.resume], [claim.session, 'limit']);
    },
  );

  scenario('and keeps the first-seen times', async (harness) => {
    await harness.put(1, { priority: 'low' });
    const { firstSeenAt } = await harness.state(1);
    harness.clock.advance(3 * DAY);
    await reset(harness);
    await harness.put(2);
    assert.equal((await harness.state(1)).firstSeenAt, firstSeenAt);
    assert.equal((await harness.claim()).claim.id, 1, 'it has waited for longer than a medium task may');
  });
}

/** Something of everything that a queue remembers. */
async function fill(harness: Harness): Promise<void> {
  await harness.put(1, { user: 'ann' });
  await harness.put(2, { user: 'bob', repeat: repeat('daily') });
  await harness.put(3);
  await harness.put(4);
  await harness.put(5, { dependencies: [4] });
  await harness.run('success');
  await harness.run('success');
  await harness.run('error');
  await harness.run('limit', {
    signal: { kind: 'five_hour', resetAt: harness.now + HOUR, message: 'limit' },
  });
  await harness.put(1, { user: 'ann' }, { status: 'pending' });
  await harness.queue.hold({ by: 'person', why: 'lunch' }, harness.op());
  await harness.queue.stop('after-task', harness.op());
}

/** The parts of a snapshot that a reset must not change. */
function lookOf({ revision: _told, tasks, ...rest }: Snapshot): unknown {
  const withoutNote = ({ untold: _note, ...state }: TaskState): unknown => state;
  return {
    ...rest,
    places: [...rest.places],
    tasks: tasks.map((task) => ({ ...task, state: withoutNote(task.state) })),
  };
}
