import assert from 'node:assert/strict';
import { createFileGate, type Gate } from '../../../src/account/gate';
import type { EpochMs } from '../../../src/domain/time/epoch';
import type { LimitSignal } from '../../../src/domain/gate/limits';
import type { TaskId } from '../../../src/domain/task/task';
import type { WorkerParts } from '../../../src/worker/workerDeps';
import { runOne, work } from '../../../src/worker/worker';
import { Bench, EVENING, HOUR_MS, MINUTE_MS, SUCCESS, taking, type Script, type ShortVerdict } from './bench';

const SECOND_MS = 1000;
/** How long the model takes to say anything. */
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

describe('One account', () => {
  let bench: Bench;
  let others: Bench | undefined;
  afterEach(() => {
    bench.remove();
    others?.remove();
    others = undefined;
  });

  /** Workers that share the gate's file, each with a gate of its own on it. */
  function createWorker(of: Bench, changes: Partial<WorkerParts> = {}): WorkerParts {
    return of.createWorker({ gate: bench.clock.attended(gateOf(of)), ...changes });
  }

  function gateOf(of: Bench): Gate {
    return createFileGate({
      folder: bench.folder,
      account: 'abc',
      clock: bench.clock,
      rules: () => bench.settings,
      isAlive: (process) => of.processes.isAlive(process),
    });
  }

  function viewGate(): ReturnType<WorkerParts['gate']['view']> {
    return createWorker(bench).gate.view();
  }

  function begins(of: Bench, since: EpochMs): string[] {
    const late = of.runs.filter(({ at }) => at >= since);
    return late.map(({ id, at }) => `${new Date(at).toISOString().slice(11, 19)} ${id}`);
  }

  it('whose limits only helpers of a run have met is closed for each of them', async () => {
    bench = new Bench({});
    const week = { resetAt: RESET, message: 'limit' };
    const helperLimits: readonly LimitSignal[] = [
      { ...week, kind: 'seven_day_opus', model: 'opus' },
      { ...week, kind: 'seven_day_sonnet', model: 'sonnet' },
    ];
    bench.put(1, {}, taking(MINUTE_MS, { outcome: 'review', reason: 'limit-reached', helperLimits }));
    await bench.clock.run(runOne(createWorker(bench), { id: 1 }, never()));
    const { closures } = await viewGate();
    assert.deepEqual(
      closures.map(({ kind }) => kind),
      ['seven_day_opus', 'seven_day_sonnet'],
    );
  });

  it('whose limit twelve workers meet at once has one closed gate, and no task has lost a retry', async () => {
    bench = new Bench({ maxRunning: 12 });
    const account: Account = (now) => (now >= EVENING + MINUTE_MS && now < RESET ? AT_LIMIT : null);
    for (let id = 1; id <= 12; id += 1)
      bench.put(id, { workingDir: `/place/${id}` }, asking(account, 3 * MINUTE_MS));
    const working = Array.from({ length: 12 }, () =>
      work(createWorker(bench), { untilEmpty: true }, never()),
    );
    const stretches = Promise.all(working);
    await bench.clock.runUntil(EVENING + 2 * MINUTE_MS);
    assert.equal(bench.mostAtOnce, 12);
    assert.deepEqual(
      (await viewGate()).closures.map(({ kind, since, until }) => [kind, since, until]),
      [['five_hour', EVENING + MINUTE_MS + FIRST_WORDS_MS, RESET]],
    );
    await bench.clock.run(stretches);
    const { tasks } = await bench.queue.read();
    assert.ok(tasks.every(({ state }) => state.status === 'completed' && state.retryCount === 0));
    const limits = await bench.queue.attempts({ outcome: 'limit' });
    assert.deepEqual([limits.length, bench.runs.length], [12, 24]);
    const opened = RESET + MINUTE_MS;
    const again = begins(bench, opened).map((line) => line.slice(0, 8));
    assert.equal(again[0], '19:01:00');
    const gaps = bench.runs
      .filter(({ at }) => at >= opened)
      .map(({ at }, place, all) => at - (all[place - 1]?.at ?? at))
      .slice(1);
    assert.ok(
      gaps.every((gap) => gap >= 15 * SECOND_MS),
      again.join(', '),
    );
  });

  it('of two queues and three workers lets one task go first after the reset, then the others, one by one', async () => {
    bench = new Bench({ maxRunning: 2 });
    const account: Account = (now) => (now >= EVENING + 5 * MINUTE_MS && now < RESET ? AT_LIMIT : null);
    others = new Bench(bench.settings, EVENING, bench);
    for (const id of [1, 2]) bench.put(id, { workingDir: `/a/${id}` }, asking(account, 20 * MINUTE_MS));
    others.put(7, { workingDir: '/b' }, asking(account, 20 * MINUTE_MS));
    const ends = Promise.all([
      work(createWorker(bench), { untilEmpty: true }, never()),
      work(createWorker(bench), { untilEmpty: true }, never()),
      work(createWorker(others), { untilEmpty: true }, never()),
    ]);
    await bench.clock.run(ends);
    const all = [...begins(bench, RESET), ...begins(others, RESET)].sort();
    assert.deepEqual(
      all.map((line) => line.slice(0, 8)),
      ['19:01:00', '19:01:15', '19:01:30'],
    );
    assert.deepEqual(all.map((line) => line.slice(9)).sort(), ['1', '2', '7']);
    const told = [...bench.told, ...others.told].filter((line) => line.startsWith('19:01 waiting'));
    assert.ok(
      told.some((line) =>
        /5-hour window has reset: one task goes first \(worker \S+ is running \d/.test(line),
      ),
      told.join('\n'),
    );
    assert.ok(
      told.some((line) => /after the reset runs begin 15 s apart, next at 19:01:(15|30)$/.test(line)),
      told.join('\n'),
    );
  });

  it('whose reset proves false is closed again by one task alone, without a retry, until the next one', async () => {
    bench = new Bench({ maxRunning: 3 });
    const later = RESET + 2 * HOUR_MS;
    const account: Account = (now) => {
      if (now < RESET) return AT_LIMIT;
      return now < later ? { ...AT_LIMIT, signal: { ...LIMIT, resetAt: later } } : null;
    };
    for (const id of [1, 2, 3]) bench.put(id, { workingDir: `/${id}` }, asking(account, MINUTE_MS));
    const workers = [1, 2, 3].map(() => work(createWorker(bench), { untilEmpty: true }, never()));
    await bench.clock.run(Promise.all(workers));
    const opened = bench.runs.filter(({ at }) => at >= RESET);
    assert.deepEqual(
      opened.map(({ at }) => bench.timeOf(at)),
      ['19:01', '21:01', '21:01', '21:01'],
    );
    for (const id of [1, 2, 3]) {
      const { state } = await bench.task(id);
      assert.deepEqual([state.status, state.retryCount], ['completed', 0]);
    }
  });

  it('whose first task died with its worker lets another go first', async () => {
    bench = new Bench();
    bench.put(1, {}, taking(MINUTE_MS));
    const dead = createWorker(bench);
    await dead.gate.report({ signal: LIMIT, usage: [] });
    await bench.clock.runUntil(RESET + MINUTE_MS);
    const { process } = dead.owner;
    const other = { queue: '/another', id: 5 };
    assert.ok(await dead.gate.admit({ task: other, worker: 'gone', process }));
    const single = await runOne(createWorker(bench), {}, never());
    assert.ok(single !== null && 'why' in single);
    assert.equal(
      bench.describe(single.why),
      '5-hour window has reset: one task goes first (worker gone is running 5 of /another)',
    );
    bench.processes.alive.delete(process.pid);
    await bench.clock.run(runOne(createWorker(bench), {}, never()));
    assert.equal((await bench.task(1)).state.status, 'completed');
  });

  it('whose gate a person opens lets the tasks of all its queues go on that waited for its reset', async () => {
    bench = new Bench();
    others = new Bench({}, EVENING, bench);
    let isRaised = false;
    const account: Account = () => (isRaised ? null : AT_LIMIT);
    for (const of of [bench, others]) of.put(1, {}, asking(account, MINUTE_MS));
    const raised = EVENING + 10 * MINUTE_MS;
    const working = [bench, others].map((of) => work(createWorker(of), { untilEmpty: true }, never()));
    await bench.clock.runUntil(raised);
    isRaised = true;
    await gateOf(bench).reopen();
    await bench.clock.run(Promise.all(working));
    for (const of of [bench, others]) {
      assert.equal((await of.task(1)).state.status, 'completed');
      assert.ok((of.runs.at(-1)?.at ?? Infinity) < raised + MINUTE_MS, of.diary.join(', '));
    }
  });

  it('is not found open by a run whose requests passed long ago, although it ends only now', async () => {
    bench = new Bench();
    bench.put(1, {}, taking(MINUTE_MS));
    const worker = createWorker(bench);
    const signal: LimitSignal = { kind: 'offline', resetAt: null, message: 'Connection refused' };
    bench.scripts.set(1, async (run) => {
      run.admitted();
      await run.clock.sleep(MINUTE_MS);
      await worker.gate.report({ signal, usage: [], task: { queue: '/another', id: 5 } });
      return SUCCESS;
    });
    await bench.clock.run(runOne(worker, {}, never()));
    const [closure] = (await viewGate()).closures;
    assert.deepEqual([closure?.kind, closure?.proven], ['offline', undefined]);
  });

  it('whose first task lost its worker, but still runs, lets nobody else begin beside it', async () => {
    bench = new Bench();
    const first = createWorker(bench);
    await first.gate.report({ signal: LIMIT, usage: [] });
    await bench.clock.runUntil(RESET + MINUTE_MS);
    const other = { task: { queue: '/another', id: 5 }, worker: '2', process: bench.processes.create() };
    const admitted: boolean[] = [];
    bench.put(1, {}, async (run) => {
      bench.processes.alive.delete(first.owner.process.pid);
      admitted.push(await gateOf(bench).admit(other));
      bench.processes.alive.delete(run.process.pid);
      admitted.push(await gateOf(bench).admit(other));
      return SUCCESS;
    });
    await bench.clock.run(runOne(first, {}, never()));
    assert.deepEqual(admitted, [false, true]);
  });

  it('does not take the turn from a task that went to another worker because its first one ends', async () => {
    bench = new Bench();
    const old = createWorker(bench);
    const task = { queue: bench.folder, id: 1 };
    const begun = { task, worker: 'w1', signal: null, usage: [] };
    await old.gate.report({ signal: LIMIT, usage: [] });
    await bench.clock.runUntil(RESET + MINUTE_MS);
    const process = bench.processes.create();
    assert.ok(await gateOf(bench).admit({ task, worker: 'w2', process }));
    await old.gate.report(begun);
    const other = { task: { queue: '/another', id: 5 }, worker: 'w3', process };
    assert.equal(await gateOf(bench).admit(other), false);
    await gateOf(bench).report({ ...begun, worker: 'w2' });
    assert.equal(await gateOf(bench).admit(other), true);
  });

  it('that was offline for half a night has one task that tries, and none that failed of it', async () => {
    bench = new Bench({ maxRunning: 2 });
    const back = EVENING + 4 * HOUR_MS;
    const signal: LimitSignal = { kind: 'offline', resetAt: null, message: 'Connection refused' };
    const account: Account = (now) =>
      now < back ? { outcome: 'transient', reason: 'connection_failed', signal } : null;
    for (const id of [1, 2, 3]) bench.put(id, { workingDir: `/${id}` }, asking(account, MINUTE_MS));
    const workers = [1, 2].map(() => work(createWorker(bench), { untilEmpty: true }, never()));
    await bench.clock.run(Promise.all(workers));
    for (const id of [1, 2, 3]) {
      const { state } = await bench.task(id);
      assert.deepEqual([state.status, state.retryCount, state.transientInRow], ['completed', 0, 0]);
    }
    const tries = bench.runs.filter(({ at }) => at < back);
    const ids = new Set<TaskId>(tries.slice(2).map(({ id }) => id));
    assert.equal(ids.size, 1);
    assert.ok(tries.length < 22, `${tries.length} tries`);
    const found = bench.runs.find(({ at }) => at >= back)?.at ?? Infinity;
    assert.ok(found < back + 16 * MINUTE_MS);
    const tired = bench.told.filter((line) => line.includes('waiting: the API cannot be reached'));
    assert.ok(tired.length > 0);
  });

  it('that one model’s week has closed runs tasks of other models, and plain ones until one of them meets it', async () => {
    bench = new Bench({ maxRunning: 1 });
    const signal: LimitSignal = { ...LIMIT, kind: 'seven_day_opus', model: 'opus' };
    const week: ShortVerdict = { outcome: 'limit', reason: 'seven_day_opus', signal };
    const account: Account = (now, { job }) =>
      now < RESET && job.definition.model !== 'sonnet' ? week : null;
    bench.put(1, { model: 'opus' }, asking(account, MINUTE_MS));
    bench.put(2, { model: 'opus' }, asking(account, MINUTE_MS));
    bench.put(3, {}, asking(account, MINUTE_MS));
    bench.put(4, {}, asking(account, MINUTE_MS));
    bench.put(5, { model: 'sonnet' }, asking(account, MINUTE_MS));
    const working = bench.clock.run(work(createWorker(bench), { untilEmpty: true }, never()));
    await working;
    const before = bench.runs.filter(({ at }) => at < RESET).map(({ id }) => id);
    assert.deepEqual(before, [1, 3, 5]);
    for (const id of [1, 2, 3, 4, 5]) assert.equal((await bench.task(id)).state.status, 'completed');
  });

  it('takes the fall-back as it is set when the limit is met', async () => {
    bench = new Bench();
    const { gate } = createWorker(bench);
    Object.assign(bench.settings, { limitFallback: HOUR_MS });
    const { closures } = await gate.report({ signal: { ...LIMIT, resetAt: null }, usage: [] });
    assert.equal(closures[0]?.until, EVENING + HOUR_MS);
  });

  it('whose gate cannot be written lets runs begin out of turn, and says so', async () => {
    bench = new Bench();
    bench.put(1, {}, taking(MINUTE_MS));
    const { gate } = createWorker(bench);
    const broken = {
      view: () => gate.view(),
      report: gate.report.bind(gate),
      admit: () => Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' })),
    };
    await bench.clock.run(work(createWorker(bench, { gate: broken }), { untilEmpty: true }, never()));
    assert.equal((await bench.task(1)).state.status, 'completed');
    assert.ok(bench.told.some((line) => line.includes('could not be asked for a turn: no space left')));
  });
});
