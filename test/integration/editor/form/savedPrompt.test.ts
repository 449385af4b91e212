import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ratesOf } from '../../../../src/domain/order/rates';
import { defaults } from '../../../../src/domain/settings/settings';
import type { SteadyFacts } from '../../../../src/editor/form/formFacts';
import { newValues, valuesOf, type FormValues } from '../../../../src/editor/form/formValues';
import type { ExtensionServices } from '../../../../src/editor/state/extensionServices';
import { loadInEditor, PANELS } from '../../../support/editor/fakeEditor';
import { NOW, paint } from '../../../support/queue/viewModels';
import { makeFolder } from '../../queue/folder';

const FACTS: SteadyFacts = {
  viewModel: paint([]),
  rates: ratesOf([], NOW),
  login: 'aiko',
  folderExists: () => true,
  folders: ['.'],
  rows: () => ({ timeZone: 'UTC', folder: '/work', home: '/home/me', allowBypass: false }),
  moment: () => ({ now: NOW, timeZone: 'UTC' }),
  readValues: () => Promise.resolve(valuesOf({})),
};

/** Opens a form with these values; returns its tab, and what saves a text as its prompt in an editor. */
async function openForm(values: FormValues) {
  const { TaskForm, PromptFile } = await loadInEditor(async () => ({
    ...(await import('../../../../src/editor/form/promptFile')),
    ...(await import('../../../../src/editor/form/taskForm')),
  }));
  const services = {
    ...{ key: 'queue', name: '', redis: null, prompts: makeFolder() },
    queueModel: { state: { kind: 'opening' }, onDidChange: () => ({ dispose: () => undefined }) },
    memory: { get: () => undefined, update: () => Promise.resolve() },
    settings: { permissionMode: 'ask' },
  };
  const start = { values, draftId: 'one', facts: FACTS, id: null };
  const form = new TaskForm(services as unknown as ExtensionServices, start);
  const panel = PANELS.at(-1);
  assert.ok(panel !== undefined);
  const file = new PromptFile(services, null).path;
  mkdirSync(dirname(file), { recursive: true });
  const save = (text: string): Promise<void> => {
    writeFileSync(file, text);
    return form.followPrompt('saved');
  };
  return { save, panel };
}

describe('A prompt that is saved in an editor', () => {
  const values = { ...newValues('.', defaults), prompt: 'Paint\n' };

  it('leaves what is typed into the form meanwhile', async () => {
    const { save, panel } = await openForm(values);
    const saved = save('Paint the fence\n');
    await panel.send({ kind: 'change', values: { ...values, folder: 'garden' } });
    await saved;
    assert.deepEqual(panel.posted.at(-1)?.['values'], {
      ...values,
      ...{ prompt: 'Paint the fence', folder: 'garden' },
    });
  });

  it('is the same as before if only white space at its end is different', async () => {
    const { save, panel } = await openForm(values);
    await save('Paint\n\n');
    assert.deepEqual(panel.posted.at(-1)?.['values'], values);
  });
});
