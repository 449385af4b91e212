import assert from 'node:assert/strict';
import type { ExtensionServices } from '../../../../src/editor/state/extensionServices';
import { loadInEditor, MESSAGES } from '../../../support/editor/fakeEditor';

/** Modes of a comment in VS Code. */
const [EDITING, PREVIEW] = [0, 1] as const;

/** Sends the drafts of a task, which are shown so. Returns how many were sent and removed. */
async function send(modes: readonly number[]): Promise<{ readonly sent: number; readonly removed: number }> {
  const { sendDrafts } = await loadInEditor(
    () => import('../../../../src/editor/commands/comments/sendDrafts'),
  );
  const counts = { sent: 0, removed: 0 };
  const at = { queue: 'one', task: 7, attempt: 1 };
  const comments = modes.map((mode, index) => ({
    ...{ mode, at, id: String(index), text: 'Blue.', quoted: [] },
    thread: { uri: { path: '/car.ts' }, range: { start: { line: 3 }, end: { line: 3 } } },
  }));
  const queue = {
    read: () => Promise.resolve({ claims: [], tasks: [{ state: { id: 7 }, definition: { id: 7 } }] }),
    attempts: () => Promise.resolve([]),
  };
  const session = { use: (work: () => unknown) => work(), queue, queueContext: {} };
  const queueModel = {
    state: { kind: 'missing' },
    useQueue: () => Promise.resolve(session),
    change: () => {
      counts.sent = comments.length;
      return Promise.resolve({ isRedacted: false });
    },
  };
  const found = { ...at, comments };
  const drafts = {
    removeSent: () => false,
    byTask: [found],
    find: () => found,
    remove: ({ length }: typeof comments) => (counts.removed += length),
  };
  const review = { drafts, diffs: { active: at }, findQueue: () => Promise.resolve({ queueModel }) };
  const sentDrafts = { read: () => Promise.resolve(new Set()), add: () => Promise.resolve() };
  await sendDrafts({ review, sentDrafts } as unknown as ExtensionServices, undefined);
  return counts;
}

describe('Comments on changes', () => {
  it('are not sent while one of them is edited: what was typed would be lost', async () => {
    MESSAGES.length = 0;
    assert.deepEqual(await send([PREVIEW, EDITING]), { sent: 0, removed: 0 });
    assert.deepEqual(MESSAGES, [
      'Nothing was sent: you are editing a comment. Save or cancel the edit first.',
    ]);
  });

  it('are removed once they are sent', async () => {
    assert.deepEqual(await send([PREVIEW, PREVIEW]), { sent: 2, removed: 2 });
  });
});
