import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPlace, type Place } from '../../support/queue/queuePlace';
import { text } from '../../support/claude/replies';

/** Where the program of the last attempt said that it works. */
function cwdOf({ queue }: Place, id: number, attempt = 1): unknown {
  const output = queue.stateFiles().get(join(queue.state, 'outputs', `task-${id}-attempt-${attempt}.jsonl`));
  const lines = (output ?? '').split('\n').filter((line) => line.includes('"subtype":"init"'));
  return (JSON.parse(lines[0] ?? 'null') as { cwd?: unknown } | null)?.cwd;
}

/** Puts a link in the place of whatever is there. */
function link(target: string, path: string): void {
  rmSync(path, { recursive: true, force: true });
  symlinkSync(target, path);
}

describe('An approval and the folder behind a link', () => {
  it('the list for approval shows the real folder of a working directory that is a link', async () => {
    const { queue, home } = await openPlace();
    const [real, written] = [join(home.folder, 'real'), join(queue.folder, 'work')];
    mkdirSync(real);
    link(real, written);
    queue.write([{ id: 1, prompt: 'Tidy up', working_dir: 'work' }]);
    const { stdout } = await queue.run('approve');
    assert.ok(stdout.includes(`Task 1, in ${real} (through ${written}):`), stdout);
    const rehearsed = await queue.run('rehearse');
    assert.ok(rehearsed.stdout.includes(`in ${real} (through ${written})`), rehearsed.stdout);
  });

  it('an attempt and its check run in the real folder that was approved', async () => {
    const place = await openPlace();
    const { queue, home } = place;
    const real = join(home.folder, 'real');
    mkdirSync(real);
    link(real, join(queue.folder, 'work'));
    const seen = join(home.folder, 'seen');
    const verify = ['node', '-e', `require("fs").writeFileSync(${JSON.stringify(seen)}, process.cwd())`];
    queue.write([{ id: 1, prompt: 'Tidy up', working_dir: 'work', verify: JSON.stringify(verify) }]);
    await queue.approve('1');
    const { code, stdout } = await queue.run('run');
    assert.equal(code, 0, stdout);
    assert.deepEqual([cwdOf(place, 1), (await queue.task(1)).shown], [real, 'completed']);
    assert.equal(readFileSync(seen, 'utf8'), real);
  });

  it('a changed link revokes the approval until the new folder is approved', async () => {
    const place = await openPlace();
    const { queue, home } = place;
    const [first, second] = ['first', 'second'].map((name) => join(home.folder, name)) as [string, string];
    const written = join(queue.folder, 'work');
    for (const folder of [first, second]) mkdirSync(folder);
    link(first, written);
    queue.write([{ id: 1, prompt: 'Tidy up', working_dir: 'work' }]);
    await queue.approve('1');
    assert.equal((await queue.task(1)).shown, 'ready');
    link(second, written);
    assert.equal((await queue.task(1)).shown, 'unapproved');
    assert.equal((await queue.run('run')).code, 4);
    assert.equal(place.api.turns().length, 0);
    const { stdout } = await queue.run('approve');
    assert.ok(
      stdout.includes(`working_dir: ${first} (through ${written}) → ${second} (through ${written})`),
      stdout,
    );
    await queue.approve('1');
    assert.equal((await queue.run('run')).code, 0);
    assert.equal(cwdOf(place, 1), second);
  });

  it('a running worker starts nothing in the new folder of a changed link', async () => {
    const turned: (() => void)[] = [];
    const place = await openPlace({
      respond: () => {
        for (const turn of turned.splice(0)) turn();
        return text('Done.');
      },
    });
    const { queue, home } = place;
    const [first, second] = ['first', 'second'].map((name) => join(home.folder, name)) as [string, string];
    const written = join(queue.folder, 'work');
    for (const folder of [first, second]) mkdirSync(folder);
    link(first, written);
    queue.write([
      { id: 1, prompt: 'First of all', priority: 'high' },
      { id: 2, prompt: 'Tidy up', working_dir: 'work' },
    ]);
    await queue.approve('--all');
    turned.push(() => {
      link(second, written);
    });
    await queue.run('work --until-empty');
    assert.deepEqual(place.reported(), ['First of all']);
    const task = await queue.task(2);
    assert.deepEqual([task.shown, task.retryCount, task.lastOutcome], ['unapproved', 0, null]);
  });

  it('an approval of a released format counts for a real folder, not through a link', async () => {
    const { queue, home } = await openPlace();
    const real = join(home.folder, 'real');
    mkdirSync(real);
    link(real, join(queue.folder, 'work'));
    queue.write([
      { id: 1, prompt: 'Tidy up' },
      { id: 2, prompt: 'Tidy up', working_dir: 'work' },
    ]);
    // As version 1.1.0 wrote it: the hash over version, folder, prompt, mode, tools, model and check.
    const power = (folder: string): string =>
      createHash('sha256')
        .update(JSON.stringify([1, folder, 'Tidy up', null, null, null, null]))
        .digest('hex')
        .slice(0, 32);
    const powers = [`1:${power(queue.folder)}`, `2:${power(join(queue.folder, 'work'))}`];
    const name = createHash('sha256').update(queue.file).digest('hex').slice(0, 32);
    const folder = join(queue.env['XDG_STATE_HOME'] ?? '', 'claude-queue', 'approvals');
    mkdirSync(folder, { recursive: true });
    const value = { queue: queue.file, trusted: false, powers };
    writeFileSync(join(folder, `${name}.json`), JSON.stringify({ version: 1, value }));
    const shown = (await queue.status()).tasks.map((task) => task.shown);
    assert.deepEqual(shown, ['ready', 'unapproved']);
  });
});
