import assert from 'node:assert/strict';
import { createRunProgram } from '../../../../src/platform/processes/programs';

const run = createRunProgram({ GIVEN: 'yes' });
const runNode = (code: string, input?: Buffer) => run(process.execPath, ['-e', code], input);

describe('A program of the system', () => {
  it('gets its input and environment, and returns every byte of its output', async () => {
    const bytes = Buffer.from([0, 0x80, 0xff, 0x0a, 0xe6, 0x97, 0xa5]);
    const code = 'process.stdin.pipe(process.stdout); process.stderr.write(JSON.stringify(process.env))';
    const ran = await runNode(code, bytes);
    assert.deepEqual([ran?.code, Buffer.from(ran?.out ?? '', 'latin1')], [0, bytes]);
    const env = JSON.parse(ran?.err ?? '') as Record<string, string>;
    assert.deepEqual([env['GIVEN'], env['LC_ALL'], env['HOME']], ['yes', 'C', undefined]);
  });

  it('returns its exit code; the end by a signal is a failure', async () => {
    assert.equal((await runNode('process.exit(113)'))?.code, 113);
    assert.equal((await runNode('process.kill(process.pid, "SIGKILL")'))?.code, 1);
  });

  it('can leave its input unread', async () => {
    assert.equal((await runNode('process.exit(3)', Buffer.alloc(1_000_000)))?.code, 3);
  });

  it('is null if it does not exist', async () => {
    assert.equal(await run('no-such-program', []), null);
  });
});
