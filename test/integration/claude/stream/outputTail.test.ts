import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OutputTail } from '../../../../src/claude/stream/outputTail';

const line = (content: string): string =>
  `${JSON.stringify({ type: 'system', subtype: 'informational', content })}\n`;

describe('The tail of an output', () => {
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'claude-task-queue-tail-'));
    file = join(folder, 'output');
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const readLast = (mostBytes: number): Promise<unknown> =>
    new OutputTail(file, { session: null, mostBytes }).read();

  it('has the lines that start in its last bytes, and no part of another one', async () => {
    const [first, last] = [line('one'), line('twö')];
    const bytes = Buffer.byteLength(last);
    writeFileSync(file, first + last);
    const whole = { type: 'notice', text: 'twö' };
    for (const more of [0, 1, 5, first.length - 1]) assert.deepEqual(await readLast(bytes + more), [whole]);
    for (const less of [1, 5, bytes - 1]) assert.deepEqual(await readLast(bytes - less), []);
    assert.deepEqual(await readLast(bytes + first.length), [{ type: 'notice', text: 'one' }, whole]);
  });

  it('has no part of a line that was not complete at the first read', async () => {
    const long = line('x'.repeat(100));
    writeFileSync(file, long.slice(0, 80));
    const tail = new OutputTail(file, { session: null, mostBytes: 20 });
    assert.deepEqual(await tail.read(), []);
    appendFileSync(file, long.slice(80, 90));
    assert.deepEqual(await tail.read(), []);
    appendFileSync(file, long.slice(90) + line('next'));
    assert.deepEqual(await tail.read(), [{ type: 'notice', text: 'next' }]);
  });
});
