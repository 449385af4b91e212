import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import type { ExtensionServices } from '../../../../src/editor/state/extensionServices';
import { loadInEditor, PANELS } from '../../../support/editor/fakeEditor';
import { attempt } from '../../../support/queue/attempts';
import { until } from '../../../support/until';
import { Holds, openQueue } from './openQueue';

const PROGRAM = resolve(__dirname, '../../../../dist/cli.js');

/** Opens the page of a task with two attempts. `holds` holds back the next read of its attempts. */
async function openPage() {
  const { AttemptPage, OpenPages } = await loadInEditor(async () => ({
    ...(await import('../../../../src/editor/pages/openPages')),
    ...(await import('../../../../src/editor/attempt/attemptPage')),
  }));
  const { session, place } = await openQueue([{ id: 1, prompt: 'Hearts' }]);
  const holds = new Holds();
  session.queue.attempts = async () => {
    await holds.take();
    return [attempt({ number: 2 }), attempt({ number: 1 })];
  };
  const queueModel = {
    state: { kind: 'opening' },
    useQueue: () => Promise.resolve(session),
    onDidChange: () => ({ dispose: () => undefined }),
  };
  const services = { ...place, program: PROGRAM, queueModel, attempts: new OpenPages() };
  await AttemptPage.show(services as unknown as ExtensionServices, 1, null);
  const panel = PANELS.at(-1);
  assert.ok(panel !== undefined);
  return { panel, holds, close: () => session.close() };
}

describe('The page of an attempt', () => {
  it('shows the attempt that was chosen while the newest was being read', async () => {
    const { panel, holds, close } = await openPage();
    const release = holds.hold();
    await panel.send({ kind: 'ready' });
    await until('the attempts are read', () => !holds.isDue);
    await panel.send({ kind: 'attempt', number: 1 });
    release();
    await until('the page is filled', () => panel.posted.length > 0);
    assert.deepEqual(panel.posted[0]?.['shown'], { queue: 'queue', id: 1, number: 1 });
    await close();
  });
});
