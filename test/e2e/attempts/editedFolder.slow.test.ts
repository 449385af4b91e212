import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text, tool } from '../../support/claude/replies';
import type { Reply } from '../../support/claude/replies';
import { GitRepository } from '../../support/machine/gitRepository';
import { openPlace } from '../../support/queue/queuePlace';
import type { RowCells } from '../../support/queue/rows';
import { until } from '../../support/until';

const TWO = { CLAUDE_QUEUE_MAX_RUNNING: '2' };

describe('An attempt whose row names another folder while it runs', () => {
  it('keeps its folder busy, is checked, measured and undone there, and starts nowhere else', async () => {
    let letGo: (() => void) | undefined;
    const place = await openPlace({
      env: TWO,
      respond: async (turn): Promise<Reply> => {
        const isAbout = (words: string): boolean => turn.userTexts.some((each) => each.includes(words));
        // The edited row is another task, which runs once this one has ended.
        if (!isAbout('Write it') || turn.toolResults > 0 || letGo !== undefined) return text('Done.');
        await new Promise<void>((resolve) => {
          letGo = resolve;
        });
        return tool('Write', { file_path: 'made.md', content: 'By Claude\n' });
      },
    });
    const { queue, home } = place;
    const [first, second] = ['first', 'second'].map((name) => join(queue.folder, name)) as [string, string];
    for (const folder of [first, second]) {
      mkdirSync(folder);
      writeFileSync(join(folder, 'a.txt'), 'one\n');
      GitRepository.init(folder).commitAll('Before');
    }
    const seen = join(home.folder, 'seen');
    const program = `require("fs").appendFileSync(${JSON.stringify(seen)}, process.cwd() + "\\n")`;
    const verify = JSON.stringify(['node', '-e', program]);
    const rowIn = (working_dir: string): RowCells => ({
      ...{ id: 1, prompt: 'Write it', priority: 'high', working_dir, verify },
      permission_mode: 'acceptEdits',
    });
    await queue.trust([rowIn('first')]);
    const worker = queue.start('work --workers 2 --until-empty');
    await until('the task is asked for', () => letGo !== undefined);
    queue.write([
      rowIn('second'),
      { id: 2, prompt: 'Wait', working_dir: 'first' },
      { id: 3, prompt: 'Begin', working_dir: 'second' },
    ]);
    await until('the third task is done', async () => (await queue.task(3)).shown === 'completed');
    const waiting = await queue.task(2);
    assert.equal(waiting.shown, 'waiting');
    assert.match(waiting.reason, /is running task 1 in the same directory/);
    letGo?.();
    const { code, stdout } = await worker.ended;
    assert.equal(code, 0, stdout);
    assert.equal(readFileSync(seen, 'utf8'), `${first}\n${second}\n`);
    assert.deepEqual(
      [first, second].map((folder) => existsSync(join(folder, 'made.md'))),
      [true, false],
    );
    assert.match((await queue.run('diff 1 --attempt 1')).stdout, /^\+By Claude$/m);
    const undone = await queue.run('undo 1 --attempt 1 --yes');
    assert.equal(undone.code, 0, undone.stderr);
    assert.equal(existsSync(join(first, 'made.md')), false);
    const history = await queue.run('history --json');
    const { attempts } = JSON.parse(history.stdout) as { attempts: { id: number; folder: string | null }[] };
    assert.deepEqual(attempts.map(({ id, folder }) => [id, folder]).sort(), [
      [1, first],
      [1, second],
      [2, first],
      [3, second],
    ]);
  });
});
