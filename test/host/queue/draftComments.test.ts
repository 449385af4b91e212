import assert from 'node:assert/strict';
import { comments, Range, Uri, type CommentController, type CommentThread, type Memento } from 'vscode';
import { queueKey } from '../../../src/account/approvals';
import { DraftComments } from '../../../src/editor/drafts/draftComments';
import { composeUri, SCHEME } from '../../../src/editor/changes/versionUri';

const QUEUE = queueKey('/of/this/test/claude_queue/prompts.csv');

/** Memory of a workspace: it keeps what is JSON, as VS Code does. */
class Memory implements Memento {
  private readonly texts = new Map<string, string>();

  keys(): readonly string[] {
    return [...this.texts.keys()];
  }

  get(key: string): undefined {
    return JSON.parse(this.texts.get(key) ?? 'null') as undefined;
  }

  update(key: string, value: unknown): Promise<void> {
    this.texts.set(key, JSON.stringify(value));
    return Promise.resolve();
  }
}

const uriOf = (side: 'before' | 'after'): Uri => {
  const version = { queue: QUEUE, format: 'sha1', kind: 'file', object: 'a'.repeat(40) } as const;
  return Uri.from({ scheme: SCHEME, ...composeUri(version, 'a b/c#d.ts', { task: 7, attempt: 2, side }) });
};

describe('The comments that are not sent', () => {
  let memory: Memory;
  let controller: CommentController;
  let windows: DraftComments[];

  beforeEach(() => {
    memory = new Memory();
    controller = comments.createCommentController('draftCommentsTest', 'Test');
    windows = [];
  });

  afterEach(() => {
    for (const each of windows) each.dispose();
    controller.dispose();
  });

  /** As after a reload of the window. */
  const open = (): DraftComments => {
    const warn = (message: string): never => assert.fail(message);
    const drafts = new DraftComments(memory, { warn });
    windows.push(drafts);
    return drafts;
  };
  const startThread = (side: 'before' | 'after' = 'after'): CommentThread =>
    controller.createCommentThread(uriOf(side), new Range(3, 0, 5, 0), []);
  const read = (drafts: DraftComments): unknown =>
    drafts.byTask.map(({ queue, task, comments: own }) => ({
      ...{ queue, task },
      own: own.map(({ at, text, thread }) => [
        ...[at.attempt, text, thread.uri.toString(), thread.range?.start.line, thread.range?.end.line],
        thread.comments.length,
      ]),
    }));

  it('are there after a reload, on their lines of their attempt, with what was edited', () => {
    const before = open();
    const thread = startThread();
    before.add({ thread, text: 'Blue.' });
    before.add({ thread, text: 'Red.' });
    const [draft] = before.byTask[0]?.comments ?? [];
    assert.ok(draft);
    before.edit(draft);
    draft.body = 'Dark blue.';
    before.endEdit(draft, true);

    const uri = uriOf('after').toString();
    assert.deepEqual(read(open()), [
      {
        ...{ queue: QUEUE, task: 7 },
        own: [
          [2, 'Dark blue.', uri, 3, 5, 2],
          [2, 'Red.', uri, 3, 5, 2],
        ],
      },
    ]);
  });

  it('stay in one thread after a second reload', () => {
    const thread = startThread();
    const first = open();
    first.add({ thread, text: 'Blue.' });
    const second = open();
    const again = second.byTask[0]?.comments[0]?.thread;
    assert.ok(again);
    second.add({ thread: again, text: 'Red.' });
    assert.deepEqual(read(open()), read(second));
  });

  it('are forgotten once they were removed', () => {
    const drafts = open();
    drafts.add({ thread: startThread(), text: 'Blue.' });
    drafts.remove(drafts.byTask[0]?.comments ?? []);
    assert.deepEqual(read(open()), []);
  });

  it('are gone once another window has sent them, except one that is being edited', () => {
    const first = open();
    const thread = startThread();
    first.add({ thread, text: 'Blue.' });
    first.add({ thread, text: 'Red.' });
    const second = open();
    first.add({ thread, text: 'Green.' });
    const idsOf = (drafts: DraftComments): string[] =>
      drafts.byTask.flatMap(({ comments: own }) => own.map(({ id }) => id));
    const [blue, red] = second.byTask[0]?.comments ?? [];
    assert.ok(blue && red);
    assert.deepEqual(idsOf(first).slice(0, 2), [blue.id, red.id]);
    second.edit(red);
    assert.equal(second.removeSent(new Set(idsOf(first))), true);
    assert.deepEqual(idsOf(second), [red.id]);
    assert.equal(second.removeSent(new Set(['another'])), false);
    second.endEdit(red, true);
    assert.equal(second.removeSent(new Set([red.id])), true);
    assert.deepEqual(read(second), []);
  });

  it('are none if what is remembered is not understood', async () => {
    const lines = [1, 2];
    const comment = { text: 'Blue.', quoted: [] };
    const uri = uriOf('after').toString();
    await memory.update('claudeQueue.drafts', [
      null,
      { uri, lines: [2, 1], comments: [comment] },
      { uri, lines, comments: [{ text: 1, quoted: [] }] },
      { uri, lines, comments: [] },
      { uri: 'file:///etc/hostname', lines, comments: [comment] },
      { uri: uriOf('before').toString(), lines, comments: [comment] },
      { uri: 'no uri', lines, comments: [comment] },
    ]);
    assert.deepEqual(read(open()), []);
  });
});
