import assert from 'node:assert/strict';
import { describeAttempt } from '../../../../src/app/present/attempt';
import { describeNoOutput, describeOwner } from '../../../../src/app/present/reasons/claim';
import { describeMessage } from '../../../../src/app/present/reasons/endNote';
import { describeDeath, describeWorkers } from '../../../../src/app/present/workers';
import type { ProcessOwner } from '../../../../src/domain/queue/view';
import type { Attempt } from '../../../../src/domain/task/attempt';
import type { Snapshot } from '../../../../src/queue/taskQueue';

const MARS = 'mars/0123456789ab';
const HERE = 'venus/0123456789ab';

describe('The machine of a shared queue', () => {
  const workerOn = (machine: string, worker = '42'): ProcessOwner => ({
    ...{ kind: 'process', worker, machine },
    process: { pid: 42, startedAt: 'then' },
  });
  const snapshotOf = (...owners: readonly ProcessOwner[]): Snapshot => {
    const workers = owners.map((owner) => ({ owner, since: 0 }));
    return { workers, claims: [], died: [], stop: null } as unknown as Snapshot;
  };

  it('is named with a worker if it is another one', () => {
    assert.equal(describeOwner(workerOn(HERE), { machine: HERE }), 'worker 42');
    assert.equal(describeOwner(workerOn(MARS), { machine: HERE }), 'worker 42 on mars');
    assert.equal(describeOwner(workerOn(MARS), {}), 'worker 42');
  });

  it('is named with its user if it is another one', () => {
    const user = { kind: 'person', machine: MARS } as const;
    assert.deepEqual(
      [MARS, HERE].map((machine) => describeOwner(user, { machine })),
      ['you', 'the user on mars'],
    );
  });

  it('is named with each worker if one is on another machine', () => {
    const here = workerOn(HERE, '7');
    const describe = (...owners: readonly ProcessOwner[]): string =>
      describeWorkers(snapshotOf(...owners), { machine: HERE });
    assert.equal(describe(here), 'Worker 7 is running.');
    assert.equal(describe(here, workerOn(MARS)), 'Workers 7 on venus, 42 on mars are running.');
  });

  it('is named with the workers of others if this one has none, whose approvals do not count there', () => {
    assert.equal(
      describeWorkers(snapshotOf(workerOn(MARS)), { machine: HERE }),
      'Worker 42 on mars is running. None is running on this machine: a worker runs only what was approved on its machine.',
    );
  });

  it('is named with a worker that died there', () => {
    const died = (machine: string): string | null =>
      describeDeath({ died: [{ owner: workerOn(machine), since: 0 }], workers: [] }, { machine: HERE });
    assert.deepEqual([HERE, MARS].map(died), ['Worker 42 died.', 'Worker 42 on mars died.']);
    const note = { kind: 'owner-died', worker: '42' } as const;
    assert.deepEqual(
      [{}, { machine: MARS }].map((where) => describeMessage({ message: '', note, ...where })),
      ['Worker 42 died during the attempt.', 'Worker 42 on mars died during the attempt.'],
    );
  });

  it('is named where the output of an attempt is not here', () => {
    assert.equal(
      describeNoOutput({ machine: MARS }),
      'Its output is not on this machine: mars ran the attempt.',
    );
    assert.match(describeNoOutput({}), /another machine ran the attempt, or the file was removed/);
  });

  it('is named in an attempt that its user made', () => {
    const attempt = { id: 1, number: 1, startedAt: 0, endedAt: 4_000, outcome: 'success', reason: 'by-hand' };
    const started = (machine?: string): string | undefined =>
      describeAttempt({ ...attempt, message: '', ...(machine === undefined ? {} : { machine }) } as Attempt, {
        ...{ timeZone: 'UTC', machine: HERE },
        withMachine: true,
      }).find(({ kind }) => kind === 'started')?.text;
    assert.deepEqual([MARS, HERE, undefined].map(started), [
      '1970-01-01 00:00, with the user on mars for 4 s',
      '1970-01-01 00:00, with you for 4 s',
      '1970-01-01 00:00, with you for 4 s',
    ]);
  });

  it('is a fact of an attempt', () => {
    const attempt = { id: 1, number: 1, startedAt: 0, endedAt: 1, outcome: 'success', reason: 'done' };
    const of = (withMachine: boolean): readonly string[] =>
      describeAttempt({ ...attempt, message: '', machine: MARS } as Attempt, { timeZone: 'UTC', withMachine })
        .filter(({ kind }) => kind === 'machine')
        .map(({ name, text }) => `${name} ${text}`);
    assert.deepEqual([of(true), of(false)], [['ran on mars'], []]);
  });
});
