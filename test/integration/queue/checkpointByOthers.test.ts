import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OPEN_GATE } from '../../../src/domain/gate/gate';
import { defaults } from '../../../src/domain/settings/settings';
import { systemClock } from '../../../src/platform/clock';
import { systemProcesses } from '../../../src/platform/processes/processes';
import { openFileQueue } from '../../../src/queue/openQueue';
import type { Claimed, TaskQueue } from '../../../src/queue/taskQueue';
import { makeFolder } from './folder';
import { OWN_HISTORY } from '../../support/queue/ownHistory';

const ROWS = { timeZone: 'UTC', folder: '/w', home: '/home/me', allowBypass: false };
const SELF = systemProcesses.self();

function openQueue(file: string): Promise<TaskQueue> {
  return openFileQueue({
    file,
    rows: () => ROWS,
    machine: { id: 'here', isAlive: () => true },
    known: OWN_HISTORY,
    clock: systemClock,
    warn: (message) => assert.fail(message),
  });
}

async function claimNext(queue: TaskQueue, worker: string): Promise<Claimed> {
  const answer = await queue.claim(
    {
      owner: { kind: 'process', worker, machine: 'here', process: SELF },
      since: 0,
      gate: OPEN_GATE,
      approvedRows: { trusted: true, approvals: new Set() },
      settings: { ...defaults, maxRunning: 8 },
      timeZone: 'UTC',
      freshSession: '00000000-0000-4000-8000-000000000000',
    },
    `claim-${worker}`,
  );
  assert.ok(answer.kind === 'claimed', JSON.stringify(answer));
  return answer;
}

describe("A worker after another worker's checkpoint", () => {
  it('continues, imports edits at once, and makes checkpoints of its own changes', async () => {
    const file = join(makeFolder(), 'prompts.csv');
    const text = (...rows: readonly string[]): string =>
      [
        'id,working_dir,prompt,status',
        ...rows.map((row, index) => `${index + 1},/w/${index},${row}`),
        '',
      ].join('\n');
    writeFileSync(file, text('a,pending', 'b,pending', 'c,pending', 'd,pending'));
    const [one, two] = [await openQueue(file), await openQueue(file)];
    assert.equal((await claimNext(one, '1')).claim.id, 1);
    await one.sync();
    assert.equal((await claimNext(two, '2')).claim.id, 2);
    writeFileSync(file, text('a,running', 'b,pending', 'C,pending', 'd,skipped'));
    const { claim, definition } = await claimNext(two, '3');
    assert.deepEqual([claim.id, definition.prompt], [3, 'C']);
    await two.sync();
    assert.equal(readFileSync(file, 'utf8'), text('a,running', 'b,running', 'C,running', 'd,skipped'));
    await one.close();
    await two.close();
  });
});
