import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tool } from '../../support/claude/replies';
import { report } from '../../support/claude/reports';
import { GitRepository } from '../../support/machine/gitRepository';
import { openPlace } from '../../support/queue/queuePlace';

/** Not UTF-8, with a line end of Windows and no end of the last line. */
const BYTES = Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0d, 0x0a, 0x00, 0x61]);

describe('Undo after the real Claude Code', () => {
  it('restores the bytes of what it wrote and removed, removes what it created, and leaves the rest', async () => {
    const place = await openPlace({
      respond: (turn) => {
        const [first, ...others] = [
          tool('Write', { file_path: 'made.md', content: 'By Claude\n' }),
          tool('Bash', { command: 'printf changed > kept.bin; rm gone.txt' }),
        ];
        return [first, ...others][turn.toolResults] ?? report(turn, 'Done.', 'finished', 'Did it.');
      },
    });
    const { queue } = place;
    const file = (name: string): string => join(queue.folder, name);
    writeFileSync(file('kept.bin'), BYTES);
    writeFileSync(file('gone.txt'), 'mine\n');
    writeFileSync(file('other.txt'), 'committed\n');
    GitRepository.init(queue.folder).commitAll('Before');
    await queue.trust([
      { id: 1, prompt: 'Change files', permission_mode: 'acceptEdits', allowed_tools: 'Bash' },
    ]);
    await queue.run('work --until-empty');
    assert.equal((await queue.task(1)).shown, 'completed');
    assert.deepEqual(
      [readFileSync(file('kept.bin'), 'utf8'), existsSync(file('gone.txt')), existsSync(file('made.md'))],
      ['changed', false, true],
    );
    writeFileSync(file('other.txt'), 'not committed\n');

    const { code, stdout } = await queue.run('undo 1 --yes');
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^Undid attempt 1 of task 1: 3 files\./);
    assert.deepEqual(readFileSync(file('kept.bin')), BYTES);
    assert.equal(readFileSync(file('gone.txt'), 'utf8'), 'mine\n');
    assert.equal(existsSync(file('made.md')), false);
    assert.equal(readFileSync(file('other.txt'), 'utf8'), 'not committed\n');

    await queue.run('comment 1 Again, in one file.');
    await queue.run('work --until-empty');
    const read = place
      .turnsOf('Change files')
      .filter(({ lastUserText }) => lastUserText.includes('Again, in one file.'));
    assert.match(read[0]?.lastUserText ?? '', /The user has undone your changes/);
  });
});
