import { inventHistory, recordHistory } from '../../support/queue/recordHistory';
import { WithheldAnswers } from '../window/heldAnswers';
import { openWorkbench, type Workbench } from '../window/workbench';

const PROMPTS = [
  'Count the stars',
  'Add rate limiting to POST /login',
  'READMEのインストール手順を翻訳する',
  'Write docs',
];

describe('A tree while a worker runs and the history says how long attempts take', () => {
  let editor: Workbench;
  const held = new WithheldAnswers([PROMPTS[0] ?? '']);

  before(async () => {
    editor = await openWorkbench({
      rows: PROMPTS.map((prompt, index) => ({
        id: index + 1,
        prompt,
        ...(index === 3 ? { dependencies: '2' } : {}),
      })),
      settings: { 'claudeQueue.permissionMode': 'acceptEdits' },
      respond: held.respond,
    });
    await recordHistory(editor.queue, inventHistory(Date.now(), 14));
    await editor.queue.approve('--all');
    await editor.openView('Claude Queue');
    await editor.pressViewButton('Start');
    await editor.quickInput('Start: ');
    await editor.press('Enter');
  });

  after(() => editor.close());

  it('has the expected start of a task in its row and its hover', async () => {
    const row = await editor.treeRow(/about \d\d:\d\d.*READMEの/);
    await editor.screenshot('expected-starts-1');
    await row.hover();
    await editor.page
      .locator('.monaco-hover')
      .getByText(/starts about \d\d:\d\d/)
      .first()
      .waitFor();
    await editor.screenshot('expected-starts-2-hover');
  });
});
