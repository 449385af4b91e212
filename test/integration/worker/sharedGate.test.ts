import assert from 'node:assert/strict';
import { createFileGate, type Gate } from '../../../src/account/gate';
import type { EpochMs } from '../../../src/domain/time/epoch';
import type { LimitSignal } from '../../../src/domain/gate/gate';
import type { WorkerDeps } from '../../../src/worker/workerDeps';
import { runOne } from '../../../src/worker/runOne';
import { work } from '../../../src/worker/work';
import {
  Harness,
  EVENING,
  HOUR_MS,
  MINUTE_MS,
  SUCCESS,
  taking,
  type Script,
  type ShortVerdict,
} from '../../support/queue/workerHarness';
import { makeFolder } from '../queue/folder';

const SECOND_MS = 1000;
/** Time until the model says anything. */
const FIRST_WORDS_MS = 8 * SECOND_MS;
const RESET = EVENING + HOUR_MS;
const LIMIT: LimitSignal = { kind: 'five_hour', resetAt: RESET, message: 'limit' };
const AT_LIMIT: ShortVerdict = { outcome: 'limit', reason: 'five_hour', signal: LIMIT };

/** The signal of a worker that nobody stops. */
const never = (): AbortSignal => new AbortController().signal;

/** The account at which all runs of a test are: it lets them through, or not, by the time. */
type Account = (now: EpochMs, run: Parameters<Script>[0]) => ShortVerdict | null;

/** A run that asks its account at once, and then every minute. */
function asking(account: Account, ms: number): Script {
  return async (run, stop) => {
    for (let passed = 0; passed < ms; passed += MINUTE_MS) {
      const refused = account(run.clock.now(), run);
      if (refused !== null) return refused;
      if (passed === 0) {
        await run.clock.sleep(FIRST_WORDS_MS, stop);
        run.admitted();
      }
      await run.clock.sleep(Math.min(MINUTE_MS, ms - passed), stop);
    }
    return SUCCESS;
  };
}

