import assert from 'node:assert/strict';
import type { ExtensionServices } from '../../../../src/editor/state/extensionServices';
import { DOCUMENTS, loadInEditor, SELECTED } from '../../../support/editor/fakeEditor';
import { paint, ready } from '../../../support/queue/viewModels';

const FILE = '/home/me/claude_queue/prompts.csv';

/** Shows a row of a queue whose saved file has tasks 1 and 2 on lines 2 and 3; returns the line of the cursor, from 1. */
async function show(target: unknown, text: string, isDirty = true): Promise<number> {
  const { showRow } = await loadInEditor(() => import('../../../../src/editor/commands/tasks/showRow'));
  const uri = { scheme: 'file', fsPath: FILE };
  const lineCount = text.split('\n').length;
  DOCUMENTS.push({ isDirty, uri, version: 1, lineCount, getText: () => text });
  const places = new Map([1, 2].map((id) => [id, { kind: 'file', line: id + 1, column: 1 } as const]));
  const viewModel = paint([{}, {}]);
  const state = ready({ ...viewModel, snapshot: { ...viewModel.snapshot, places } });
  const services = { queueFile: FILE, redis: null, queueModel: { state } };
  await showRow(services as unknown as ExtensionServices, target);
  return (SELECTED.at(-1) ?? -1) + 1;
}

const HEADER = 'id,working_dir,prompt\n';

describe('Show Row', () => {
  afterEach(() => {
    DOCUMENTS.length = 0;
  });

  it('finds the row of a task below rows that are not saved yet', async () => {
    const text = `${HEADER}3,.,New\n1,.,One\n2,.,"Two\nlines"\n`;
    // By its line, as the tree does, and by its id.
    for (const target of [3, { taskId: 2 }, { taskId: 2, line: 3 }])
      assert.equal(await show(target, text), 4);
  });

  it('shows the line of the saved file where the row is gone, or its id is double', async () => {
    assert.equal(await show(3, `${HEADER}3,.,New\n1,.,One\n`), 3);
    assert.equal(await show(3, `${HEADER}2,.,Two\n2,.,Two\n`), 3);
  });

  it('shows the line of a row that is no task', async () => {
    assert.equal(await show(4, `${HEADER}1,.,One\n2,.,Two\nx,.,Wrong\n`), 4);
  });
});
