import assert from 'node:assert/strict';
import type { Installation } from '../../../../src/claude/installation/installation';
import { approvalOf } from '../../../../src/domain/task/approval';
import { findChanged, planStart, type StartPlan, whyNotNow } from '../../../../src/editor/state/startPlan';
import { HOUR, NOW, paint, runByUser, runByWorker } from '../../../support/queue/viewModels';
import type { Around, Row } from '../../../support/queue/viewModels';

const INSTALLED: Installation = {
  path: '/opt/claude',
  version: '2.1.329',
  auth: { loggedIn: true, method: 'claude.ai', planTier: 'max_20x', email: 'me@example.com' },
  billing: 'subscription',
  billingChoice: 'auto',
  unusedKeys: [],
  readOffers: () => Promise.resolve({ flags: new Set(), modes: new Set() }),
  accountKey: '0123456789abcdef',
};

/** Approved, and not: their powers differ. */
const APPROVED: Row = { state: { power: 'approved' } };
const NEW: Row = {};
const APPROVALS = Array.from({ length: 12 }, (_, index) => approvalOf({ id: index + 1, power: 'approved' }));
const AROUND = { approvedRows: { trusted: false, approvals: new Set(APPROVALS) } };

function plan(rows: readonly Row[], only?: number): StartPlan {
  return planStart(paint(rows, AROUND), INSTALLED, only);
}

const offers = (rows: readonly Row[], only?: number): string[] =>
  plan(rows, only).offers.map(({ kind, words, detail }) => `${kind}: ${words} (${detail})`);

const ids = (tasks: StartPlan['approved']): number[] => tasks.map(({ task }) => task.definition.id);

describe('The plan of Start', () => {
  it('shows the account of Claude Code, and the billing', () => {
    assert.equal(plan([]).title, 'Start: Claude Code 2.1.329');
    assert.equal(plan([{}], 1).title, 'Run task 1: Claude Code 2.1.329');
    assert.equal(
      plan([]).payer,
      'billed to the subscription it is signed in with (max 20x, account 01234567)',
    );
    const reported = (installed: Partial<Installation>): StartPlan =>
      planStart(paint([]), { ...INSTALLED, ...installed });
    const auth = { loggedIn: true, method: 'api_key', keySource: 'ANTHROPIC_API_KEY' };
    assert.equal(
      reported({ billing: 'api-key', auth }).payer,
      'billed to the API key in ANTHROPIC_API_KEY, not to a subscription',
    );
    assert.equal(reported({ unusedKeys: ['ANTHROPIC_API_KEY'] }).unusedKeys, 'ANTHROPIC_API_KEY is not used');
    const out = reported({ version: null, billing: 'none', auth: { loggedIn: false, method: 'none' } });
    assert.equal(out.payer, 'not signed in');
    assert.equal(out.title, 'Start: Claude Code (unknown version)');
  });

  it('shows that the version of Claude Code is not tested', () => {
    assert.equal(plan([]).versionNote, null);
    const { versionNote } = planStart(paint([]), { ...INSTALLED, version: '2.0.30' });
    assert.match(versionNote ?? '', /^This version of Claude Code is older than the tested ones/);
  });

  it('lists approved tasks in the order of running, then those that wait for something else', () => {
    const { approved } = plan([
      { state: { power: 'approved' }, fields: { priority: 'low' } },
      { state: { power: 'approved' }, fields: { dependencies: [3] } },
      { state: { power: 'approved' }, fields: { priority: 'critical' } },
      APPROVED,
    ]);
    assert.deepEqual(ids(approved), [3, 4, 1, 2]);
  });

  it('lists new and changed rows apart from approved ones that will run', () => {
    const found = plan([
      NEW,
      APPROVED,
      { state: { power: 'approved', ownerScheduledAt: NOW + HOUR } },
      { state: { power: 'approved' }, fields: { dependencies: [2] } },
      { state: { power: 'approved', retryCount: 1, dueAt: NOW + HOUR, dueCause: 'retry' } },
      { state: { power: 'approved', dueAt: NOW + HOUR, dueCause: 'limit' } },
    ]);
    assert.deepEqual([ids(found.unapproved), ids(found.approved)], [[1], [2, 3, 4, 5, 6]]);
  });

  it('lists no task that will not run by itself, or is running', () => {
    const found = plan([
      runByWorker,
      runByUser,
      { state: { power: 'approved', status: 'review' } },
      { state: { power: 'approved', status: 'completed' } },
      { state: { power: 'approved', status: 'cancelled' } },
      { state: { power: 'approved', status: 'failed' } },
      { state: { power: 'approved' }, fields: { dependencies: [6] } },
    ]);
    assert.deepEqual([ids(found.unapproved), ids(found.approved)], [[], []]);
  });

  it('asks first for approval of new rows, and can leave them out', () => {
    assert.deepEqual(offers([NEW, NEW, APPROVED]), [
      'approve-and-start: Approve and start (2 new or changed tasks may then run unattended, exactly as listed)',
      'start: Start without them (1 approved task will run; what is not approved waits)',
    ]);
  });

  it('offers no start if nothing would run', () => {
    assert.deepEqual(
      plan([NEW]).offers.map(({ words }) => words),
      ['Approve and start'],
    );
  });

  it('starts without a question if all rows are approved', () => {
    assert.deepEqual(offers([APPROVED, APPROVED]), [
      'start: Start (2 approved tasks will run; what is not approved waits)',
    ]);
  });

  it('has the reason why a named task cannot run, also after approval', () => {
    const why = (rows: readonly Row[], only: number, around: Around = AROUND): string | undefined =>
      whyNotNow(paint(rows, around), only)?.text;
    assert.equal(why([NEW], 1), undefined);
    assert.equal(why([{ state: { ownerScheduledAt: NOW + HOUR } }], 1), undefined);
    assert.equal(why([APPROVED], 1, { ...AROUND, held: 'by hand' }), undefined);
    assert.equal(why([APPROVED, { fields: { dependencies: [1] } }], 2), 'waits for 1');
    assert.equal(why([APPROVED, runByWorker], 1), 'worker w1 is running task 2');
    assert.equal(why([APPROVED, { ...runByWorker, lost: true }], 1), undefined);
    assert.equal(why([APPROVED], 1, { block: {} }), '5-hour usage window used up, resets 20:00');
    assert.equal(why([APPROVED], 7), 'its row is invalid');
  });

  it('finds rows that changed while its list was open', () => {
    const { unapproved, approved } = plan([NEW, APPROVED]);
    const approvedNow = { approvedRows: { trusted: false, approvals: new Set(['1:p', ...APPROVALS]) } };
    const after = (first: string): readonly number[] =>
      findChanged(
        [...unapproved, ...approved],
        paint([{ state: { power: first } }, APPROVED, { state: { power: 'added' } }], approvedNow),
      );
    assert.deepEqual(after('p'), []);
    assert.deepEqual(after('edited'), [1]);
  });

  it('covers only the task that is to run', () => {
    const found = plan([NEW, APPROVED], 1);
    assert.deepEqual([ids(found.unapproved), ids(found.approved)], [[1], []]);
    assert.deepEqual(offers([NEW, APPROVED], 1), [
      'approve-and-start: Approve and run (1 new or changed task may then run unattended, exactly as listed)',
    ]);
    assert.deepEqual(offers([NEW, APPROVED], 2), ['start: Run (unattended, now)']);
  });
});
