import assert from 'node:assert/strict';
import { OPEN_GATE } from '../../../../src/domain/gate/gate';
import { Harness } from '../../../support/queue/workerHarness';

describe('A copy of a queue', () => {
  it('does not record inputs of its decisions: nobody replays them', async () => {
    const harness = new Harness();
    const { settings, clock } = harness;
    const { owner } = harness.createWorker();
    const copy = await harness.queue.copy(clock, (definition) => definition);
    let changes = 0;
    copy.watch(() => (changes += 1), new AbortController().signal);
    const rules = { settings, timeZone: 'UTC', gate: OPEN_GATE };
    const approvedRows = { trusted: true, approvals: new Set<string>() };
    await copy.noteInputs({ ...rules, approvedRows, owner, since: clock.now(), freshSession: 's' }, 'op');
    assert.equal(changes, 0);
  });
});
