import assert from 'node:assert/strict';
import type { Memento } from 'vscode';
import { memoryOfFolder } from '../../../../src/editor/state/folderMemory';

function createMemory(): Memento {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: <T>(key: string, fallback?: T) => (values.get(key) ?? fallback) as T,
    update: (key, value) => Promise.resolve(void values.set(key, value)),
  };
}

describe('The memory of a folder', () => {
  it('has its own values, and not those of another folder', async () => {
    const memory = createMemory();
    const [north, south] = ['/north', '/south'].map((folder) => memoryOfFolder(memory, folder));
    await north?.update('unsavedBase', 'id,prompt');
    assert.deepEqual([north?.get('unsavedBase'), north?.keys()], ['id,prompt', ['unsavedBase']]);
    assert.deepEqual([south?.get('unsavedBase', 'none'), south?.keys()], ['none', []]);
    assert.equal(memory.get('unsavedBase'), undefined);
  });
});
