import assert from 'node:assert/strict';
import { version } from '../../../package.json';
import { CliHarness } from './cliHarness';

describe('claude-queue', () => {
  let cli: CliHarness;
  beforeEach(() => {
    cli = new CliHarness();
  });
  afterEach(() => cli.remove());

  it('prints its version and help, and that it is not made by Anthropic', async () => {
    assert.deepEqual(await cli.call('--version'), { code: 0, out: version, err: '' });
    const { code, out } = await cli.call('--help');
    assert.equal(code, 0);
    assert.match(out, /Not made by Anthropic/);
    assert.equal((await cli.call('add', '--help')).code, 0);
  });

  it('lists its commands under headings, without a word that is the same for nearly all', async () => {
    const { out } = await cli.call('--help');
    const [, ...groups] = out.split('\n\n').filter((block) => /^[A-Z].*:\n/.test(block));
    const commands = groups.map((block) => block.match(/^ {2}[a-z]+/gm)?.map((name) => name.trim()) ?? []);
    assert.deepEqual(commands[0], ['init', 'add', 'edit', 'move', 'rm', 'import', 'export']);
    assert.deepEqual(commands.at(-1), ['settings', 'adopt', 'reset', 'completion', 'help']);
    assert.equal(new Set(commands.flat()).size, commands.flat().length);
    assert.doesNotMatch(out, /^Commands:$|^ {2}[a-z|]+ \[options\]/m);
  });

  const WRONG: readonly (readonly [why: string, ...args: string[]])[] = [
    ['no command at all'],
    ['a command that there is not', 'fly'],
    ['an option that there is not', 'status', '--fly'],
    ['an option without its value', 'status', '--queue'],
    ['a task without its id', 'retry'],
    ['an id that is none', 'cancel', 'x'],
    ['an id that is zero', 'accept', '0'],
    ['too many words', 'status', 'more'],
    ['a prompt of nothing', 'add', '   '],
    ['an end that is no time', 'work', '--until', 'soon'],
    ['a count that is none', 'work', '--max-tasks', '-1'],
    ['a cost that is none', 'work', '--max-cost', 'much'],
    ['a number of windows that is none', 'work', '--max-windows', '0'],
    ['a number of workers that is none', 'work', '--workers', '0'],
    ['a range of workers that runs backwards', 'work', '--workers', '3-2'],
    ['a pool that there is not', 'work', '--pool', 'fast'],
    ['users without a name', 'work', '--users', 'ada,,bob'],
    ['a way to stop that is none', 'work', '--with-windows', 'later'],
    ['an id to run that is none', 'run', '--id', '1.5'],
    ['an id to attach to that is none', 'attach', 'x'],
    ['an id that is done that is none', 'done', 'x'],
  ];
  for (const [why, ...args] of WRONG) {
    it(`exits with 64 and the error for ${why}`, async () => {
      cli.write();
      const { code, err, out } = await cli.call(...args);
      assert.equal(code, 64, out);
      assert.notEqual(err, '');
      assert.doesNotMatch(err, /\n {4}at /);
    });
  }

  it('reports a missing queue file and how to make one', async () => {
    for (const name of ['status', 'approve', 'hold', 'stop', 'reset', 'usage', 'next', 'done', 'attach']) {
      const { code, err } = await cli.call(name);
      assert.equal(code, 1, name);
      assert.match(err, /There is no queue file .*prompts\.csv\. .*claude-queue init/);
    }
  });

  it('opens another queue file by its name', async () => {
    await cli.call('--queue', 'other.csv', 'init');
    const { code, out } = await cli.call('--queue', 'other.csv', 'status');
    assert.equal(code, 0);
    assert.match(out, /other\.csv: 0 tasks\./);
  });

  it('reports a refusal of the system in one line', async () => {
    cli.writeFile('prompts.csv', '');
    const { code, err } = await cli.call('--queue', 'claude_queue', 'status');
    assert.equal(code, 1);
    assert.match(err, /claude_queue is a folder, not a regular file\./);
    assert.doesNotMatch(err, /\n {4}at /);
  });

  it('shows the stack of an unexpected error', async () => {
    cli.write();
    cli.processes = {
      ...cli.processes,
      self: () => {
        throw new TypeError('A bug.');
      },
    };
    const { code, err } = await cli.call('trust');
    assert.equal(code, 1);
    assert.match(err, /^TypeError: A bug\.\n {4}at /);
  });
});
