import assert from 'node:assert/strict';
import { MANIFEST } from '../../../../scripts/texts/manifest';
import type { TaskViewModel } from '../../../../src/app/viewModel/queueViewModel';
import type { Attempt } from '../../../../src/domain/task/attempt';
import { commandsOf } from '../../../../src/editor/hover/hoverText';
import { describeTaskHover, linkActions } from '../../../../src/editor/hover/taskHover';
import { listCommands } from '../../../../src/editor/state/listedCommands';
import { HOUR, MINUTE, NOW, paint, runByWorker } from '../../../support/queue/viewModels';
import type { Around, Row } from '../../../support/queue/viewModels';

const UNTRUSTED = { approvedRows: { trusted: false, approvals: new Set<string>() } };
const REVIEW: Row = {
  state: {
    status: 'review',
    changed: true,
    refused: true,
    lastOutcome: 'review',
    lastMessage: 'Half of it.',
  },
};
const ATTEMPT = {
  ...{ id: 1, number: 2, power: 'p', outcome: 'review', reason: 'denied', message: 'Half of it.' },
  ...{ startedAt: NOW - 20 * MINUTE, endedAt: NOW - 3 * MINUTE, session: null, costUsd: 0.61 },
} as unknown as Attempt;

function taskOf(row: Row, around: Around = {}): TaskViewModel {
  const [shown] = paint([row], around).tasks;
  assert.ok(shown);
  return shown;
}

const { world } = paint([]);
const describeLines = (row: Row, around: Around = {}): readonly string[] =>
  describeTaskHover(taskOf(row, around), { world: paint([row], around).world }).lines;

/** Every state, without and with a note, a deadline and an attempt. */
const ROWS: readonly (readonly [Row, Around?])[] = [
  [{}],
  [{}, UNTRUSTED],
  [{}, { held: 'by hand' }],
  [{ fields: { deadline: NOW + 5 * MINUTE } }],
  [{ fields: { dependencies: [9] } }],
  [{ state: { ownerScheduledAt: NOW + HOUR } }],
  [{ state: { retryCount: 1, dueAt: NOW + HOUR, dueCause: 'retry', lastOutcome: 'error' } }],
  [runByWorker],
  [REVIEW],
  [{ state: { status: 'failed', lastOutcome: 'error', lastMessage: 'No.' } }],
  [{ state: { status: 'completed', lastOutcome: 'success' } }],
  [{ state: { status: 'cancelled' } }],
];

describe('The hover of a task', () => {
  it('has its state and reason in full, and when it is due', () => {
    assert.deepEqual(describeLines(REVIEW), ['Needs review: Half of it.']);
    assert.deepEqual(describeLines({ fields: { deadline: NOW - HOUR } }), [
      '1st in line.',
      'Late: it was due 17:00.',
    ]);
    assert.deepEqual(describeLines({ fields: { dependencies: [9] } }), [
      'Depends on task 9, which does not exist.',
    ]);
    const message = `${'long '.repeat(40)}end`;
    const [long] = describeLines({ state: { ...REVIEW.state, lastMessage: message } });
    assert.equal(long, `Needs review: ${message}.`);
  });

  it('has one or two sentences and two to four facts in every state', () => {
    for (const [row, around] of ROWS) {
      for (const attempt of [undefined, ATTEMPT]) {
        const { lines, facts } = describeTaskHover(taskOf(row, around), { world, note: 'A note', attempt });
        assert.equal(lines.length, 2);
        for (const line of lines) assert.match(line, /^[A-Z0-9].*[.!?…]$/);
        assert.ok(facts.length >= 2 && facts.length <= 4, JSON.stringify(facts));
      }
    }
  });

  it('has a forecast first if there is one', () => {
    const [first] = describeTaskHover(taskOf(REVIEW), { world, forecast: 'starts about 20:00' }).facts;
    assert.deepEqual(first, { name: 'Forecast', text: 'starts about 20:00' });
  });

  it('has the attempts, the last end, its cost, and what the row says', () => {
    const { facts } = describeTaskHover(taskOf(REVIEW), { world, attempt: ATTEMPT });
    assert.deepEqual(
      facts.map(({ name, text }) => `${name}: ${text}`),
      [
        'Attempts: 0 of 3 failed',
        'Last end: review (denied), 17:57, took 17 min',
        'Cost: $0.6100',
        'Row: medium priority, in /place/1',
      ],
    );
  });
});

describe('The links of a task', () => {
  const listed = listCommands(MANIFEST);
  const links = (row: Row, around?: Around, isTrusted = true): string[] =>
    linkActions(taskOf(row, around), { queue: '/work', listed, isTrusted }).map(({ title }) => title);

  it('are the usual next steps that are possible now', () => {
    assert.deepEqual(links(REVIEW), [
      'Show Changes',
      'Accept Task as Completed',
      'Comment on Task…',
      'Allow Tools and Retry…',
      'Retry Task',
      'Show Attempt',
      'Show Output',
      'More…',
    ]);
    assert.deepEqual(links({}, UNTRUSTED)[0], 'Approve Tasks…');
    assert.ok(!links({}).includes('Approve Tasks…'));
  });

  it('name the queue and the task, and call only their own commands', () => {
    for (const [row, around] of ROWS) {
      const found = linkActions(taskOf(row, around), { queue: '/work', listed, isTrusted: true });
      for (const link of found) assert.deepEqual(link.arguments, [{ queue: '/work', target: 1 }]);
      assert.deepEqual(new Set(commandsOf({ links: found })).size, found.length);
    }
  });

  it('only read in an untrusted workspace', () => {
    assert.deepEqual(links(REVIEW, {}, false), ['Show Attempt']);
    assert.deepEqual(links({}, {}, false), []);
  });
});
