import { QueueEditor } from '../window/queueEditor';
import { PageView } from '../window/pageView';
import { openWorkbench } from '../window/workbench';
import type { Workbench } from '../window/workbench';

describe('The form of an invalid row', () => {
  let editor: Workbench;
  let file: QueueEditor;

  before(async () => {
    editor = await openWorkbench({
      rows: [
        { id: 1, prompt: 'Paint the fence' },
        { id: 2, prompt: 'Sweep the yard', priority: 'urgent' },
      ],
    });
    file = new QueueEditor(editor, editor.queue.file);
    await file.open('Paint the fence');
  });

  after(() => editor.close());

  it('opens by a quick fix, marks what is wrong, and makes the row valid', async () => {
    const { frame } = new PageView(editor);
    await editor.goToWords('urgent');
    await file.focus();
    await (await editor.quickFix('Edit Task…')).click();
    await frame.locator('#problem-priority').filter({ hasText: 'priority' }).waitFor();
    await frame.locator('#lead').filter({ hasText: '1 field is wrong: Priority.' }).waitFor();
    await editor.screenshot('form-invalid-row');
    await frame.locator('#priority').selectOption('high');
    await frame.locator('#prompt').focus();
    await editor.press('Control+Enter');
    await file.shows('2,high,.,Sweep the yard');
  });
});
