import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MOST_PROMPT_BYTES, PromptFiles, readPromptFile } from '../../../../src/platform/files/promptFiles';

describe('A prompt file', () => {
  let folder: string;
  let workspace: string;

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'claude-task-queue-prompts-')));
    workspace = join(folder, 'space');
    mkdirSync(workspace);
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  function write(name: string, content: string | Buffer): void {
    writeFileSync(join(workspace, name), content);
  }

  /** Returns the reason against a file; empty if it can be used. */
  function wrong(name: string): string {
    const reading = readPromptFile(workspace, name);
    return 'wrong' in reading ? reading.wrong : '';
  }

  it('has its text byte for byte, with a BOM and the last line end', () => {
    const text = '\uFEFFTidy up 片付け\r\n\n';
    write('task.md', text);
    assert.deepEqual(readPromptFile(workspace, 'task.md'), { value: text });
  });

  it('may be a link in the workspace', () => {
    write('task.md', 'Tidy up');
    symlinkSync('task.md', join(workspace, 'link.md'));
    assert.deepEqual(readPromptFile(workspace, 'link.md'), { value: 'Tidy up' });
  });

  it('must be in the workspace, also through links to it and to its folder', () => {
    const outside = join(folder, 'outside.md');
    writeFileSync(outside, 'Secret');
    symlinkSync(outside, join(workspace, 'link.md'));
    symlinkSync(folder, join(workspace, 'up'));
    assert.match(wrong('../outside.md'), /^The prompt file \.\.\/outside\.md is outside of the workspace\./);
    assert.match(wrong(outside), /is outside of the workspace\. Give a path in /);
    for (const name of ['link.md', 'up/outside.md'])
      assert.ok(wrong(name).includes(`${name} leads out of the workspace, to ${outside}.`), wrong(name));
  });

  it('must be a regular file that is not empty', () => {
    mkdirSync(join(workspace, 'folder'));
    execFileSync('mkfifo', [join(workspace, 'pipe')]);
    write('empty.md', ' \n');
    assert.match(wrong('missing.md'), /missing\.md does not exist/);
    assert.match(wrong('empty.md/task.md'), /does not exist/);
    for (const name of ['folder', 'pipe', '.']) assert.match(wrong(name), /is not a regular file/);
    assert.match(wrong('empty.md'), /is empty/);
  });

  it('must be UTF-8, and have at most 256 KiB', () => {
    write('latin.md', Buffer.from('Caf\xe9', 'latin1'));
    write('full.md', 'x'.repeat(MOST_PROMPT_BYTES));
    write('large.md', 'x'.repeat(MOST_PROMPT_BYTES + 1));
    assert.match(wrong('latin.md'), /is not UTF-8 text/);
    assert.equal(wrong('full.md'), '');
    assert.match(wrong('large.md'), /has more than 262,144 bytes, which is the limit/);
  });

  it('is read again only if its stamp changed', () => {
    write('task.md', 'Tidy up');
    utimesSync(join(workspace, 'task.md'), 1, 1);
    const files = new PromptFiles(workspace);
    files.read('task.md');
    assert.equal(files.renew(), files);
    write('task.md', 'Tidy UP');
    const renewed = files.renew();
    assert.notEqual(renewed, files);
    assert.deepEqual(
      [files.read('task.md'), renewed.read('task.md')],
      [{ value: 'Tidy up' }, { value: 'Tidy UP' }],
    );
    assert.ok(renewed.revision > files.revision);
  });

  it('stays as it is when its text is written again', () => {
    write('task.md', 'Tidy up');
    const files = new PromptFiles(workspace);
    files.read('task.md');
    write('task.md.new', 'Tidy up');
    renameSync(join(workspace, 'task.md.new'), join(workspace, 'task.md'));
    assert.equal(files.renew(), files);
  });

  it('that appears, disappears or becomes a link out of the workspace changes what is known of it', () => {
    const files = new PromptFiles(workspace);
    assert.ok('wrong' in files.read('task.md'));
    assert.equal(files.renew(), files);
    write('task.md', 'Tidy up');
    const there = files.renew();
    assert.deepEqual(there.read('task.md'), { value: 'Tidy up' });
    rmSync(join(workspace, 'task.md'));
    const gone = there.renew();
    assert.ok('wrong' in gone.read('task.md'));
    writeFileSync(join(folder, 'outside.md'), 'Tidy up');
    symlinkSync(join(folder, 'outside.md'), join(workspace, 'task.md'));
    const led = gone.renew().read('task.md');
    assert.ok('wrong' in led && led.wrong.includes('leads out of the workspace'));
  });

  it('that no row names for a while is read again then', () => {
    for (const name of ['one.md', 'two.md']) write(name, 'Tidy up');
    const files = new PromptFiles(workspace);
    for (const name of ['one.md', 'two.md']) files.read(name);
    write('one.md', 'Tidy up well');
    const renewed = files.renew();
    renewed.read('one.md');
    write('two.md', 'Tidy up here');
    assert.deepEqual(renewed.renew().read('two.md'), { value: 'Tidy up here' });
  });
});
