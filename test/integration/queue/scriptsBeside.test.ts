import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isProblem } from '../../../src/domain/problem';
import { makeFolder } from './folder';
import { eleven, openFile } from './ownedFile';

describe('A queue on which queue_manager.sh starts', () => {
  it('records the end of an attempt, gives no next task, and continues after the script has ended', async () => {
    const { harness, file } = await openFile(
      eleven('1,high,/w,First,pending,,,no,,0,3', '2,high,/w,Second,pending,,,no,,0,3'),
    );
    const claimed = await harness.claim();
    const script = join(makeFolder(), 'queue_manager.sh');
    writeFileSync(script, 'echo ready\nread -r line\n');
    const running = spawn('/bin/bash', [script, 'run'], { stdio: ['pipe', 'pipe', 'ignore'] });
    const ended = once(running, 'exit');
    try {
      await once(running.stdout, 'data');
      const lock = join(file.folder, 'state', 'queue.lock');
      writeFileSync(lock, `${String(running.pid)}\n`);
      const end = { ...(await harness.endOf(claimed, 'success')), definition: claimed.definition };
      const next = await file.queue.finish(claimed.claim, end, harness.op(), harness.request());
      assert.equal(next, undefined);
      assert.equal((await harness.state(1)).status, 'completed');
      await assert.rejects(harness.claim(), (error) => {
        return isProblem(error, 'queue-locked') && error.message.includes(`pid ${String(running.pid)}`);
      });
      rmSync(lock);
      assert.equal((await harness.claim()).definition.id, 2);
    } finally {
      running.kill('SIGKILL');
      await ended;
    }
  });
});
