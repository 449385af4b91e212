import assert from 'node:assert/strict';
import { isProblem } from '../../src/domain/problem';
import type { TaskState } from '../../src/domain/queue/view';
import type { Snapshot } from '../../src/queue/taskQueue';
import { DAY, HOUR, repeat, type Bench } from './bench';
import type { Scenario } from './queueConformance';

/** What is put away with the history, and what governs on. */
export function describeReset(scenario: Scenario): void {
  describe('puts its history away', () => {
    describeWhatGoes(scenario);
    describeWhatGoverns(scenario);
    describeTasks(scenario);
  });
}

async function reset(bench: Bench): Promise<void> {
  await bench.queue.reset();
}

function describeWhatGoes(scenario: Scenario): void {
  scenario('but not while something runs', async (bench) => {
    await bench.put(1);
    await bench.put(2);
    const claimed = await bench.claim();
    await assert.rejects(reset(bench), (error) => isProblem(error, 'already-running'));
    await bench.finish(claimed, 'success');
    await reset(bench);
    assert.deepEqual(await bench.queue.attempts({}), []);
    assert.equal((await bench.state(1)).status, 'completed', 'the rows stay as they are');
    assert.deepEqual(await bench.drain(), [2]);
  });

  scenario('and changes nothing else, for whoever has it open', async (bench) => {
    await fill(bench);
    const other = await bench.subject.another();
    const before = lookOf(await other.read());
    await reset(bench);
    const after = await other.read();
    assert.deepEqual(lookOf(after), before);
    assert.deepEqual(lookOf(await bench.queue.read()), before);
    assert.deepEqual(
      after.tasks.flatMap(({ state }) => (state.untold === true ? state.id : [])),
      [1, 2, 3, 4],
      'nobody looks for what they have left',
    );
  });

  scenario('although nothing has happened yet', async (bench) => {
    await reset(bench);
    await bench.put(1);
    await reset(bench);
    assert.deepEqual(await bench.drain(), [1]);
  });

  scenario('and begins the next with the next attempt, counted on', async (bench) => {
    await bench.put(1);
    const { claim: first } = await bench.run('error');
    const { revision } = await bench.queue.read();
    await reset(bench);
    assert.ok(
      (await bench.queue.read()).revision > revision,
      'whoever follows sees that something has happened',
    );
    bench.clock.advance(HOUR);
    const { claim: second } = await bench.run('error');
    assert.deepEqual([second.attempt, second.session], [2, first.session]);
    assert.ok(second.token > first.token);
    assert.deepEqual(
      (await bench.queue.attempts({})).map(({ number }) => number),
      [2],
    );
    assert.equal((await bench.state(1)).untold, undefined);
  });

  scenario('but for the last attempts of what awaits an eye', async (bench) => {
    await bench.put(1);
    await bench.put(2, { repeat: repeat('daily') });
    await bench.run('error');
    await bench.run('review', {}, { id: 2 });
    await bench.run('review', {}, { id: 1, override: { time: true } });
    await reset(bench);
    const told = await bench.queue.attempts({});
    assert.deepEqual(
      told.map(({ id, number }) => [id, number]),
      [
        [1, 2],
        [2, 1],
      ],
    );
    await bench.queue.command(1, 'accept', bench.op());
    await reset(bench);
    assert.deepEqual(
      (await bench.queue.attempts({})).map(({ id }) => id),
      [2],
    );
    assert.equal((await bench.state(1)).status, 'completed');
  });
}

