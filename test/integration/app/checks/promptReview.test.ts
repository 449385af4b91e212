import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reviewPrompt } from '../../../../src/app/checks/promptReview';

describe('The review of a prompt on this machine', () => {
  let folder: string;
  const review = (prompt: string, workingDir = folder): Promise<readonly string[]> =>
    reviewPrompt({ id: 3, prompt, workingDir }, { mode: 'acceptEdits', tools: [] });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'review-'));
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, 'src', 'there.ts'), '');
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('names the files that are not there, and only these', async () => {
    assert.deepEqual(await review('Fix src/there.ts and src/gone.ts'), [
      'The prompt of task 3 names files that may not exist in its working directory: src/gone.ts.',
    ]);
    assert.deepEqual(await review('Fix src/there.ts'), []);
  });

  it('says nothing of files in a folder that is missing', async () => {
    assert.deepEqual(await review('Fix src/gone.ts', join(folder, 'nowhere')), []);
  });

  it('names an action that the permissions refuse, if these are known', async () => {
    const row = { id: 3, prompt: 'Run npm test and git push.', workingDir: folder };
    assert.deepEqual(await reviewPrompt(row, { mode: 'plan', tools: [] }), [
      'The prompt of task 3 asks for an action ("Run npm test") that permission mode plan may refuse. Change allowed_tools or permission_mode.',
    ]);
    assert.deepEqual(await reviewPrompt(row, { mode: 'plan', tools: ['Bash(npm test)'] }), []);
    assert.deepEqual(await reviewPrompt(row, null), []);
  });

  it('says that nobody may answer', async () => {
    const [message = ''] = await review('Ask me which one to delete');
    assert.match(message, /may ask for an answer \("Ask me"\)/);
  });
});
