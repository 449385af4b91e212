import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { limit, NEXT_SECONDS, text } from '../../support/claude/replies';
import { openPlace, type Place } from '../../support/queue/queuePlace';

/** More than Claude Code gets at once. */
const LONG = `Begin here.\n${'0123456789abcde\n'.repeat(1_000)}End here.`;

function writeFile({ queue }: Place, name: string, content: string): void {
  mkdirSync(join(queue.folder, 'notes'), { recursive: true });
  writeFileSync(join(queue.folder, 'notes', name), content);
}

describe('An approval and a prompt file', () => {
  it('a task sends the text of its file, and shows path and text', async () => {
    const place = await openPlace();
    const { queue } = place;
    writeFile(place, 'task.md', LONG);
    queue.write([]);
    const added = await queue.run('add --prompt-file notes/task.md');
    assert.equal(added.code, 0, added.stderr);
    const { stdout } = await queue.run('show 1');
    assert.ok(stdout.includes('notes/task.md:\n    Begin here.\n'), stdout);
    assert.equal((await queue.run('run')).code, 0);
    assert.deepEqual(place.reported(), [LONG]);
    assert.match(queue.log('executed'), /Begin here\. 0123/);
    assert.match(queue.read(), /,Begin here\.,.*,notes\/task\.md\n/);
  });

  it('a changed prompt file revokes the approval until the new text is approved', async () => {
    const place = await openPlace();
    const { queue } = place;
    writeFile(place, 'task.md', 'First line\nTidy up\n');
    queue.write([{ id: 1, prompt: 'Title', prompt_file: 'notes/task.md' }]);
    const listed = await queue.run('approve');
    assert.ok(listed.stdout.includes('    notes/task.md:\n      First line\n      Tidy up'), listed.stdout);
    await queue.approve('1');
    assert.equal((await queue.task(1)).shown, 'ready');
    writeFile(place, 'task.md', 'First line\nTear down\n');
    assert.equal((await queue.task(1)).shown, 'unapproved');
    assert.equal((await queue.run('run')).code, 4);
    assert.deepEqual(place.reported(), []);
    const { stdout } = await queue.run('approve');
    assert.match(stdout, / {2}First line\n +- Tidy up\n +\+ Tear down\n/);
    await queue.approve('1');
    assert.equal((await queue.run('run')).code, 0);
    assert.deepEqual(place.reported(), ['First line\nTear down']);
  });

  it('a running worker does not start a task whose prompt file another task changed', async () => {
    const turned: (() => void)[] = [];
    const place = await openPlace({
      respond: () => {
        for (const turn of turned.splice(0)) turn();
        return text('Done.');
      },
    });
    const { queue } = place;
    writeFile(place, 'task.md', 'Tidy up');
    queue.write([
      { id: 1, prompt: 'First of all', priority: 'high' },
      { id: 2, prompt: 'Title', prompt_file: 'notes/task.md' },
    ]);
    await queue.approve('--all');
    turned.push(() => {
      writeFile(place, 'task.md', 'Tear down');
    });
    await queue.run('work --until-empty');
    assert.deepEqual(place.reported(), ['First of all']);
    const task = await queue.task(2);
    assert.deepEqual([task.shown, task.retryCount, task.lastOutcome], ['unapproved', 0, null]);
  });

  it('an attempt that resumes after a limit gets the text of the file again', async () => {
    let turns = 0;
    const place = await openPlace({
      respond: () => {
        turns += 1;
        return turns === 1 ? limit({ kind: 'five_hour', resetInSeconds: NEXT_SECONDS }) : text('Done.');
      },
    });
    const { queue } = place;
    writeFile(place, 'task.md', 'Tidy up');
    await queue.trust([{ id: 1, prompt: 'Title', prompt_file: 'notes/task.md' }]);
    assert.equal((await queue.run('work --until-empty')).code, 0);
    const last = place.reported().at(-1) ?? '';
    assert.ok(last.endsWith('This is the task, in full:\n\nTidy up'), last);
  });

  it('a file out of the workspace, or none at all, is a problem of its cell', async () => {
    const place = await openPlace();
    const { queue, home } = place;
    writeFileSync(join(home.folder, 'secret.md'), 'Secret');
    rmSync(join(queue.folder, 'link.md'), { force: true });
    symlinkSync(join(home.folder, 'secret.md'), join(queue.folder, 'link.md'));
    await queue.trust([
      { id: 1, prompt: 'Title', prompt_file: 'link.md' },
      { id: 2, prompt: 'Title', prompt_file: 'missing.md' },
    ]);
    const { problems } = await queue.status();
    assert.deepEqual(
      problems.map(({ line, message }) => [line, message.split(/, to|\. /)[0]]),
      [
        [2, 'The prompt file link.md leads out of the workspace'],
        [3, 'The prompt file missing.md does not exist'],
      ],
    );
    const checked = await queue.run('check');
    assert.equal(checked.code, 1);
    assert.match(checked.stdout, /prompts\.csv:3:\d+ /);
    assert.equal((await queue.run('run')).code, 4);
    assert.deepEqual(place.reported(), []);
  });
});
