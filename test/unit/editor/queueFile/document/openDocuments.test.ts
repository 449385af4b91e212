import assert from 'node:assert/strict';
import { awaitQuiet, parseOpen } from '../../../../../src/editor/queueFile/document/openDocuments';

/** Cancellation that the test triggers. */
function cancellation() {
  const listeners = new Set<() => void>();
  const token = {
    onCancellationRequested: (listener: () => void) => {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
  };
  return {
    token,
    cancel: () => {
      for (const listener of listeners) listener();
    },
    count: () => listeners.size,
  };
}

describe('What is only drawn of an open document', () => {
  const pauses: number[] = [];
  const clock = {
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        pauses.push(ms);
        signal?.addEventListener('abort', () => {
          resolve();
        });
      }),
  };
  const never = cancellation().token;

  function openOf(lineCount: number) {
    return { version: 1, lineCount, getText: () => 'id,prompt\n1,Do it\n' };
  }

  beforeEach(() => {
    pauses.length = 0;
  });

  it('is there at once when the document is opened, however long it is', async () => {
    await awaitQuiet(openOf(10_000), never, clock);
    assert.deepEqual(pauses, []);
  });

  it('is there at once after a key in a short document', async () => {
    const open = openOf(2_000);
    parseOpen(open);
    open.version = 2;
    await awaitQuiet(open, never, clock);
    assert.deepEqual(pauses, []);
  });

  it('waits after a key in a long document, until VS Code asks again', async () => {
    const open = openOf(2_001);
    parseOpen(open);
    open.version = 2;
    const { token, cancel, count } = cancellation();
    const waiting = awaitQuiet(open, token, clock);
    assert.deepEqual(pauses, [250]);
    cancel();
    await waiting;
    assert.equal(count(), 0, 'nothing is listened to any more');
  });
});