describe('An account', () => {
  let harness: Harness;
  let others: Harness | undefined;
  /** Where the gate's file is. */
  let folder: string;
  beforeEach(() => {
    folder = makeFolder();
    others = undefined;
  });

  /** Workers that share the gate's file, each with a gate of its own on it. */
  function createWorker(of: Harness, changes: Partial<WorkerDeps> = {}): WorkerDeps {
    const gate = { ...gateOf(of), confirm: () => Promise.resolve() };
    return of.createWorker({ gate: harness.clock.attended(gate), ...changes });
  }

  function gateOf(of: Harness): Gate {
    return createFileGate({
      folder,
      account: 'abc',
      clock: harness.clock,
      rules: () => harness.settings,
      isAlive: (process) => of.processes.isAlive(process),
    });
  }

  function viewGate(): ReturnType<WorkerDeps['gate']['view']> {
    return createWorker(harness).gate.view();
  }

  function begins(of: Harness, since: EpochMs): string[] {
    const late = of.runs.filter(({ at }) => at >= since);
    return late.map(({ id, at }) => `${new Date(at).toISOString().slice(11, 19)} ${id}`);
  }

  it('whose limits only subagents hit is closed for each of them', async () => {
    harness = new Harness({});
    const week = { resetAt: RESET, message: 'limit' };
    const subagentLimits: readonly LimitSignal[] = [
      { ...week, kind: 'seven_day_opus', model: 'opus' },
      { ...week, kind: 'seven_day_sonnet', model: 'sonnet' },
    ];
    harness.put(1, {}, taking(MINUTE_MS, { outcome: 'review', reason: 'limit-reached', subagentLimits }));
    await harness.clock.run(runOne(createWorker(harness), { id: 1 }, never()));
    const { closures } = await viewGate();
    assert.deepEqual(
      closures.map(({ kind }) => kind),
      ['seven_day_opus', 'seven_day_sonnet'],
    );
  });

  it('whose limit twelve workers hit at once has one closed gate, and no task has lost a retry', async () => {
    harness = new Harness({ maxRunning: 12 });
    const account: Account = (now) => (now >= EVENING + MINUTE_MS && now < RESET ? AT_LIMIT : null);
    for (let id = 1; id <= 12; id += 1)
      harness.put(id, { workingDir: `/place/${id}` }, asking(account, 3 * MINUTE_MS));
    const working = Array.from({ length: 12 }, () =>
      work(createWorker(harness), { untilEmpty: true }, never()),
    );
    const stretches = Promise.all(working);
    await harness.clock.runUntil(EVENING + 2 * MINUTE_MS);
    assert.equal(harness.mostAtOnce, 12);
    assert.deepEqual(
      (await viewGate()).closures.map(({ kind, since, until }) => [kind, since, until]),
      [['five_hour', EVENING + MINUTE_MS + FIRST_WORDS_MS, RESET]],
    );
    await harness.clock.run(stretches);
    const { tasks } = await harness.queue.read();
    assert.ok(tasks.every(({ state }) => state.status === 'completed' && state.retryCount === 0));
    const limits = await harness.queue.attempts({ outcome: 'limit' });
    assert.deepEqual([limits.length, harness.runs.length], [12, 24]);
    const opened = RESET + MINUTE_MS;
    const again = begins(harness, opened).map((line) => line.slice(0, 8));
    assert.equal(again[0], '19:01:00');
    const gaps = harness.runs
      .filter(({ at }) => at >= opened)
      .map(({ at }, place, all) => at - (all[place - 1]?.at ?? at))
      .slice(1);
    assert.ok(
      gaps.every((gap) => gap >= 15 * SECOND_MS),
      again.join(', '),
    );
  });

  it('of two queues and three workers lets one task go first after the reset, then the others, one by one', async () => {
    harness = new Harness({ maxRunning: 2 });
    const account: Account = (now) => (now >= EVENING + 5 * MINUTE_MS && now < RESET ? AT_LIMIT : null);
    others = new Harness(harness.settings, EVENING, { beside: harness });
    for (const id of [1, 2]) harness.put(id, { workingDir: `/a/${id}` }, asking(account, 20 * MINUTE_MS));
    others.put(7, { workingDir: '/b' }, asking(account, 20 * MINUTE_MS));
    const ends = Promise.all([
      work(createWorker(harness), { untilEmpty: true }, never()),
      work(createWorker(harness), { untilEmpty: true }, never()),
      work(createWorker(others), { untilEmpty: true }, never()),
    ]);
    await harness.clock.run(ends);
    const all = [...begins(harness, RESET), ...begins(others, RESET)].sort();
    assert.deepEqual(
      all.map((line) => line.slice(0, 8)),
      ['19:01:00', '19:01:15', '19:01:30'],
    );
    assert.deepEqual(all.map((line) => line.slice(9)).sort(), ['1', '2', '7']);
    const reported = [...harness.reported, ...others.reported].filter((line) =>
      line.startsWith('19:01 waiting'),
    );
    assert.ok(
      reported.some((line) =>
        /5-hour usage window has reset: probing with one task \(worker \S+ is running task \d/.test(line),
      ),
      reported.join('\n'),
    );
    assert.ok(
      reported.some((line) => /limit reset; starting attempts 15 s apart, next at 19:01:(15|30)$/.test(line)),
      reported.join('\n'),
    );
  });

  it('whose reset was wrong is closed again by one task alone, without a retry, until the next one', async () => {
    harness = new Harness({ maxRunning: 3 });
    const later = RESET + 2 * HOUR_MS;
    const account: Account = (now) => {
      if (now < RESET) return AT_LIMIT;
      return now < later ? { ...AT_LIMIT, signal: { ...LIMIT, resetAt: later } } : null;
    };
    for (const id of [1, 2, 3]) harness.put(id, { workingDir: `/${id}` }, asking(account, MINUTE_MS));
    const workers = [1, 2, 3].map(() => work(createWorker(harness), { untilEmpty: true }, never()));
    await harness.clock.run(Promise.all(workers));
    const opened = harness.runs.filter(({ at }) => at >= RESET);
    assert.deepEqual(
      opened.map(({ at }) => harness.timeOf(at)),
      ['19:01', '21:01', '21:01', '21:01'],
    );
    for (const id of [1, 2, 3]) {
      const { state } = await harness.task(id);
      assert.deepEqual([state.status, state.retryCount], ['completed', 0]);
    }
  });

  it('whose probe died with its worker lets another task probe', async () => {
    harness = new Harness();
    harness.put(1, {}, taking(MINUTE_MS));
    const dead = createWorker(harness);
    await dead.gate.report({ signal: LIMIT, usage: [] });
    await harness.clock.runUntil(RESET + MINUTE_MS);
    const { process } = dead.owner;
    const other = { queue: '/another', id: 5 };
    assert.ok(await dead.gate.admit({ task: other, worker: 'gone', process }));
    const single = await runOne(createWorker(harness), {}, never());
    assert.ok(single !== null && 'why' in single);
    assert.equal(
      harness.describe(single.why),
      '5-hour usage window has reset: probing with one task (worker gone is running task 5 of /another)',
    );
    harness.processes.alive.delete(process.pid);
    await harness.clock.run(runOne(createWorker(harness), {}, never()));
    assert.equal((await harness.task(1)).state.status, 'completed');
  });

  it('whose gate the user opens runs the waiting tasks of all its queues', async () => {
    harness = new Harness();
    others = new Harness({}, EVENING, { beside: harness });
    let isRaised = false;
    const account: Account = () => (isRaised ? null : AT_LIMIT);
    for (const of of [harness, others]) of.put(1, {}, asking(account, MINUTE_MS));
    const raised = EVENING + 10 * MINUTE_MS;
    const working = [harness, others].map((of) => work(createWorker(of), { untilEmpty: true }, never()));
    await harness.clock.runUntil(raised);
    isRaised = true;
    await gateOf(harness).reopen();
    await harness.clock.run(Promise.all(working));
    for (const of of [harness, others]) {
      assert.equal((await of.task(1)).state.status, 'completed');
      assert.ok((of.runs.at(-1)?.at ?? Infinity) < raised + MINUTE_MS, of.diary.join(', '));
    }
  });

  it('is not found open by a late end of an attempt whose requests succeeded long ago', async () => {
    harness = new Harness();
    harness.put(1, {}, taking(MINUTE_MS));
    const worker = createWorker(harness);
    const signal: LimitSignal = { kind: 'offline', resetAt: null, message: 'Connection refused' };
    harness.scripts.set(1, async (run) => {
      run.admitted();
      await run.clock.sleep(MINUTE_MS);
      await worker.gate.report({ signal, usage: [], task: { queue: '/another', id: 5 } });
      return SUCCESS;
    });
    await harness.clock.run(runOne(worker, {}, never()));
    const [block] = (await viewGate()).closures;
    assert.deepEqual([block?.kind, block?.proven], ['offline', undefined]);
  });

  it('whose probe lost its worker but still runs starts no other task', async () => {
    harness = new Harness();
    const first = createWorker(harness);
    await first.gate.report({ signal: LIMIT, usage: [] });
    await harness.clock.runUntil(RESET + MINUTE_MS);
    const other = { task: { queue: '/another', id: 5 }, worker: '2', process: harness.processes.create() };
    const admitted: boolean[] = [];
    harness.put(1, {}, async (run) => {
      harness.processes.alive.delete(first.owner.process.pid);
      admitted.push(await gateOf(harness).admit(other));
      harness.processes.alive.delete(run.process.pid);
      admitted.push(await gateOf(harness).admit(other));
      return SUCCESS;
    });
    await harness.clock.run(runOne(first, {}, never()));
    assert.deepEqual(admitted, [false, true]);
  });

  it('does not end a probe that went to another worker when the first attempt ends', async () => {
    harness = new Harness();
    const old = createWorker(harness);
    const task = { queue: harness.folder, id: 1 };
    const report = { task, worker: 'w1', signal: null, usage: [] };
    await old.gate.report({ signal: LIMIT, usage: [] });
    await harness.clock.runUntil(RESET + MINUTE_MS);
    const process = harness.processes.create();
    assert.ok(await gateOf(harness).admit({ task, worker: 'w2', process }));
    await old.gate.report(report);
    const other = { task: { queue: '/another', id: 5 }, worker: 'w3', process };
    assert.equal(await gateOf(harness).admit(other), false);
    await gateOf(harness).report({ ...report, worker: 'w2' });
    assert.equal(await gateOf(harness).admit(other), true);
  });

  it('that was offline for half a night has one probing task at a time, and no failed one', async () => {
    harness = new Harness({ maxRunning: 2 });
    const back = EVENING + 4 * HOUR_MS;
    const signal: LimitSignal = { kind: 'offline', resetAt: null, message: 'Connection refused' };
    const account: Account = (now) =>
      now < back ? { outcome: 'transient', reason: 'connection_failed', signal } : null;
    for (const id of [1, 2, 3]) harness.put(id, { workingDir: `/${id}` }, asking(account, MINUTE_MS));
    const workers = [1, 2].map(() => work(createWorker(harness), { untilEmpty: true }, never()));
    await harness.clock.run(Promise.all(workers));
    for (const id of [1, 2, 3]) {
      const { state } = await harness.task(id);
      assert.deepEqual([state.status, state.retryCount, state.transientInRow], ['completed', 0, 0]);
    }
    const tries = harness.runs.filter(({ at }) => at < back);
    // Two workers ask at each reset, and either may be first.
    const gaps = tries.slice(2).map(({ at }, index) => at - (tries[index + 1]?.at ?? at));
    assert.ok(
      gaps.every((gap) => gap >= MINUTE_MS),
      harness.diary.join(', '),
    );
    assert.ok(tries.length < 22, `${tries.length} tries`);
    const found = harness.runs.find(({ at }) => at >= back)?.at ?? Infinity;
    assert.ok(found < back + 16 * MINUTE_MS);
    const tired = harness.reported.filter((line) => line.includes('waiting: the API cannot be reached'));
    assert.ok(tired.length > 0);
  });

  it('with a used-up weekly limit of one model runs tasks of other models, and default ones until one hits it', async () => {
    harness = new Harness({ maxRunning: 1 });
    const signal: LimitSignal = { ...LIMIT, kind: 'seven_day_opus', model: 'opus' };
    const week: ShortVerdict = { outcome: 'limit', reason: 'seven_day_opus', signal };
    const account: Account = (now, { job }) =>
      now < RESET && job.definition.model !== 'sonnet' ? week : null;
    harness.put(1, { model: 'opus' }, asking(account, MINUTE_MS));
    harness.put(2, { model: 'opus' }, asking(account, MINUTE_MS));
    harness.put(3, {}, asking(account, MINUTE_MS));
    harness.put(4, {}, asking(account, MINUTE_MS));
    harness.put(5, { model: 'sonnet' }, asking(account, MINUTE_MS));
    const working = harness.clock.run(work(createWorker(harness), { untilEmpty: true }, never()));
    await working;
    const before = harness.runs.filter(({ at }) => at < RESET).map(({ id }) => id);
    assert.deepEqual(before, [1, 3, 5]);
    for (const id of [1, 2, 3, 4, 5]) assert.equal((await harness.task(id)).state.status, 'completed');
  });

  it('uses the fallback time that is set when the limit is hit', async () => {
    harness = new Harness();
    const { gate } = createWorker(harness);
    Object.assign(harness.settings, { limitFallback: HOUR_MS });
    const { closures } = await gate.report({ signal: { ...LIMIT, resetAt: null }, usage: [] });
    assert.equal(closures[0]?.until, EVENING + HOUR_MS);
  });

  it('whose gate cannot be written starts attempts anyway, and reports it', async () => {
    harness = new Harness();
    harness.put(1, {}, taking(MINUTE_MS));
    const { gate } = createWorker(harness);
    const broken = {
      view: () => gate.view(),
      confirm: () => gate.confirm(),
      report: gate.report.bind(gate),
      admit: () => Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' })),
    };
    await harness.clock.run(work(createWorker(harness, { gate: broken }), { untilEmpty: true }, never()));
    assert.equal((await harness.task(1)).state.status, 'completed');
    assert.ok(
      harness.reported.some((line) => line.includes('could not be asked for admission: no space left')),
    );
  });
});