function describeWhatGoverns(scenario: Scenario): void {
  scenario('and stays held: by a person, by its bounds, with some priorities', async (bench) => {
    await bench.put(1, { priority: 'low' });
    await bench.put(2);
    const { queue } = bench;
    await queue.hold({ by: 'person', why: 'the night', priorities: ['low'] }, bench.op());
    await reset(bench);
    assert.deepEqual(await bench.drain(), [2]);
    await queue.hold({ by: 'bounds', why: 'after 3 tasks' }, bench.op());
    await reset(bench);
    assert.equal((await queue.read()).held, 'after 3 tasks');
    assert.equal((await queue.read()).holds.length, 2);
    await bench.idle();
    await queue.resume(bench.op());
    assert.deepEqual(await bench.drain(), [1]);
  });

  scenario('and its budget is no greater for it', async (bench) => {
    bench.settings = { ...bench.settings, maxPerHour: 2 };
    for (const id of [1, 2, 3]) await bench.put(id);
    assert.deepEqual(await bench.drain(), [1, 2]);
    await reset(bench);
    assert.equal((await bench.why(3)).shown, 'waiting');
    await bench.idle();
    bench.clock.advance(HOUR);
    assert.deepEqual(await bench.drain(), [3]);
  });

  scenario('and what its night has cost is not forgotten', async (bench) => {
    bench.settings = { ...bench.settings, nightBudget: 1 };
    for (const id of [1, 2]) await bench.put(id);
    const claimed = await bench.claim();
    const { change, attempt } = await bench.endOf(claimed, 'success');
    const end = { change, attempt: { ...attempt, costUsd: 1 }, definition: claimed.definition };
    await bench.queue.finish(claimed.claim, end, bench.op());
    await reset(bench);
    assert.match((await bench.why(2)).text, /^the night's budget of \$1.00 is used up/);
    await bench.idle();
    bench.clock.advance(DAY);
    assert.deepEqual(await bench.drain(), [2]);
  });

  scenario('and begins nothing while the same failure in a row is to be mended', async (bench) => {
    for (const id of [1, 2, 3, 4]) await bench.put(id);
    for (let times = 0; times < 3; times += 1) await bench.run('error', { reason: 'no-network' });
    await reset(bench);
    const idle = await bench.idle();
    assert.match(idle.why.text, /^the same failure of 3 tasks in a row \(1, 2, 3\)/);
  });

  scenario('and gives no id a second time', async (bench) => {
    await bench.put(1);
    await bench.put(7);
    await bench.subject.remove(7);
    await reset(bench);
    const cells = { prompt: 'Added', working_dir: '/place/a' };
    assert.equal((await bench.queue.add({ cells }, bench.op())).id, 8);
  });
}

function describeTasks(scenario: Scenario): void {
  scenario('and what is repeated stays due at its next time', async (bench) => {
    await bench.put(1, { repeat: repeat('daily') });
    await bench.put(2, { dependencies: [1] });
    assert.deepEqual(await bench.drain(), [1, 2]);
    const { dueAt } = await bench.state(1);
    await reset(bench);
    assert.equal((await bench.state(1)).dueAt, dueAt);
    await bench.idle();
    bench.clock.advance(DAY);
    assert.deepEqual(await bench.drain(), [1]);
  });

  scenario('and what failed keeps its count, its message and the time of its next try', async (bench) => {
    await bench.put(1);
    await bench.put(2, { maxRetries: 1 });
    await bench.run('error');
    await bench.run('error');
    const [retried, dead] = [await bench.state(1), await bench.state(2)];
    assert.ok(retried.dueAt !== null && dead.lastMessage !== null);
    await reset(bench);
    assert.deepEqual(await bench.state(1), { ...retried, untold: true });
    assert.deepEqual(await bench.state(2), { ...dead, untold: true });
    assert.deepEqual([(await bench.why(1)).shown, (await bench.why(2)).shown], ['retrying', 'dead']);
  });

  scenario('and what a limit stopped waits for its end and is gone on with in its session', async (bench) => {
    await bench.put(1);
    const { claim } = await bench.run('limit', {
      signal: { kind: 'five_hour', resetAt: bench.now + HOUR, message: 'limit' },
    });
    await reset(bench);
    await bench.idle();
    const state = await bench.state(1);
    assert.deepEqual([state.ownerScheduledAt, state.dueCause], [null, 'limit'], 'its owner wrote no time');
    await bench.queue.resume(bench.op());
    const again = await bench.claim();
    assert.deepEqual([again.claim.session, again.claim.resume], [claim.session, 'limit']);
  });

  scenario('and waits on from when it was first seen', async (bench) => {
    await bench.put(1, { priority: 'low' });
    const { firstSeenAt } = await bench.state(1);
    bench.clock.advance(3 * DAY);
    await reset(bench);
    await bench.put(2);
    assert.equal((await bench.state(1)).firstSeenAt, firstSeenAt);
    assert.equal((await bench.claim()).claim.id, 1, 'it has waited for longer than a medium task may');
  });
}

/** Something of everything that a queue remembers. */
async function fill(bench: Bench): Promise<void> {
  await bench.put(1, { user: 'ann' });
  await bench.put(2, { user: 'bob', repeat: repeat('daily') });
  await bench.put(3);
  await bench.put(4);
  await bench.put(5, { dependencies: [4] });
  await bench.run('success');
  await bench.run('success');
  await bench.run('error');
  await bench.run('limit', { signal: { kind: 'five_hour', resetAt: bench.now + HOUR, message: 'limit' } });
  await bench.put(1, { user: 'ann' }, { status: 'pending' });
  await bench.queue.hold({ by: 'person', why: 'lunch' }, bench.op());
  await bench.queue.stop('after-task', bench.op());
}

/** What a reset must leave as it is. */
function lookOf({ revision: _told, tasks, ...rest }: Snapshot): unknown {
  const withoutNote = ({ untold: _note, ...state }: TaskState): unknown => state;
  return {
    ...rest,
    lines: [...rest.lines],
    tasks: tasks.map((task) => ({ ...task, state: withoutNote(task.state) })),
  };
}
