import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { ExtensionServices } from '../../../../src/editor/state/extensionServices';
import { OpenedQueue } from '../../../../src/editor/state/openedQueue';
import { loadInEditor, PANELS } from '../../../support/editor/fakeEditor';
import { attempt } from '../../../support/queue/attempts';
import { composeCsv } from '../../../support/queue/rows';
import { until } from '../../../support/until';
import { makeFolder } from '../../queue/folder';

const PROGRAM = resolve(__dirname, '../../../../dist/cli.js');

const refuse = (message: string): never => {
  throw new Error(message);
};

/** Opens the page of a task with two attempts. `hold` keeps the next read of its attempts waiting. */
async function openPage() {
  const { AttemptPage, OpenPages } = await loadInEditor(async () => ({
    ...(await import('../../../../src/editor/pages/openPages')),
    ...(await import('../../../../src/editor/attempt/attemptPage')),
  }));
  const folder = realpathSync(makeFolder());
  const file = join(folder, 'claude_queue', 'prompts.csv');
  mkdirSync(dirname(file));
  writeFileSync(file, composeCsv([{ id: 1, prompt: 'Hearts' }]));
  const env = { HOME: folder, PATH: '', CLAUDE_QUEUE_CLAUDE: join(folder, 'none') };
  const session = await OpenedQueue.open({
    ...{ file, folder, env, window: null, lastAccount: undefined, warn: () => undefined },
  });
  const held: Promise<void>[] = [];
  session.queue.attempts = async () => {
    await held.shift();
    return [attempt({ number: 2 }), attempt({ number: 1 })];
  };
  const queueModel = {
    state: { kind: 'opening' },
    useQueue: () => Promise.resolve(session),
    onDidChange: () => ({ dispose: () => undefined }),
  };
  const place = { key: 'queue', name: '', redis: null, log: { warn: refuse, error: refuse } };
  const services = { ...place, program: PROGRAM, queueModel, attempts: new OpenPages() };
  await AttemptPage.show(services as unknown as ExtensionServices, 1, null);
  const panel = PANELS.at(-1);
  assert.ok(panel !== undefined);
  const hold = (): (() => void) => {
    let release = (): void => undefined;
    held.push(new Promise((end) => (release = end)));
    return release;
  };
  return { panel, hold, held, close: () => session.close() };
}

describe('The page of an attempt', () => {
  it('shows the attempt that was chosen while the newest was being read', async () => {
    const { panel, hold, held, close } = await openPage();
    const release = hold();
    await panel.send({ kind: 'ready' });
    await until('the attempts are read', () => held.length === 0);
    await panel.send({ kind: 'attempt', number: 1 });
    release();
    await until('the page is filled', () => panel.posted.length > 0);
    assert.deepEqual(panel.posted[0]?.['shown'], { queue: 'queue', id: 1, number: 1 });
    await close();
  });
});
