import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CliHarness } from './cliHarness';

let theirs: CliHarness;
let ours: CliHarness;

/** Copies the journal of the other queue to these names of the own archive. */
function copyToArchive(...names: readonly string[]): void {
  const { state } = ours.paths;
  mkdirSync(state.of('archive'), { recursive: true });
  for (const name of names) cpSync(theirs.paths.state.of('journal'), join(state.of('archive'), name));
}

/** Runs the task, and expects that its start can be decided again. */
async function assertReplayed(cli: CliHarness): Promise<void> {
  await cli.call('trust');
  assert.equal((await cli.call('run')).code, 0);
  cli.now += 60_000;
  assert.match((await cli.call('replay', '--since', '1h')).out, /1 start: 1 the same/);
  assert.match((await cli.call('why', '1', '--at', '30s')).out, /^Task 1 at /);
}

describe('The past of another history', () => {
  beforeEach(async () => {
    theirs = new CliHarness();
    ours = new CliHarness();
    for (const cli of [theirs, ours]) {
      cli.installClaude('ok');
      cli.write('1,high,.,Do it,pending,,,no,,0,3');
    }
    await theirs.call('trust');
    assert.equal((await theirs.call('run')).code, 0);
  });
  afterEach(() => {
    for (const cli of [theirs, ours]) cli.remove();
  });

  it('leaves the archive at reset, and does not hide the history that follows', async () => {
    cpSync(theirs.paths.state.folder, ours.paths.state.folder, { recursive: true });
    copyToArchive('journal', 'journal.2');
    assert.equal((await ours.call('reset')).code, 0);
    const folder = ours.paths.state.of('archive');
    const [archive = '', ...more] = readdirSync(folder);
    assert.deepEqual(more, []);
    assert.deepEqual(readdirSync(join(folder, archive, 'archive')), ['journal', 'journal.2']);
    await assertReplayed(ours);
  });

  it('does not hide that of the own history', async () => {
    copyToArchive('journal');
    await assertReplayed(ours);
  });
});
