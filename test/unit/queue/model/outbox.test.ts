import assert from 'node:assert/strict';
import { NOTICE_CHANNELS, noticeKey, type Notice } from '../../../../src/domain/queue/notices';
import { Harness, workerOf } from '../../../conformance/harness';
import { openMemory } from '../../../conformance/memorySystemUnderTest';

/** Most deadlines that are kept. */
const MOST = 1_000;

describe('The outbox of a queue with more missed deadlines than it keeps', () => {
  const sender = { machine: 'here', process: workerOf(1).process };
  let harness: Harness;
  let late: readonly Notice[];

  const claim = (observed: readonly Notice[]): Promise<readonly Notice[]> =>
    harness.queue.claimNotices({ channel: 'worker', sender, observed }, harness.op());

  /** Notices that the user has been sent. */
  const sendAll = async (observed: readonly Notice[]): Promise<readonly Notice[]> => {
    const sent = await claim(observed);
    for (const channel of NOTICE_CHANNELS)
      await harness.queue.confirmNotices(channel, sent.map(noticeKey), harness.op());
    return sent;
  };

  beforeEach(async () => {
    harness = new Harness();
    await harness.open(openMemory);
    for (let id = 1; id <= MOST + 1; id += 1) await harness.put(id);
    const { tasks } = await harness.queue.read();
    late = tasks.map(({ definition: { id }, state: { power } }) => ({ kind: 'late', id, power, by: 1 }));
    assert.equal((await sendAll(late)).length, MOST);
  });

  it('records nothing more while there is no room', async () => {
    let changes = 0;
    harness.queue.watch(() => (changes += 1), new AbortController().signal);
    assert.deepEqual(await claim(late), []);
    assert.equal(changes, 0);
  });

  it('still has the notice of a task that failed', async () => {
    await harness.run('permanent');
    assert.deepEqual(
      (await claim([])).map(({ kind }) => kind),
      ['failed'],
    );
  });

  it('has room for another deadline once a row is gone', async () => {
    await harness.subject.remove(1);
    assert.deepEqual(await claim(late.slice(1)), late.slice(MOST));
  });
});
