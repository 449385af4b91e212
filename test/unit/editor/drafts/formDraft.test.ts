import assert from 'node:assert/strict';
import type { Memento } from 'vscode';
import { keepDraft, recallDraft } from '../../../../src/editor/drafts/formDraft';
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

describe('A new task that was typed and not added', () => {
  const values = { ...newValues('.', defaults), prompt: 'Wash the car' };
  const sent = (...drafts: string[]) => ({ read: () => Promise.resolve(new Set(drafts)) });
  let memory: Memory;

  beforeEach(async () => {
    memory = new Memory();
    await keepDraft(memory, null, { draftId: 'one', values });
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
    await keepDraft(memory, 7, { draftId: 'two', values: { ...values, prompt: 'Of row 7' } });
    assert.equal((await recallDraft(memory, sent()))?.draftId, 'one');
    await keepDraft(memory, null, { draftId: 'one', values: { ...values, prompt: ' ' } });
    assert.equal(await recallDraft(memory, sent()), null);
  });
});
