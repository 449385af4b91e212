import assert from 'node:assert/strict';
import { dirname, resolve } from 'node:path';
import type { ExtensionServices } from '../../../../src/editor/state/extensionServices';
import type { QueueState } from '../../../../src/editor/state/queueState';
import { loadInEditor, PANELS } from '../../../support/editor/fakeEditor';
import { ready } from '../../../support/queue/viewModels';
import { openQueue } from './openQueue';

const FAKE_CLAUDE = resolve(__dirname, '../../../fixtures/claude/fakeClaude.sh');

/** Opens the page of a Start, of a queue that changes only with `change`. */
async function openWindow() {
  const { Pages, showStartPage } = await loadInEditor(async () => ({
    ...(await import('../../../../src/editor/pages/openPages')),
    ...(await import('../../../../src/editor/commands/start/page/startPage')),
  }));
  const rowsOf = (...ids: readonly number[]) => ids.map((id) => ({ id, prompt: 'Hearts' }));
  const { session, place, write } = await openQueue(rowsOf(1), {
    PATH: dirname(process.execPath),
    CLAUDE_QUEUE_CLAUDE: FAKE_CLAUDE,
    CLAUDE_CODE_OAUTH_TOKEN: 'made-up',
  });
  const listeners = new Set<(state: QueueState) => void>();
  const queueModel = {
    useQueue: () => Promise.resolve(session),
    reopen: () => Promise.resolve(),
    onDidChange: (listener: (state: QueueState) => void) => {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
  };
  const settings = { permissionMode: 'manual', whenLastWindowCloses: 'goOn', overrides: () => ({}) };
  const services = { ...place, queueModel, settings, pages: new Pages(place as never) };
  const change = async (...ids: readonly number[]): Promise<void> => {
    write(rowsOf(...ids));
    await session.queue.sync();
  };
  const look = async (): Promise<void> => {
    const state = ready(await session.look());
    for (const listener of listeners) listener(state);
  };
  return {
    ...{ change, look },
    show: () => showStartPage(services as unknown as ExtensionServices),
    close: () => session.close(),
  };
}

describe('The page of a Start', () => {
  it('says that it is outdated after a change, and no more once it was opened again', async () => {
    const window = await openWindow();
    await window.show();
    const panel = PANELS.at(-1);
    await window.change(1, 2);
    await window.look();
    assert.deepEqual(panel?.posted, [{ show: 'changed' }]);
    await window.show();
    await window.look();
    assert.deepEqual(panel.posted, [{ show: 'changed' }]);
    await window.close();
  });
});
