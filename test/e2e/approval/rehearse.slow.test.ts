import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAbout, openPlace } from '../../support/queue/queuePlace';
import { text, tool } from '../../support/claude/replies';

interface Rehearsal {
  readonly tasks: readonly {
    readonly id: number;
    readonly approved: boolean;
    readonly trusted: boolean;
    readonly hasRun: boolean;
    readonly mode: string;
    readonly tools: readonly string[];
    readonly refused: readonly { readonly rule: string | null }[];
  }[];
}

describe('A rehearsal', () => {
  it('lists tasks that never ran with their present permissions and tools that were refused, and runs nothing', async () => {
    const place = await openPlace({
      respond: (turn) =>
        isAbout(turn, 'Build') && turn.toolResults === 0
          ? tool('Bash', { command: 'python3 -c pass', description: 'build' })
          : text('Done.'),
    });
    const { queue } = place;
    const every = { repeat: 'yes', repeat_interval: 'daily' };
    const rows = [
      { id: 1, prompt: 'Sweep', ...every },
      { id: 2, prompt: 'Build', ...every },
    ];
    queue.write(rows);
    await queue.approve('--all');
    assert.equal((await queue.run('work --until-empty')).code, 0);
    queue.write([...rows, { id: 3, prompt: 'New', permission_mode: 'plan' }]);
    const turns = place.api.turns().length;

    const { tasks } = JSON.parse((await queue.run('rehearse --json')).stdout) as Rehearsal;
    assert.deepEqual(
      tasks.map(({ id, approved, hasRun, mode, refused }) => [id, approved, hasRun, mode, refused.length]),
      [
        [1, true, true, 'acceptEdits', 0],
        [2, true, true, 'acceptEdits', 1],
        [3, false, false, 'plan', 0],
      ],
    );
    assert.deepEqual(
      tasks.map(({ trusted }) => trusted),
      [false, false, false],
    );
    const { stdout } = await queue.run('rehearse');
    assert.match(stdout, /^3 tasks may run in the next 24 hours\. Nothing was run\.\n/);
    assert.match(
      stdout,
      /Never finished in their present form.*:\n {2}3 {2}New\n.*only read and plan[^]*waits for approval/,
    );
    assert.match(stdout, /refused the last time: Bash python3 -c pass \("claude-queue allow 2"\)/);
    assert.match(stdout, /nothing refused: 1\.$/m);

    assert.equal((await queue.run('allow 2 --all')).code, 0);
    const after = JSON.parse((await queue.run('rehearse --json')).stdout) as Rehearsal;
    assert.deepEqual(
      after.tasks.filter(({ id }) => id === 2).map(({ hasRun, tools, refused }) => [hasRun, tools, refused]),
      [[false, ['Bash(python3 -c pass)'], []]],
    );
    assert.equal(place.api.turns().length, turns);
  });

  it('checks the folders that the user of the machine allows', async () => {
    const { queue, home } = await openPlace();
    const allowed = join(home.workspace, 'work');
    mkdirSync(allowed);
    const config = join(home.env['XDG_CONFIG_HOME'] ?? '', 'claude-queue');
    mkdirSync(config, { recursive: true });
    writeFileSync(join(config, 'config.yaml'), `allowedDirectories: ['${allowed}']\n`);
    await queue.trust([
      { id: 1, prompt: 'Inside', working_dir: 'work' },
      { id: 2, prompt: 'Outside' },
    ]);
    const { tasks } = JSON.parse((await queue.run('rehearse --json')).stdout) as Rehearsal;
    assert.deepEqual(
      tasks.map(({ id }) => id),
      [1],
    );
    assert.match((await queue.run('check')).stdout, /outside of the allowed folders/);
    assert.equal((await queue.run('work --until-empty')).code, 0);
    assert.match(queue.log('executed'), /Inside/);
    assert.doesNotMatch(queue.log('executed'), /Outside/);
  });
});
