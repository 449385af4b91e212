import assert from 'node:assert/strict';
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { addTask } from '../../../../../src/app/actions/rows/addTask';
import { editTask } from '../../../../../src/app/actions/rows/editTask';
import { buildViewModel } from '../../../../../src/app/viewModel/queueViewModel';
import type { QueueContext } from '../../../../../src/app/context/queueContext';
import type { TaskQueue } from '../../../../../src/queue/taskQueue';
import { openContext, type OpenContext } from '../../../../support/queue/openContexts';

describe('An edit of an approved task', () => {
  let context: OpenContext;
  let file: string;
  let queueContext: QueueContext;
  let queue: TaskQueue;

  beforeEach(async () => {
    context = await openContext();
    ({ file, queueContext, queue } = context);
    await addTask(queueContext, queue, { fields: { working_dir: '.', prompt: 'Do it' } });
  });
  afterEach(() => context.close());

  /** Long enough ago that nobody waits for the rest of it. */
  function write(text: string): void {
    writeFileSync(file, text);
    const past = new Date(Date.now() - 60_000);
    utimesSync(file, past, past);
  }

  /** The queue, where somebody else saves the file right before the row is written, or right after. */
  function meddle(when: 'before' | 'after', change: (text: string) => string): TaskQueue {
    return new Proxy(queue, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        if (name !== 'edit') return member.bind(target) as unknown;
        return async (...args: Parameters<TaskQueue['edit']>) => {
          if (when === 'before') write(change(readFileSync(file, 'utf8')));
          const added = await target.edit(...args);
          if (when === 'after') write(change(readFileSync(file, 'utf8')));
          return added;
        };
      },
    });
  }

  async function shown(): Promise<string | undefined> {
    return (await buildViewModel(queueContext, queue)).tasks[0]?.reason.state;
  }

  it('keeps the approval for an edit by its author', async () => {
    await editTask(queueContext, queue, 1, { prompt: 'Do it well' });
    assert.equal(await shown(), 'ready');
  });

  for (const when of ['before', 'after'] as const) {
    it(`does not approve an edit that another user made right ${when} it`, async () => {
      const meddled = meddle(when, (text) => text.replace(',Do it', ',Delete everything'));
      await editTask(queueContext, meddled, 1, { working_dir: 'sub' });
      assert.match(readFileSync(file, 'utf8'), /sub,Delete everything/);
      assert.equal(await shown(), 'unapproved');
    });
  }

  it('does not approve the address of callbacks that another user wrote right after it', async () => {
    await editTask(queueContext, queue, 1, { callback_url: 'https://mine.example/done' });
    assert.equal(await shown(), 'ready');
    const meddled = meddle('after', (text) => text.replace('https://own.', 'https://their.'));
    await editTask(queueContext, meddled, 1, { callback_url: 'https://own.example/done' });
    assert.match(readFileSync(file, 'utf8'), /their\.example/);
    assert.equal(await shown(), 'unapproved');
  });

  it('does not approve a row that was not approved before', async () => {
    write(readFileSync(file, 'utf8').replace(',Do it', ',Delete everything'));
    await editTask(queueContext, queue, 1, { working_dir: 'sub' });
    assert.equal(await shown(), 'unapproved');
  });
});
