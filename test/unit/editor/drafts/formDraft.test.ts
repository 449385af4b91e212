import assert from 'node:assert/strict';
import type { Memento } from 'vscode';
import {
  keepDraft,
  keepEdit,
  keepTyped,
  recallDraft,
  recallEdit,
} from '../../../../src/editor/drafts/formDraft';
import { newValues } from '../../../../src/editor/form/formValues';
import { defaults } from '../../../../src/domain/settings/settings';

/** Memory of a window: what another one removes later stays in it. */
class Memory implements Memento {
  private readonly values = new Map<string, unknown>();

  keys = (): readonly string[] => [...this.values.keys()];

  get(key: string): undefined {
    return this.values.get(key) as undefined;
  }

  update(key: string, value: unknown): Promise<void> {
    this.values.set(key, value);
    return Promise.resolve();
  }
}

const ROW = { queue: '/work', id: 7 };

describe('A new task that was typed and not added', () => {
  const values = { ...newValues('.', defaults), prompt: 'Wash the car' };
  const sent = (...drafts: string[]) => ({ read: () => Promise.resolve(new Set(drafts)) });
  let memory: Memory;

  beforeEach(async () => {
    memory = new Memory();
    await keepDraft(memory, { draftId: 'one', values });
  });

  it('is restored as the same draft', async () => {
    assert.deepEqual(await recallDraft(memory, sent('another')), { draftId: 'one', values });
  });

  it('is not restored if another window has added it', async () => {
    assert.equal(await recallDraft(memory, sent('another', 'one')), null);
  });

  it('is restored if an earlier version remembered it', async () => {
    await memory.update('formNotAdded', values);
    assert.deepEqual((await recallDraft(memory, sent()))?.values, values);
  });

  it('is forgotten without a prompt, and the edit of a row does not replace it', async () => {
    await keepEdit(memory, ROW, { initial: values, values: { ...values, prompt: 'Of row 7' } });
    assert.equal((await recallDraft(memory, sent()))?.draftId, 'one');
    await keepDraft(memory, { draftId: 'one', values: { ...values, prompt: ' ' } });
    assert.equal(await recallDraft(memory, sent()), null);
  });
});

describe('Changes of a row that were typed and not saved', () => {
  const initial = { ...newValues('.', defaults), prompt: 'Wash the car' };
  const values = { ...initial, prompt: 'Wash both cars' };
  let memory: Memory;

  beforeEach(async () => {
    memory = new Memory();
    await keepEdit(memory, ROW, { values, initial });
  });

  it('are restored in the form of that row only', () => {
    assert.deepEqual(recallEdit(memory, ROW, initial), { values, initial });
    assert.equal(recallEdit(memory, { ...ROW, id: 8 }, initial), null);
    assert.equal(recallEdit(memory, { ...ROW, queue: '/home' }, initial), null);
  });

  it('are restored beside what others changed, and keep what the row had for the check of a conflict', () => {
    const now = { ...initial, prompt: 'Wash the bus', priority: 'high' };
    assert.deepEqual(recallEdit(memory, ROW, now), {
      values: { ...values, priority: 'high' },
      initial: { ...initial, priority: 'high' },
    });
  });

  it('are forgotten once they are saved, cancelled or taken back', async () => {
    assert.equal(recallEdit(memory, ROW, values), null);
    await keepEdit(memory, ROW, { values: initial, initial });
    assert.equal(recallEdit(memory, ROW, initial), null);
    await keepEdit(memory, ROW, { values, initial });
    await keepEdit(memory, ROW, null);
    assert.equal(recallEdit(memory, ROW, initial), null);
  });

  it('are ignored in a shape that is not understood', async () => {
    for (const key of memory.keys()) await memory.update(key, { values });
    assert.equal(recallEdit(memory, ROW, initial), null);
  });
});

describe('The prompt of a form that is closed', () => {
  const initial = { ...newValues('.', defaults), prompt: 'Wash the car' };
  const typed = { draftId: 'one', values: { ...initial, prompt: 'Wash both cars' }, initial };
  const sentDrafts = { read: () => Promise.resolve(new Set<string>()) };

  it('is kept for the form of its row, and for no other', async () => {
    const memory = new Memory();
    await keepTyped({ memory, key: ROW.queue }, ROW.id, typed);
    assert.deepEqual(recallEdit(memory, ROW, initial), { values: typed.values, initial });
    assert.equal(await recallDraft(memory, sentDrafts), null);
  });

  it('is kept for the form of a new task', async () => {
    const memory = new Memory();
    await keepTyped({ memory, key: ROW.queue }, null, typed);
    assert.deepEqual(await recallDraft(memory, sentDrafts), { draftId: 'one', values: typed.values });
    assert.equal(recallEdit(memory, ROW, initial), null);
  });
});
