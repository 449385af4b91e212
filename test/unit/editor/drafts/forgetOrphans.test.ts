import assert from 'node:assert/strict';
import { queueKey } from '../../../../src/account/approvals';
import type { TaskDrafts } from '../../../../src/editor/drafts/draftComments';
import { forgetOrphans } from '../../../../src/editor/drafts/forgetOrphans';
import type { QueueState } from '../../../../src/editor/state/queueState';
import { paint } from '../../../support/queue/viewModels';

const FILE = '/place/claude_queue/prompts.csv';
const OTHER = '/other/claude_queue/prompts.csv';

/** Queue of a window, of which the test says when and how it was read. */
class Queue {
  state: QueueState = { kind: 'opening' };

  constructor(
    readonly key: string,
    readonly queueFile: string,
  ) {}

  useQueue = () => Promise.resolve({ queueContext: { queueFile: this.queueFile } });

  get services() {
    return { key: this.key, queueModel: this };
  }

  /** The queue now has this number of tasks, with ids from 1. */
  read(tasks: number, around: Parameters<typeof paint>[1] = {}): void {
    const viewModel = paint(Array<object>(tasks).fill({}), around);
    this.state = { kind: 'ready', viewModel, notes: new Map(), byRisk: new Map() };
  }
}

describe('Comments of removed tasks', () => {
  const draftsOf = (file: string, task: number): TaskDrafts => ({
    queue: queueKey(file),
    task,
    comments: [],
  });
  let queue: Queue;
  let other: Queue;
  let drafts: TaskDrafts[];
  let change: () => void;
  let removed: () => void;

  const kept = (file: string): number[] =>
    drafts.filter((one) => one.queue === queueKey(file)).map(({ task }) => task);
  const untilKept = async (file: string, ...tasks: number[]): Promise<void> => {
    while (String(kept(file)) !== String(tasks)) await new Promise<void>((resolve) => (removed = resolve));
  };

  beforeEach(() => {
    removed = () => undefined;
    queue = new Queue('one', FILE);
    other = new Queue('two', OTHER);
    drafts = [draftsOf(FILE, 1), draftsOf(FILE, 3), draftsOf(FILE, 9), draftsOf(OTHER, 9)];
    const onDidChange = (listener: () => void) => {
      change = listener;
      return { dispose: () => undefined };
    };
    const all = [queue, other];
    const shown = {
      get byTask() {
        return drafts;
      },
      remove: (comments: TaskDrafts['comments']) => {
        drafts = drafts.filter((one) => one.comments !== comments);
        removed();
      },
    };
    forgetOrphans({ all, onDidChange }, shown, { warn: (message) => assert.fail(message) });
  });

  it('are forgotten when their queue is read, and those of other tasks and queues stay', async () => {
    change();
    queue.read(1);
    change();
    await untilKept(FILE, 1);
    assert.deepEqual(kept(OTHER), [9]);
  });

  it('stay while the queue has problems, because their row may be one that cannot be read', async () => {
    queue.read(1, {
      problems: [{ where: { kind: 'file', line: 2, column: 1 }, row: 2, message: 'no id' }],
    });
    change();
    queue.read(3);
    change();
    await untilKept(FILE, 1, 3);
  });

  it('stay if their row goes later, because the user can take that back', async () => {
    queue.read(3);
    change();
    await untilKept(FILE, 1, 3);
    queue.read(1);
    other.read(1);
    change();
    await untilKept(OTHER);
    assert.deepEqual(kept(FILE), [1, 3]);
  });
});
