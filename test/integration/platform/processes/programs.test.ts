import assert from 'node:assert/strict';
import { createRunProgram } from '../../../../src/platform/processes/programs';

const run = createRunProgram({ GIVEN: 'yes' });
const runNode = (code: string, input?: Buffer) => run(process.execPath, ['-e', code], input);

describe('A program of the system', () => {
  it('is given its input and its environment, and every byte of its answer comes back', async () => {
    const bytes = Buffer.from([0, 0x80, 0xff, 0x0a, 0xe6, 0x97, 0xa5]);
    const code = 'process.stdin.pipe(process.stdout); process.stderr.write(JSON.stringify(process.env))';
    const ran = await runNode(code, bytes);
    assert.deepEqual([ran?.code, Buffer.from(ran?.out ?? '', 'latin1')], [0, bytes]);
    const env = JSON.parse(ran?.err ?? '') as Record<string, string>;
    assert.deepEqual([env['GIVEN'], env['LC_ALL'], env['HOME']], ['yes', 'C', undefined]);
  });

  it('tells its exit code; one that a signal ended has failed', async () => {
    assert.equal((await runNode('process.exit(113)'))?.code, 113);
    assert.equal((await runNode('process.kill(process.pid, "SIGKILL")'))?.code, 1);
  });

  it('need not read its input', async () => {
    assert.equal((await runNode('process.exit(3)', Buffer.alloc(1_000_000)))?.code, 3);
  });

  it('is null where there is none', async () => {
    assert.equal(await run('no-such-program', []), null);
  });
});
