import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import Module from 'node:module';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { OpenedQueue } from '../../../../src/editor/state/openedQueue';
import type { WindowQueue } from '../../../../src/editor/state/queues';
import type { TreeChoices } from '../../../../src/editor/state/treeChoices';
import { DEFAULT_OPTIONS } from '../../../../src/editor/tree/rows/treeOptions';
import { Emitter } from '../../../support/editor/fakeEditor';
import { composeCsv } from '../../../support/queue/rows';
import type { Clock } from '../../../../src/platform/clock';
import { makeFolder } from '../../queue/folder';

const never = (): object => ({ dispose: () => undefined });

/** Whether VS Code shows the view. */
let isVisible = true;

/** Text above the rows. */
const view: { message?: string } = {};

/** The parts of VS Code that a tree needs. */
const vscode = {
  EventEmitter: Emitter,
  Disposable: { from: never },
  window: {
    createTreeView: () =>
      Object.assign(view, { visible: isVisible, onDidChangeVisibility: never, dispose: () => undefined }),
    registerFileDecorationProvider: never,
  },
  workspace: { isTrusted: true },
};

type Load = (request: string, ...rest: unknown[]) => unknown;
const loader = Module as unknown as { _load: Load };

/** Loads the parts of the extension that show rows, with `vscode` in place of the editor. */
async function loadEditor() {
  const real = loader._load;
  loader._load = (request, ...rest) => (request === 'vscode' ? vscode : real(request, ...rest));
  try {
    const [{ QueueModel }, { Queues }, { TaskTree }] = await Promise.all([
      import('../../../../src/editor/state/queueModel'),
      import('../../../../src/editor/state/queues'),
      import('../../../../src/editor/tree/tree'),
      // The tree imports it with its first rows.
      import('../../../../src/editor/tree/shownTree'),
    ]);
    return { QueueModel, Queues, TaskTree };
  } finally {
    loader._load = real;
  }
}

/** Opens a window with the tree of a queue. */
async function openTree(filter = '') {
  const { QueueModel, Queues, TaskTree } = await loadEditor();
  const { OpenedQueue: Opened } = await import('../../../../src/editor/state/openedQueue');
  const folder = realpathSync(makeFolder());
  const file = join(folder, 'claude_queue', 'prompts.csv');
  mkdirSync(dirname(file));
  writeFileSync(file, composeCsv([{ id: 1, prompt: 'Hearts' }]));
  const env = { HOME: folder, PATH: '', CLAUDE_QUEUE_CLAUDE: join(folder, 'none') };
  const counts = { reads: 0, redraws: 0 };
  const open = async (): Promise<OpenedQueue> => {
    const opened = await Opened.open({
      ...{ file, folder, env, window: null, lastAccount: undefined, warn: () => undefined },
    });
    const look = opened.look.bind(opened);
    opened.look = () => {
      counts.reads += 1;
      return look();
    };
    opened.watch = () => undefined;
    return opened;
  };
  const queueModel = new QueueModel(open, () => Promise.resolve({ kind: 'missing' }));
  const live = { onDidChange: never, show: () => undefined, actions: new Map(), starts: new Map() };
  const services = { key: 'one', name: 'one', folder, queueModel };
  const queue = { services, liveActions: live, expectedStarts: live, dispose: () => undefined };
  const queues = new Queues(
    () => [services as never],
    () => queue as unknown as WindowQueue,
  );
  const choices = { options: { ...DEFAULT_OPTIONS, filter }, onDidChange: never };
  const tree = new TaskTree({ queues, choices: choices as unknown as TreeChoices }, {} as never);
  queues.update();
  tree.onDidChangeTreeData(() => {
    counts.redraws += 1;
  });
  return { tree, queueModel, counts };
}

/** Clock on which short pauses are over at once, and others never. */
const clock: Clock = {
  now: () => 0,
  sleep: (ms) => (ms < 1_000 ? Promise.resolve() : new Promise(() => undefined)),
};

describe('The first rows of the tree', () => {
  beforeEach(() => {
    isVisible = true;
  });

  it('are given once the queue was read once, and nothing is redrawn for them', async () => {
    const { tree, queueModel, counts } = await openTree();
    const first = queueModel.refresh();
    const rows = await tree.getChildren();
    await first;
    assert.deepEqual(counts, { reads: 1, redraws: 0 });
    const below = (await Promise.all(rows.map((row) => tree.getChildren(row)))).flat();
    assert.deepEqual(below.map(({ taskId }) => taskId).filter(Boolean), [1]);
    queueModel.dispose();
  });

  it('are below the remembered filter, which hides others', async () => {
    const { tree, queueModel } = await openTree('tag:night');
    await queueModel.refresh();
    await tree.getChildren();
    assert.equal(view.message, 'Filter: tag:night');
    queueModel.dispose();
  });

  it('come before work that they do not need, until VS Code has what is below them', async () => {
    const { tree, queueModel } = await openTree();
    await queueModel.refresh();
    const order: string[] = [];
    const other = tree.awaitRows(clock).then(() => order.push('other work'));
    const [group] = await tree.getChildren();
    await setImmediate();
    order.push('rows');
    await tree.getChildren(group);
    await other;
    assert.deepEqual(order, ['rows', 'other work']);
    queueModel.dispose();
  });

  it('keep other work waiting for two seconds at most', async () => {
    const { tree, queueModel } = await openTree();
    await queueModel.refresh();
    const pauses: number[] = [];
    await tree.awaitRows({
      now: () => 0,
      sleep: (ms) => {
        pauses.push(ms);
        return Promise.resolve();
      },
    });
    assert.deepEqual(pauses, [200, 2_000, 200]);
    queueModel.dispose();
  });

  it('keep no other work waiting while their view is hidden', async () => {
    isVisible = false;
    const { tree, queueModel } = await openTree();
    await queueModel.refresh();
    await tree.awaitRows(clock);
    queueModel.dispose();
  });
});
