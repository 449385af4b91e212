import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSystem, type System } from '../../../../src/cli/system';

type Written = (error?: Error | null) => void;

describe('Output for another program', () => {
  let folder: string;
  let fd: number;

  afterEach(() => {
    closeSync(fd);
    rmSync(folder, { recursive: true, force: true });
  });

  /** Returns the system of a process whose standard output is this file, and whose stream ends each write so. */
  function systemWith(file: string, end: (written: Written) => void): System {
    folder = mkdtempSync(join(tmpdir(), 'claude-task-queue-output-'));
    fd = openSync(file === '' ? join(folder, 'output') : file, 'w');
    const stream = { isTTY: false, fd, on: () => undefined };
    const stdout = Object.assign(stream, { write: (_text: unknown, written: Written) => end(written) });
    const program = Object.create(process) as NodeJS.Process;
    Object.defineProperty(program, 'stdout', { value: stdout });
    return createSystem(program);
  }

  it('on a full disk is a failure', async () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    const system = systemWith('/dev/null', (written) => written(full));
    await assert.rejects(system.outExactly('id,prompt\n'), {
      reason: 'output-unwritable',
      message: 'Standard output was not written: the disk is full. Make room, then try again.',
    });
  });

  it('that nobody reads any more is none', async () => {
    const closed = Object.assign(new Error('EPIPE: broken pipe'), { code: 'EPIPE' });
    await systemWith('/dev/null', (written) => written(closed)).outExactly('id,prompt\n');
  });

  it('is written to a file by its bytes, not by the stream, which would not notice a short write', async () => {
    const text = 'id,prompt\n'.repeat(100_000);
    await systemWith('', () => assert.fail()).outExactly(text);
    assert.equal(readFileSync(join(folder, 'output'), 'utf8'), text);
  });
});
