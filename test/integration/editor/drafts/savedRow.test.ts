import assert from 'node:assert/strict';
import { isProblem } from '../../../../src/domain/problem';
import { saveFromForm } from '../../../../src/editor/form/saveForm';
import { valuesOf, type FormValues } from '../../../../src/editor/form/formValues';
import { describeOnEachStore } from '../../../support/queue/openContexts';

describeOnEachStore('A row that the user edits in a form', (context) => {
  let initial: FormValues;

  beforeEach(async () => {
    await context().queue.add({ fields: { prompt: 'Wash\nthe car', working_dir: '/', tags: 'home' } }, 'add');
    initial = valuesOf(await context().queue.cells(1));
  });

  const save = (changed: Partial<FormValues>): Promise<void> => {
    const { queueContext, queue } = context();
    return saveFromForm({ queueContext, queue }, 1, { initial, values: { ...initial, ...changed } });
  };

  it('keeps what somebody else changed in another cell', async () => {
    await context().queue.edit(1, { tags: 'garage' }, 'edit');
    await save({ prompt: 'Wash the bus' });
    const { prompt, tags } = await context().queue.cells(1);
    assert.deepEqual([prompt, tags], ['Wash the bus', 'garage']);
  });

  it('is not written over what somebody else wrote into the same cells, which the message quotes', async () => {
    await context().queue.edit(1, { prompt: 'Wash\nboth cars', tags: '' }, 'edit');
    await assert.rejects(save({ prompt: 'Wash the bus', tags: 'street' }), (error) => {
      assert.ok(isProblem(error, 'conflict'));
      assert.match(error.message, /was changed meanwhile: prompt "both cars", tags \(empty\)\. Save again/);
      return true;
    });
    assert.equal((await context().queue.cells(1))['prompt'], 'Wash\nboth cars');
  });

  it('is saved where the cells already have what the user wrote, as when the answer of Redis was lost', async () => {
    await save({ prompt: 'Wash the bus', tags: 'street' });
    await save({ prompt: 'Wash the bus', tags: 'street', user: 'ann' });
    const { prompt, tags, user } = await context().queue.cells(1);
    assert.deepEqual([prompt, tags, user], ['Wash the bus', 'street', 'ann']);
  });

  it('is quoted whole where somebody else only took lines away', async () => {
    await context().queue.edit(1, { prompt: 'Wash' }, 'edit');
    await assert.rejects(save({ prompt: 'Wash the bus' }), /prompt "Wash"\. Save again/);
  });
});
