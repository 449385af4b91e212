import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runNotify } from '../../../../src/app/notify/notifyCommand';
import { createWorld } from '../../../../src/domain/reasons/world';
import { OPEN_GATE } from '../../../../src/domain/gate/gate';
import { systemClock } from '../../../../src/platform/clock';
import { Harness } from '../../../conformance/harness';
import { openMemory } from '../../../conformance/memorySystemUnderTest';
import { NotifyProgram } from '../../../support/machine/notifyProgram';

it('A hanging notify command is killed after 10 s, and not run again for the same notice', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'notify-'));
  try {
    const harness = new Harness();
    await harness.open(openMemory);
    const { approvedRows, settings, now, queue } = harness;
    const snapshot = await queue.read();
    const world = createWorld({
      queue: snapshot,
      gate: OPEN_GATE,
      approvedRows,
      settings,
      now,
      timeZone: 'UTC',
    });
    const program = new NotifyProgram(folder);
    const warnings: string[] = [];
    const env = { HOME: folder };
    const warn = (line: string): unknown => warnings.push(line);
    const place = { env, clock: systemClock, queueFile: 'q', warn };
    const notice = { kind: 'timer-late', timer: 'crontab', expectedAt: now } as const;
    await runNotify(program.command('hang'), notice, { snapshot, world }, place);
    assert.equal(program.runs().length, 1);
    assert.match(
      warnings.join('\n'),
      /^The notify command ".*" failed once for "The timer.*": it was killed after 10 s\./,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
