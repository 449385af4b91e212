import assert from 'node:assert/strict';
import type { ExtensionServices } from '../../../../src/editor/state/extensionServices';
import { loadInEditor, MESSAGES } from '../../../support/editor/fakeEditor';
import { until } from '../../../support/until';

describe('A button of a row that waits for approval', () => {
  it('says why it cannot show the row', async () => {
    const { pressButton } = await loadInEditor(
      () => import('../../../../src/editor/commands/tasks/approvalItems'),
    );
    MESSAGES.length = 0;
    const services = { queueFile: null, redis: null, log: { warn: () => undefined } };
    const shown = { task: { definition: { id: 1 } } };
    const item = { shown, change: { kind: 'unseen' }, line: 2 };
    pressButton(services as unknown as ExtensionServices, item as never, {} as never);
    await until('there is a message', () => MESSAGES.length > 0, 3_000);
    assert.deepEqual(MESSAGES, ['Open a folder first: the queue is kept in it.']);
  });
});
