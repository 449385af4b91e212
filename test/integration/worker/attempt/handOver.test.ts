import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Job, Verdict } from '../../../../src/domain/task/attempt';
import type { FingerprintedRow } from '../../../../src/domain/task/approval';
import { createJob } from '../../../../src/worker/attempt/createJob';
import { recoverLost } from '../../../../src/worker/attempt/lostAttempts';
import { buildClaimRequest } from '../../../../src/worker/workerDeps';
import { reportCheck } from '../../../../src/worker/attempt/reportCheck';
import { runOne } from '../../../../src/worker/runOne';
import { work } from '../../../../src/worker/work';
import { Harness, taking, MINUTE_MS, SUCCESS, type ShortVerdict } from '../../../support/queue/workerHarness';
import { makeFolder } from '../../queue/folder';

const NEVER = new AbortController().signal;
const LARGE: ShortVerdict = { outcome: 'error', reason: 'exit-1', contextTokens: 160_000 };

describe('The next attempt of a task', () => {
  let harness: Harness;
  beforeEach(() => {
    harness = new Harness({}, undefined, { folder: makeFolder() });
  });

  /** The attempts come to these ends, the ones behind them succeed. */
  function put(...ends: readonly ShortVerdict[]): void {
    harness.put(1, {}, (run, stop) => taking(MINUTE_MS, ends[run.earlier] ?? SUCCESS)(run, stop));
  }

  const runAll = (): Promise<unknown> =>
    harness.clock.run(work(harness.createWorker(), { untilEmpty: true }, NEVER));
  const jobs = (): readonly Job[] => harness.runs.map(({ job }) => job);

  /** A worker claims the task, and dies before its run has started. */
  async function dieAtStart(next = harness.createWorker()): Promise<string> {
    const parts = harness.createWorker();
    const request = await buildClaimRequest(parts, { id: 1, override: { time: true } });
    const claimed = await harness.queue.claim(request, harness.createId());
    assert.equal(claimed.kind, 'claimed');
    harness.processes.alive.delete(parts.owner.process.pid);
    await recoverLost(next);
    return claimed.claim.session;
  }

  it('gets the reason of the last attempt, and the permissions allowed since', async () => {
    put({ outcome: 'error', reason: 'timeout', message: 'Too late.' });
    const readGrants = ({ id, power }: FingerprintedRow) =>
      Promise.resolve([`for ${String(id)} with ${power}`]);
    const parts = harness.createWorker({ readGrants });
    await harness.clock.run(work(parts, { untilEmpty: true }, NEVER));
    const [first, second] = jobs();
    assert.equal(first?.last, undefined);
    assert.deepEqual(
      [second?.last?.number, second?.last?.message, second?.resume, second?.session],
      [1, 'Too late.', 'retry', first?.session],
    );
    const { power } = (await harness.task(1)).state;
    assert.deepEqual(second?.grants, [`for 1 with ${power}`]);
  });

  it('gets nothing about attempts before an edit of its row', async () => {
    put({ outcome: 'error', reason: 'timeout' });
    await harness.clock.run(runOne(harness.createWorker(), {}, NEVER));
    harness.put(1, { prompt: 'Another prompt' });
    await runAll();
    assert.equal(jobs()[1]?.last, undefined);
  });

  it('resumes its session while that is small, and starts a new one when it is too large', async () => {
    put({ ...LARGE, contextTokens: 149_999 }, LARGE);
    await runAll();
    const [first, second, third] = jobs();
    assert.deepEqual([second?.session, second?.handOver], [first?.session, undefined]);
    assert.notEqual(third?.session, first?.session);
    assert.deepEqual([third?.handOver, third?.resume, third?.last?.number], [first?.session, 'retry', 2]);
  });

  it('resumes the new session from then on', async () => {
    put(LARGE, { outcome: 'error', reason: 'exit-1', contextTokens: 20_000 });
    await runAll();
    const [first, second, third] = jobs();
    assert.deepEqual([third?.session, third?.handOver], [second?.session, first?.session]);
    const attempts = await harness.queue.attempts({});
    assert.deepEqual(
      attempts.map(({ session }) => session),
      [third?.session, second?.session, first?.session],
    );
  });

  it('still replaces the large session if a worker died before the new one started', async () => {
    put(LARGE);
    await harness.clock.run(runOne(harness.createWorker(), {}, NEVER));
    const [first] = jobs();
    const planned = await dieAtStart();
    await runAll();
    const [, second] = jobs();
    assert.deepEqual([second?.session, second?.handOver], [planned, first?.session]);
  });

  it('does not resume a large session after its worker died either', async () => {
    put();
    const session = await dieAtStart();
    const tracesOf = ({ session: lost }: Pick<Job, 'session'>) =>
      Promise.resolve(lost === session ? { contextTokens: 160_000 } : {});
    const next = await dieAtStart(harness.createWorker({ runner: { ...harness.runner, tracesOf } }));
    assert.equal(next, session, 'at the first death nobody knew how large it was');
    await runAll();
    assert.deepEqual([jobs()[0]?.handOver, jobs()[0]?.resume], [session, 'lost']);
  });

  it('still replaces the large session if the new one can neither start nor resume', async () => {
    put(LARGE, { outcome: 'transient', reason: 'session-unusable' });
    await runAll();
    const [first, second, third] = jobs();
    assert.equal(new Set([first?.session, second?.session, third?.session]).size, 3);
    assert.equal(third?.handOver, first?.session);
  });

  it('has no session after a success, when it is due again', async () => {
    const daily = { kind: 'every', text: 'daily', everyMs: 86_400_000 } as const;
    harness.put(1, { repeat: daily }, (run, stop) =>
      taking(MINUTE_MS, run.earlier === 0 ? LARGE : SUCCESS)(run, stop),
    );
    for (let time = 0; time < 3; time += 1) {
      await harness.clock.run(runOne(harness.createWorker(), { id: 1, override: { time: true } }, NEVER));
    }
    const [, second, third] = jobs();
    assert.deepEqual([third?.handOver, third?.resume], [undefined, undefined]);
    assert.notEqual(third?.session, second?.session);
  });

  it('has the output of its check after its own, also on the screen', async () => {
    const parts = harness.createWorker();
    harness.put(1, { verify: ['npm', 'test'] });
    const claimed = await harness.queue.claim(await buildClaimRequest(parts, {}), harness.createId());
    assert.equal(claimed.kind, 'claimed');
    const job = await createJob(parts, claimed);
    mkdirSync(dirname(job.outputFile), { recursive: true });
    const check = { result: 'failed', exitCode: 1, ms: 5, output: 'one\ntwo' } as const;
    const verdict: Verdict = { ...SUCCESS, message: '', denials: [], usage: [], exitCode: 0, check };
    await reportCheck(parts, job, verdict);
    const said = ['1: The check failed: npm test (exit code 1)', '1: one', '1: two'];
    assert.deepEqual(
      harness.reported.map((line) => line.slice('18:00 '.length)),
      said,
    );
    const line: unknown = JSON.parse(readFileSync(job.outputFile, 'utf8'));
    assert.deepEqual(line, { type: 'check', command: ['npm', 'test'], ...check });

    mkdirSync(join(harness.folder, 'nowhere'));
    await reportCheck(parts, { ...job, outputFile: join(harness.folder, 'nowhere') }, verdict);
    assert.match(harness.reported.at(-1) ?? '', /trouble: The output of the check could not be written/);
  });
});
