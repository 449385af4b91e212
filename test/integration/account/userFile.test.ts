import assert from 'node:assert/strict';
import { chownSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserFile } from '../../../src/account/userFile';
import { isProblem } from '../../../src/domain/problem';
import { isText } from '../../../src/platform/text/shapes';

describe('A file of the user', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'user-file-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const open = (): UserFile<string> =>
    new UserFile(join(folder, 'words.json'), { empty: '', isRight: isText });

  it('of another user is refused, and not replaced', async function () {
    if (process.getuid?.() !== 0) return this.skip();
    await open().update(() => 'one');
    chownSync(join(folder, 'words.json'), 65_534, 65_534);
    const isRefused = (error: unknown): boolean => isProblem(error, 'state-of-other-user');
    await assert.rejects(open().read(), isRefused);
    await assert.rejects(
      open().update(() => 'two'),
      isRefused,
    );
  });

  for (const [before, name] of [
    ['', 'where there was none'],
    ['one ', 'over an earlier value'],
  ] as const) {
    it(`keeps the writes of a successor while this process was frozen under its lock, ${name}`, async () => {
      if (before !== '') await open().update(() => before);
      let isFirst = true;
      const written = await open().update((value) => {
        // A process wakes up behind the time after which its lock was taken over.
        if (isFirst) writeFileSync(join(folder, 'words.json'), `{"version":1,"value":"${value}two "}`);
        isFirst = false;
        return `${value}three`;
      });
      assert.deepEqual([written, await open().read()], [`${before}two three`, `${before}two three`]);
      assert.deepEqual(
        readdirSync(folder).filter((entry) => entry.endsWith('.tmp')),
        [],
      );
    });
  }
});
