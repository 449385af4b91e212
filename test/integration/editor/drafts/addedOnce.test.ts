import assert from 'node:assert/strict';
import { isProblem, Problem } from '../../../../src/domain/problem';
import { defaults } from '../../../../src/domain/settings/settings';
import { addFromForm } from '../../../../src/editor/form/saveForm';
import { newValues } from '../../../../src/editor/form/formValues';
import type { TaskQueue } from '../../../../src/queue/taskQueue';
import { openContext, type OpenContext } from '../../../support/queue/openContexts';

describe('A task of the form whose addition was not confirmed', () => {
  const values = { ...newValues('.', defaults), prompt: 'Wash the car' };
  let context: OpenContext;

  beforeEach(async () => {
    context = await openContext();
  });
  afterEach(() => context.close());

  /** The queue, whose first answer is lost, as by a connection to Redis that ends after a change was made. */
  function loseFirstAnswer(queue: TaskQueue): TaskQueue {
    let calls = 0;
    return new Proxy(queue, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        if (name !== 'addAll') return member.bind(target) as unknown;
        return async (...args: Parameters<TaskQueue['addAll']>) => {
          const added = await target.addAll(...args);
          calls += 1;
          if (calls === 1) throw new Problem('redis-away', 'Redis does not answer.');
          return added;
        };
      },
    });
  }

  const prompts = async (): Promise<string[]> =>
    (await context.queue.read()).tasks.map(({ definition }) => definition.prompt);

  it('is added once when it is sent again as it is', async () => {
    const opened = { queueContext: context.queueContext, queue: loseFirstAnswer(context.queue) };
    const draft = { draftId: 'one', values, attachments: [] };
    await assert.rejects(addFromForm(opened, draft), (error) => isProblem(error, 'redis-away'));
    const id = await addFromForm(opened, draft);
    assert.deepEqual([await prompts(), id], [['Wash the car'], 1]);
  });

  it('is added as it was changed meanwhile, or as another draft', async () => {
    const opened = { queueContext: context.queueContext, queue: context.queue };
    await addFromForm(opened, { draftId: 'one', values, attachments: [] });
    const changed = { ...values, prompt: 'Wash both cars' };
    await addFromForm(opened, { draftId: 'one', values: changed, attachments: [] });
    await addFromForm(opened, { draftId: 'two', values, attachments: [] });
    assert.deepEqual(await prompts(), ['Wash the car', 'Wash both cars', 'Wash the car']);
  });
});
