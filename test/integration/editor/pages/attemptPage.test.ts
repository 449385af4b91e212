import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import type { TaskViewModel } from '../../../../src/app/viewModel/queueViewModel';
import type { ExtensionServices } from '../../../../src/editor/state/extensionServices';
import type { OpenedQueue } from '../../../../src/editor/state/openedQueue';
import { Emitter, loadInEditor, PANELS } from '../../../support/editor/fakeEditor';
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
  const changes = new Emitter<OpenedQueue>();
  let current = session;
  const queueModel = {
    state: { kind: 'opening' },
    useQueue: () => Promise.resolve(current),
    onDidChange: changes.event,
  };
  const replace = (other: OpenedQueue): void => {
    current = other;
    changes.fire(other);
  };
  const services = { ...place, program: PROGRAM, queueModel, attempts: new OpenPages() };
  await AttemptPage.show(services as unknown as ExtensionServices, 1, null);
  const panel = PANELS.at(-1);
  assert.ok(panel !== undefined);
  return { panel, session, replace, holds, close: () => session.close() };
}

/** Lets the task have been refused an action in its last attempt, in a trusted workspace. */
function refuseAction(session: OpenedQueue): void {
  const look = session.look.bind(session);
  const refuse = (shown: TaskViewModel): TaskViewModel => ({
    ...shown,
    task: { ...shown.task, state: { ...shown.task.state, refused: true } },
  });
  Object.assign(session, {
    window: {},
    look: async () => {
      const viewModel = await look();
      return { ...viewModel, tasks: viewModel.tasks.map(refuse) };
    },
  });
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

  it('asks the session that is open now about refused actions', async () => {
    const { panel, session, replace, close } = await openPage();
    refuseAction(session);
    await panel.send({ kind: 'ready' });
    await until('the page is filled', () => panel.posted.length > 0);
    const { session: other } = await openQueue([{ id: 1, prompt: 'Hearts' }]);
    refuseAction(other);
    other.queue.attempts = () => Promise.resolve([attempt({ number: 2 }), attempt({ number: 1 })]);
    session.queue.read = () => Promise.reject(new Error('The connection is closed.'));
    replace(other);
    await until('the page is filled again', () => panel.posted.length > 1);
    await Promise.all([close(), other.close()]);
  });
});
