import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { Emitter, loadInEditor } from '../../../support/editor/fakeEditor';
import { until } from '../../../support/until';

/** State of a queue in which the user has a task in a terminal. */
const STATE = {
  kind: 'ready',
  viewModel: {
    snapshot: {
      claims: [
        {
          id: 1,
          token: 1,
          mark: 'one',
          owner: { kind: 'person', machine: 'here' },
          run: { pid: 1, startedAt: '' },
        },
      ],
    },
    world: { machine: 'here' },
  },
};

describe('The attempts in terminals', () => {
  it('are not looked at again after the folder of their queue has left the window', async () => {
    const { InteractiveAttempts } = await loadInEditor(
      () => import('../../../../src/editor/terminals/interactiveAttempts'),
    );
    let looks = 0;
    let endLook: () => void = () => undefined;
    const changed = new Emitter<object>();
    const queueModel = {
      ...{ state: STATE, onDidChange: changed.event },
      useQueue: () => {
        looks += 1;
        return new Promise((_, reject) => (endLook = () => reject(new Error('The queue was closed.'))));
      },
    };
    const log = { error: () => undefined };
    const attempts = new InteractiveAttempts({ queueModel, log, memory: {} } as never);
    changed.fire(STATE);
    await until('they are looked at', () => looks === 1);
    attempts.dispose();
    endLook();
    await setTimeout(1_500);
    assert.equal(looks, 1);
  });
});
