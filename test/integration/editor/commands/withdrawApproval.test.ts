import assert from 'node:assert/strict';
import type { ExtensionServices } from '../../../../src/editor/state/extensionServices';
import { loadInEditor, MESSAGES } from '../../../support/editor/fakeEditor';
import { openContext } from '../../../support/queue/openContexts';

describe('Withdraw Approval in the editor', () => {
  it('withdraws the approvals and the allowed rules of the selected tasks, and says so', async () => {
    const { withdrawApproval } = await loadInEditor(
      () => import('../../../../src/editor/commands/several/withdrawApproval'),
    );
    const context = await openContext();
    const [approvals, grants] = [context.queueContext.openApprovals(), context.queueContext.openGrants()];
    await approvals.approve([1, 2, 3].map((id) => ({ id, power: 'power' })));
    await grants.add({ id: 2, power: 'power' }, ['Bash(git push)', 'WebFetch']);
    const services = { queueModel: { change: (work: (opened: object) => unknown) => work(context) } };
    const targets = [{ taskId: 1 }, { taskId: 2 }];
    await withdrawApproval(services as unknown as ExtensionServices, targets);
    assert.equal(
      MESSAGES.at(-1),
      'The approvals of 2 tasks were withdrawn. Task 2 may no longer use Bash(git push), WebFetch.',
    );
    assert.deepEqual([...(await approvals.read()).approvals], ['3:power']);
    assert.deepEqual([...(await grants.readAll())], []);
    await context.close();
  });
});
