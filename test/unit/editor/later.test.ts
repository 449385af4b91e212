import assert from 'node:assert/strict';
import { createLater } from '../../../src/editor/later';

describe('A part that is created later', () => {
  let events: string[] = [];
  let makeDue: () => void = () => undefined;
  let isDue: Promise<void>;
  /** Ends the loading of the part. */
  let makeLoaded: () => void = () => undefined;
  let isLoaded: Promise<void>;

  beforeEach(() => {
    events = [];
    isDue = new Promise((resolve) => (makeDue = resolve));
    isLoaded = new Promise((resolve) => (makeLoaded = resolve));
  });

  const plan = (): { dispose(): unknown } =>
    createLater(
      isDue,
      async () => {
        events.push('loading');
        await isLoaded;
        events.push('created');
        return { dispose: () => events.push('disposed') };
      },
      (error) => events.push(String(error)),
    );
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('is created once it is due, and disposed of with what it belongs to', async () => {
    const part = plan();
    await settle();
    assert.deepEqual(events, []);
    makeDue();
    makeLoaded();
    await settle();
    part.dispose();
    assert.deepEqual(events, ['loading', 'created', 'disposed']);
  });

  it('is not created if it was disposed of before', async () => {
    plan().dispose();
    makeDue();
    makeLoaded();
    await settle();
    assert.deepEqual(events, []);
  });

  it('does not stay if it was disposed of while it was loaded', async () => {
    const part = plan();
    makeDue();
    await settle();
    part.dispose();
    makeLoaded();
    await settle();
    assert.deepEqual(events, ['loading', 'created', 'disposed']);
  });

  it('reports why it could not be created', async () => {
    createLater(
      isDue,
      () => Promise.reject(new Error('missing')),
      (error) => events.push(String(error)),
    );
    makeDue();
    await settle();
    assert.deepEqual(events, ['Error: missing']);
  });
});
