import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { openPlace } from '../../support/queue/queuePlace';

describe('A check of this machine', () => {
  it('finds Claude Code, its sign-in, git, Node and the folders in order, without a question', async () => {
    const { queue, api } = await openPlace();
    await queue.trust([{ id: 1, prompt: 'Do it' }]);
    const { code, stdout } = await queue.run('check');
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^ok .*\/claude {2}Claude Code 2\.1\.\d+.*, a tested version\.$/m);
    assert.match(stdout, /^ok .*Attempts are billed to the subscription of the token/m);
    for (const part of ['working directories', 'git', 'clock'])
      assert.match(stdout, new RegExp(`^ok +${part} `, 'm'));
    assert.match(stdout, /^ok .*Node \d+\.\d+\.\d+\.$/m);
    assert.match(stdout, /\nNo problems\.\n$/);
    assert.deepEqual(api.requests, []);
  });

  it('shows how to fix each missing thing; doing that fixes it', async () => {
    const { queue, home } = await openPlace({ signIn: 'none' });
    const bin = join(home.folder, 'bin');
    mkdirSync(bin);
    symlinkSync(process.execPath, join(bin, 'node'));
    await queue.trust([{ id: 1, prompt: 'Do it', working_dir: 'work' }]);
    const nothing = await queue.run('check', { CLAUDE_QUEUE_CLAUDE: '', PATH: bin });
    assert.equal(nothing.code, 1);
    assert.match(nothing.stdout, /:2:1 {2}The working directory .*\/work of task 1 does not exist/);
    assert.match(nothing.stdout, /^claude {2}There is no program "claude" on the PATH/m);
    assert.match(nothing.stdout, /^note +git .*Install git/m);

    mkdirSync(join(queue.folder, 'work'));
    const unsigned = await queue.run('check');
    assert.equal(unsigned.code, 1);
    assert.match(
      unsigned.stdout,
      /^\S+\/claude {2}Claude Code is not signed in\. Run "claude" and then \/login\.$/m,
    );
    assert.match(unsigned.stdout, /\n1 problem\.\n$/);

    const fixed = await queue.run('check', { CLAUDE_CODE_OAUTH_TOKEN: 'made-up' });
    assert.deepEqual([fixed.code, fixed.stdout.endsWith('\nNo problems.\n')], [0, true], fixed.stdout);
    rmSync(bin, { recursive: true });
  });
});
