import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Look } from '../../../../src/app/notify/dueNotices';
import { runNotify, type NotifyPlace } from '../../../../src/app/notify/notifyCommand';
import { NotifyRuns } from '../../../../src/app/notify/notifyRuns';
import { createWorld } from '../../../../src/domain/reasons/world';
import { OPEN_GATE } from '../../../../src/domain/gate/gate';
import { systemClock, type Clock } from '../../../../src/platform/clock';
import { Harness, workerOf } from '../../../conformance/harness';
import { openMemory } from '../../../conformance/memorySystemUnderTest';
import { NotifyProgram } from '../../../support/machine/notifyProgram';

const NOTICE = { kind: 'timer-late', timer: 'crontab', expectedAt: 0 } as const;
const OUTBOX = [{ notice: NOTICE, at: 0, senders: {}, sent: [] }];

async function createLook(): Promise<Look> {
  const harness = new Harness();
  await harness.open(openMemory);
  const { approvedRows, settings, now, queue } = harness;
  const snapshot = await queue.read();
  const around = { gate: OPEN_GATE, approvedRows, settings, now, timeZone: 'UTC' };
  return { snapshot, world: createWorld({ queue: snapshot, ...around }) };
}

describe('The notify command', () => {
  let folder: string;
  let program: NotifyProgram;
  let look: Look;
  const warnings: string[] = [];
  const placeAt = (clock: Clock): NotifyPlace => ({
    env: { HOME: folder },
    clock,
    queueFile: 'q',
    warn: (line) => warnings.push(line),
  });

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'notify-'));
    program = new NotifyProgram(folder);
    warnings.length = 0;
    look = await createLook();
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('that hangs is killed after 10 s, and not run again at once', async () => {
    const failure = await runNotify(program.command('hang'), NOTICE, look, placeAt(systemClock));
    assert.equal(failure, 'it was killed after 10 s');
    assert.equal(program.runs().length, 1);
  });

  it('that fails is run again after 10 s, then after 30 s, and warns once', async () => {
    let now = 0;
    const runs = new NotifyRuns(placeAt({ now: () => now, sleep: () => Promise.resolve() }));
    const send = (act: 'fail' | 'end'): Promise<unknown> => runs.send(program.command(act), [NOTICE], look);
    assert.deepEqual(await send('fail'), []);
    assert.equal(runs.nextRunAt(OUTBOX), 10_000);
    now = 9_999;
    assert.deepEqual(await send('fail'), []);
    assert.equal(program.runs().length, 3);
    now = 10_000;
    assert.deepEqual(await send('fail'), []);
    assert.equal(runs.nextRunAt(OUTBOX), 40_000);
    assert.equal(program.runs().length, 6);
    assert.equal(warnings.length, 1);
    assert.match(warnings.join(), /^The notify command ".*" failed for "The timer.*exit code 3/);
  });

  it('that was corrected is run at once', async () => {
    const runs = new NotifyRuns(placeAt({ now: () => 0, sleep: () => Promise.resolve() }));
    const send = (act: 'fail' | 'end'): Promise<unknown> => runs.send(program.command(act), [NOTICE], look);
    assert.deepEqual(await send('fail'), []);
    assert.deepEqual(await send('end'), [NOTICE]);
    assert.equal(runs.nextRunAt(OUTBOX), Infinity);
  });

  it('is not run again for what another process has sent', async () => {
    const runs = new NotifyRuns(placeAt({ now: () => 0, sleep: () => Promise.resolve() }));
    assert.deepEqual(await runs.send(program.command('fail'), [NOTICE], look), []);
    assert.equal(runs.nextRunAt(OUTBOX.map((entry) => ({ ...entry, sent: ['worker'] as const }))), Infinity);
  });

  it('is run by a window beside a worker only until it succeeds for what has failed there', async () => {
    const runs = new NotifyRuns(placeAt({ now: () => 0, sleep: () => Promise.resolve() }));
    const workers = [{ owner: workerOf(1), since: 0 }];
    const beside = {
      snapshot: { ...look.snapshot, workers, outbox: OUTBOX },
      world: { ...look.world, settings: { ...look.world.settings, notify: program.command('fail') } },
    };
    assert.equal(runs.isForWindow(beside), false);
    assert.deepEqual(await runs.send(program.command('fail'), [NOTICE], look), []);
    assert.equal(runs.isForWindow(beside), true);
    assert.deepEqual(await runs.send(program.command('end'), [NOTICE], look), [NOTICE]);
    assert.equal(runs.isForWindow(beside), false);
  });
});
