import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPlace } from '../../support/queue/queuePlace';
import { text, tool } from '../../support/claude/replies';

describe('A comment on a completed task', () => {
  it('is read in the same session by the real Claude Code, and the task completes again', async () => {
    const written = new Set<string>();
    const place = await openPlace({
      respond: ({ lastUserText }) => {
        const content = lastUserText.includes('Use one word.') ? 'Short\n' : 'Rather long\n';
        if (written.has(content)) return text('Written.');
        written.add(content);
        return tool('Write', { file_path: 'notes.md', content });
      },
    });
    const { queue } = place;
    await queue.trust([{ id: 1, prompt: 'Write notes', permission_mode: 'acceptEdits' }]);
    await queue.run('work --until-empty');
    assert.equal((await queue.task(1)).shown, 'completed');

    assert.equal((await queue.run('comment 1 Use one word.')).code, 0);
    assert.equal((await queue.task(1)).shown, 'ready');
    await queue.run('work --until-empty');

    assert.equal((await queue.task(1)).shown, 'completed');
    const turns = place.turnsOf('Write notes');
    assert.equal(new Set(turns.map(({ session }) => session)).size, 1);
    const read = turns.filter(({ lastUserText }) => lastUserText.includes('Use one word.'));
    assert.match(read[0]?.lastUserText ?? '', /^The user has looked at your work on this task/);
    assert.equal(readFileSync(join(queue.folder, 'notes.md'), 'utf8'), 'Short\n');
  });
});
