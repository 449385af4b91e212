import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { ExtensionServices } from '../../../../src/editor/state/extensionServices';
import { OpenedQueue } from '../../../../src/editor/state/openedQueue';
import type { QueueState } from '../../../../src/editor/state/queueState';
import { loadInEditor, PANELS } from '../../../support/editor/fakeEditor';
import { ready } from '../../../support/queue/viewModels';
import { composeCsv } from '../../../support/queue/rows';
import { makeFolder } from '../../queue/folder';

const FAKE_CLAUDE = resolve(__dirname, '../../../fixtures/claude/fakeClaude.sh');

const refuse = (message: string): never => {
  throw new Error(message);
};

/** Opens the page of a Start, of a queue that changes only with `change`. */
async function openWindow() {
  const { Pages, showStartPage } = await loadInEditor(async () => ({
    ...(await import('../../../../src/editor/pages/openPages')),
    ...(await import('../../../../src/editor/commands/start/page/startPage')),
  }));
  const folder = realpathSync(makeFolder());
  const file = join(folder, 'claude_queue', 'prompts.csv');
  mkdirSync(dirname(file));
  const write = (...ids: readonly number[]): void => {
    writeFileSync(file, composeCsv(ids.map((id) => ({ id, prompt: 'Hearts' }))));
  };
  write(1);
  const env = {
    HOME: folder,
    XDG_STATE_HOME: join(folder, 'user'),
    PATH: dirname(process.execPath),
    CLAUDE_QUEUE_CLAUDE: FAKE_CLAUDE,
    CLAUDE_CODE_OAUTH_TOKEN: 'made-up',
  };
  const session = await OpenedQueue.open({
    ...{ file, folder, env, window: null, lastAccount: undefined, warn: () => undefined },
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
  const place = { key: 'queue', name: '', redis: null, log: { warn: refuse, error: refuse } };
  const settings = { permissionMode: 'manual', whenLastWindowCloses: 'goOn', overrides: () => ({}) };
  const services = { ...place, queueModel, settings, pages: new Pages(place as never) };
  const change = async (...ids: readonly number[]): Promise<void> => {
    write(...ids);
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
