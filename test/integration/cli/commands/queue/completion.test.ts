import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliHarness } from '../../cliHarness';

describe('Shell completion', () => {
  let cli: CliHarness;
  beforeEach(() => {
    cli = new CliHarness();
  });
  afterEach(() => cli.remove());

  /** Returns bash's offers for the last of these words. */
  async function offer(...words: readonly string[]): Promise<string[]> {
    const script = join(cli.folder, 'completion.bash');
    writeFileSync(script, (await cli.call('completion', 'bash')).out);
    const typed = words.map((word) => `'${word}'`).join(' ');
    const { stdout, stderr, status } = spawnSync(
      'bash',
      [
        '--norc',
        '-c',
        `source '${script}'; COMP_WORDS=(claude-queue ${typed}); COMP_CWORD=${String(words.length)}; _claude_queue; printf '%s\\n' "\${COMPREPLY[@]}"`,
      ],
      { encoding: 'utf8' },
    );
    assert.equal(status, 0, stderr);
    return stdout.split('\n').filter((line) => line !== '');
  }

  it('offers commands and their aliases', async () => {
    assert.deepEqual(await offer('re'), [
      ...['remove', 'rehearse', 'resume', 'review', 'retry', 'report', 'replay', 'release', 'reset'],
    ]);
    assert.deepEqual(await offer('--queue', 'q.csv', 'pau'), ['pause']);
  });

  it('offers the options of the typed command', async () => {
    assert.deepEqual(await offer('add', '--prio'), ['--priority']);
    assert.deepEqual(await offer('--color', 'never', 'ls', '--al'), ['--all']);
    assert.deepEqual(await offer('stop', '--prio'), []);
  });

  it('offers the values of an option, or leaves files to the shell', async () => {
    assert.deepEqual(await offer('--color', 'a'), ['auto', 'always']);
    assert.deepEqual(await offer('add', '--from', ''), []);
  });

  it('offers the values that an option has with the typed command', async () => {
    assert.deepEqual(await offer('report', '--by', ''), ['day', 'task', 'user']);
    assert.deepEqual(await offer('--color', 'never', 'status', '--by', 'u'), ['user']);
    assert.deepEqual(await offer('schedule', '--by', 's'), ['systemd']);
    assert.deepEqual(await offer('add', '--every', ''), []);
    assert.deepEqual(await offer('ls', '--color', 'n'), ['never']);
  });

  for (const shell of ['bash', 'zsh', 'fish']) {
    it(`has every command in ${shell}, and no syntax error`, async function () {
      const { code, out } = await cli.call('completion', shell);
      assert.equal(code, 0);
      const { out: help } = await cli.call('--help');
      for (const [, name = ''] of help.matchAll(/^ {2}([a-z]+)[| ]/gm))
        if (name !== 'help') assert.match(out, new RegExp(`\\b${name}\\b`));
      const script = join(cli.folder, 'script');
      writeFileSync(script, out);
      const { error, status, stderr } = spawnSync(shell, ['-n', script], { encoding: 'utf8' });
      if (error !== undefined) {
        assert.equal(process.env['CI'], undefined, `${shell} is not on this machine`);
        this.skip();
      }
      assert.equal(status, 0, stderr);
    });
  }

  it('offers commands in fish also after an option with a value', async function () {
    const { out } = await cli.call('completion', 'fish');
    const script = join(cli.folder, 'script');
    writeFileSync(script, `${out}\n`);
    const ask = `source ${script}; complete --do-complete 'claude-queue --queue team.csv schedu'`;
    const { error, stdout } = spawnSync('fish', ['--no-config', '-c', ask], { encoding: 'utf8' });
    if (error !== undefined) {
      assert.equal(process.env['CI'], undefined, 'fish is not on this machine');
      this.skip();
    }
    assert.match(stdout, /^schedule\t/);
  });

  it('is refused for an unknown shell', async () => {
    const { code, err } = await cli.call('completion', 'cmd');
    assert.equal(code, 64);
    assert.match(err, /bash, zsh, fish/);
  });
});
