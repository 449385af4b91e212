import assert from 'node:assert/strict';
import { readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { Machine, TaskQueue } from '../../../src/queue/taskQueue';
import { openFileQueue } from '../../../src/queue/openQueue';
import { systemClock } from '../../../src/platform/clock';
import { FaultFolder, openQueue, RULES, successOf, request } from '../../faults/faultQueue';
import { OWN_HISTORY } from '../../support/queue/ownHistory';
import { describeMessage } from '../../../src/app/present/reasons/endNote';

/** Nobody lives: anyone who had a claim is dead. */
const DESERTED: Machine = { id: 'here', isAlive: () => false };

describe('A journal without its last lines', () => {
  let place: FaultFolder;
  beforeEach(() => {
    place = new FaultFolder(1);
  });
  afterEach(() => {
    place.remove();
  });

  const openLater = (): Promise<TaskQueue> => {
    const rows = { timeZone: 'UTC', folder: '/place', home: '/home/me', allowBypass: false };
    const warn = (message: string): void => assert.fail(message);
    return openFileQueue({
      file: place.file,
      rows: () => rows,
      machine: DESERTED,
      known: OWN_HISTORY,
      clock: systemClock,
      warn,
    });
  };

  it('puts a task in review that the queue file shows as completed, and does not run it again', async () => {
    const queue = await openQueue(place.file);
    const claimed = await queue.claim(request('first'), 'claim');
    assert.ok(claimed.kind === 'claimed');
    await queue.finish(claimed.claim, successOf(claimed), 'finish');
    await queue.close();
    assert.equal(place.rows()[0]?.['status'], 'completed');
    const journal = join(place.folder, 'state', 'journal');
    const text = readFileSync(journal, 'utf8');
    truncateSync(journal, text.lastIndexOf('\n', text.indexOf('"kind":"finished"')) + 1);

    const later = await openLater();
    await later.recover(RULES, 'recover');
    const [task] = (await later.read()).tasks;
    assert.equal(task?.state.status, 'review');
    const next = await later.claim(request('second'), 'again');
    assert.equal(next.kind, 'idle');
    const [attempt] = await later.attempts({});
    assert.ok(attempt !== undefined);
    assert.match(describeMessage(attempt), /says completed, but the history of attempt 1 is lost/);
    await later.close();
  });
});
