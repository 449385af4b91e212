import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliHarness } from './cliHarness';

describe('A prompt file', () => {
  let cli: CliHarness;

  beforeEach(async () => {
    cli = new CliHarness();
    await cli.call('init');
    mkdirSync(join(cli.workspace, 'notes'));
    write('# Tidy up the cellar\n\nFirst the shelves.\n');
  });
  afterEach(() => cli.remove());

  function write(text: string): void {
    writeFileSync(join(cli.workspace, 'notes', 'task.md'), text);
  }

  const lastRow = (): string | undefined => cli.read().trimEnd().split('\n').at(-1);

  it('is named from the current folder, and its first line is the title', async () => {
    cli.cwd = join(cli.workspace, 'notes');
    assert.equal((await cli.call('add', '--prompt-file', 'task.md')).code, 0);
    assert.equal(lastRow(), '1,medium,notes,Tidy up the cellar,pending,,,no,,0,3,notes/task.md');
    assert.deepEqual(await cli.shown(1), ['ready', '']);
    const { out } = await cli.call('show', '1');
    assert.match(
      out,
      /prompt in notes\/task\.md[^]*\n {4}Tidy up the cellar\n\nnotes\/task\.md:\n {4}# Tidy up the cellar\n/,
    );
    const shown = JSON.parse((await cli.call('show', '1', '--json')).out) as { promptFile: unknown };
    assert.deepEqual(shown.promptFile, {
      path: 'notes/task.md',
      text: '# Tidy up the cellar\n\nFirst the shelves.\n',
    });
  });

  it('is shown without secrets and with its invisible characters visible, as is a prompt', async () => {
    const secret = 'sk-ant-0123456789abcdefghij';
    write(`Fine\u202e ${secret}`);
    await cli.call('add', '--prompt-file', 'notes/task.md', `Hidden\u200b ${secret}`);
    const { out } = await cli.call('show', '1');
    assert.match(out, /Hidden\\u200b/);
    assert.match(out, /Fine\\u202e/);
    assert.doesNotMatch(out, new RegExp(`\u200b|\u202e|${secret}`));
  });

  it('keeps the title that was given', async () => {
    await cli.call('add', '--prompt-file', 'notes/task.md', 'Cellar');
    assert.equal(lastRow(), '1,medium,.,Cellar,pending,,,no,,0,3,notes/task.md');
  });

  it('can be set and cleared by who approved the task, which stays approved', async () => {
    await cli.call('add', 'Cellar');
    await cli.call('edit', '1', '--prompt-file', 'notes/task.md');
    assert.equal(lastRow(), '1,medium,.,Cellar,pending,,,no,,0,3,notes/task.md');
    assert.deepEqual(await cli.shown(1), ['ready', '']);
    await cli.call('edit', '1', '--prompt-file', '');
    assert.equal(lastRow(), '1,medium,.,Cellar,pending,,,no,,0,3,');
    assert.deepEqual(await cli.shown(1), ['ready', '']);
  });

  it('is what Claude gets: an edit of the prompt says that it is only the title', async () => {
    await cli.call('add', '--prompt-file', 'notes/task.md');
    assert.equal(
      (await cli.call('edit', '1', '--prompt', 'Cellar')).out,
      'Changed task 1: prompt Cellar.\nThe prompt is only its title: Claude gets the text of notes/task.md.',
    );
    const { out } = await cli.call('edit', '1', '--prompt', 'Tidy up', '--prompt-file', '');
    assert.equal(out, 'Changed task 1: prompt Tidy up, prompt_file (empty).');
  });

  it('that changed is not approved by an edit of another cell', async () => {
    await cli.call('add', '--prompt-file', 'notes/task.md');
    write('Burn the cellar\n');
    const { out } = await cli.call('edit', '1', '--priority', 'high');
    assert.match(out, /It needs approval to run on this machine: "claude-queue approve 1"\./);
  });

  it('that is missing or outside adds nothing', async () => {
    const before = cli.read();
    for (const [path, why] of [
      ['missing.md', /The prompt file missing\.md does not exist/],
      ['../secret.md', /The prompt file \.\.\/secret\.md is outside of the workspace/],
    ] as const) {
      for (const words of [[], ['Title']]) {
        const { code, err } = await cli.call('add', '--prompt-file', path, ...words);
        assert.equal(code, 64);
        assert.match(err, why);
      }
    }
    assert.equal(cli.read(), before);
  });

  it('is compared with what was approved, without its secrets, and shown in full if that is not known', async () => {
    const many = Array.from({ length: 80 }, (_, index) => `line ${String(index + 1)}`);
    write(`${many.join('\n')}\n`);
    cli.write('1,high,.,Title,pending,,,no,,0,3');
    cli.writeFile(
      'prompts.csv',
      cli.read().replace('max_retries', 'max_retries,prompt_file').replace(',0,3', ',0,3,notes/task.md'),
    );
    const whole = await cli.call('approve');
    assert.match(whole.out, /prompt in notes\/task\.md:\n {4}Title\n {4}notes\/task\.md:\n {6}line 1\n/);
    assert.match(whole.out, /\n {6}line 80\n/);
    await cli.call('approve', '1');
    assert.deepEqual(await cli.shown(1), ['ready', '']);
    write(
      `${many.with(39, 'sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA and more').join('\n')}\n`,
    );
    const { out } = await cli.call('approve');
    assert.match(out, /prompt_file:\n[^]* {2}line 39\n +- line 40\n +\+ .* and more\n/);
    assert.ok(!out.includes('sk-ant-api03-AAAA') && !out.includes('line 60'), out);
    assert.match(out, /characters are not shown/);
  });
});
