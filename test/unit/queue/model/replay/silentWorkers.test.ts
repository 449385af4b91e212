import assert from 'node:assert/strict';
import type { ProcessOwner } from '../../../../../src/domain/queue/view';
import type { QueueEvent } from '../../../../../src/queue/model/events';
import type { Past } from '../../../../../src/queue/model/replay/pastQueue';
import { replay } from '../../../../../src/queue/model/replay/replay';
import { workerOf } from '../../../../conformance/harness';

const [ONE, TWO] = [workerOf(1), workerOf(2)];

function enlist(owner: ProcessOwner, at: number, op: string): QueueEvent {
  return { kind: 'enlisted', worker: { owner, since: at }, at, op };
}

/** Two workers register. The second one leaves, the first one records nothing after its registration. */
const EVENTS: readonly QueueEvent[] = [
  enlist(ONE, 1_000, 'a'),
  enlist(TWO, 2_000, 'b'),
  { kind: 'left', workers: [TWO], at: 3_000, op: 'c' },
];

/** Somebody finds the first one gone. */
const FOUND: readonly QueueEvent[] = [
  { kind: 'left', workers: [ONE], at: 4_000, op: 'd' },
  {
    kind: 'raised',
    notices: [{ kind: 'worker-died', process: ONE.process, worker: ONE.worker, machine: ONE.machine }],
    at: 4_000,
    op: 'd',
  },
  enlist(TWO, 4_000, 'd'),
];

async function findSilent(
  events: readonly QueueEvent[],
  from: number,
  isDead = (_: ProcessOwner): boolean => false,
): Promise<readonly (readonly [string, number])[]> {
  // A past is read asynchronously.
  // eslint-disable-next-line @typescript-eslint/require-await
  async function* read(): Past {
    yield { state: null, events };
  }
  const { silent } = await replay(read(), { from, to: 10_000 }, isDead);
  return silent.map(({ worker, lastAt }) => [worker.worker, lastAt]);
}

describe('A replay of a night in which a worker died', () => {
  it('names it with its last record while it is registered, and not one that left', async () => {
    assert.deepEqual(await findSilent(EVENTS, 0, () => true), [[ONE.worker, 1_000]]);
    assert.deepEqual(await findSilent(EVENTS, 0), []);
  });

  it('names it also after somebody found it gone', async () => {
    assert.deepEqual(await findSilent([...EVENTS, ...FOUND], 0), [[ONE.worker, 1_000]]);
  });

  it('does not name it for a later time', async () => {
    assert.deepEqual(await findSilent([...EVENTS, ...FOUND], 5_000), []);
  });
});
