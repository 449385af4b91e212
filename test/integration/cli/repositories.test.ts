import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliHarness } from './cliHarness';

describe('A task in a repository', () => {
  let cli: CliHarness;
  let checkout: string;
  beforeEach(async () => {
    cli = new CliHarness();
    cli.installClaude('ok');
    checkout = join(cli.workspace, 'checkout');
    mkdirSync(checkout);
    cli.write('1,high,repo:web,Do it,pending,,,no,,0,3', '2,low,.,Do it too,pending,,,no,,0,3');
    await cli.call('trust');
  });
  afterEach(() => cli.remove());

  const mapRepository = (folder: string): void => {
    const config = join(cli.env['XDG_CONFIG_HOME'] ?? '', 'claude-queue');
    mkdirSync(config, { recursive: true });
    writeFileSync(join(config, 'config.yaml'), `repositories:\n  web: ${folder}\n`);
  };

  it('that this machine does not have is left to others, and says so', async () => {
    assert.deepEqual(await cli.shown(1), ['waiting', 'repository web is not on this machine']);
    const { code, out } = await cli.call('work', '--until-empty');
    assert.equal(code, 0, out);
    assert.match(out, /^Ran 1 attempt\.$/m);
    assert.match(cli.read(), /^1,high,repo:web,Do it,pending,/m);
    const byName = await cli.call('run', '--id', '1');
    assert.match(byName.out, /^Nothing runs: .*repository web is not on this machine.*\.$/m);
    const byHand = await cli.call('next');
    assert.match(byHand.out, /^There is no next task: .*repository web is not on this machine\.$/m);
  });

  it('that this machine does not have does not hide what its worker waits for', async () => {
    cli.write('1,high,repo:web,Do it,pending,,,no,,0,3', '2,low,.,Later,pending,2026-11-21 09:00,,no,,0,3');
    const { out } = await cli.call('work', '--until-empty');
    assert.match(out, /^Nothing runs: not before 2026-11-21 09:00\.$/m);
  });

  it('runs in its folder on this machine, with the approval of its text', async () => {
    mapRepository(checkout);
    assert.deepEqual(await cli.shown(1), ['ready', '']);
    const { out: json } = await cli.call('show', '1', '--json');
    const { workingDir, folder } = JSON.parse(json) as { workingDir: string; folder: string };
    assert.deepEqual([workingDir, folder], ['repo:web', checkout]);
    const taken = await cli.call('next');
    assert.match(taken.out, new RegExp(`^Start claude in ${checkout} and`, 'm'));
    assert.match(cli.read('NEXT_TASK.md'), new RegExp(`^- Working directory: ${checkout}$`, 'm'));
    await cli.call('release');
    assert.match((await cli.call('run', '--id', '1')).out, /Task 1 ended: success/);
  });

  it('keeps its approval when the repository moves, but not when its text changes', async () => {
    mapRepository(checkout);
    await cli.call('trust', '--off');
    assert.equal((await cli.shown(1))?.[0], 'unapproved');
    await cli.call('approve');
    await cli.call('approve', '1');
    assert.equal((await cli.shown(1))?.[0], 'ready');
    mapRepository(cli.workspace);
    assert.equal((await cli.shown(1))?.[0], 'ready');
    cli.write('1,high,repo:web/src,Do it,pending,,,no,,0,3');
    assert.equal((await cli.shown(1))?.[0], 'unapproved');
  });

  it('is found by check, with where the repository is', async () => {
    const missing = await cli.call('check');
    assert.match(
      missing.out,
      /^note .*prompts\.csv:2:1 {2}The repository web of task 1 is not on this machine, so the task waits for another one\./m,
    );
    mapRepository(checkout);
    assert.match((await cli.call('check')).out, new RegExp(`^ok +repository web +is ${checkout}\\.$`, 'm'));
    mapRepository(join(cli.workspace, 'gone'));
    const gone = await cli.call('check');
    assert.match(
      gone.out,
      /The working directory \S+\/gone \(through repo:web\) of task 1 does not exist\. Create it/,
    );
  });

  it('is added by its name', async () => {
    const { err } = await cli.call('add', 'More', '--dir', 'repo:web/docs');
    assert.match(err, /^The repository web of task 3 is not on this machine/);
    assert.match(cli.read(), /^3,medium,repo:web\/docs,More,/m);
  });
});
