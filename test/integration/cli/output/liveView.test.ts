import assert from 'node:assert/strict';
import type { Cause } from '../../../../src/domain/reasons/reason';
import { createLiveView, type LiveViewDeps } from '../../../../src/cli/output/liveView';
import type { Verdict } from '../../../../src/domain/task/attempt';
import type { ProcessOwner } from '../../../../src/domain/queue/view';
import { decide, type Change } from '../../../../src/domain/task/decide';
import { defaults } from '../../../../src/domain/settings/settings';
import { newTask } from '../../../../src/queue/model/state/taskChanges';
import type { Claimed } from '../../../../src/queue/taskQueue';
import { EVENING } from '../cliHarness';

const MINUTE_MS = 60_000;
const VERDICT: Verdict = {
  outcome: 'success',
  reason: 'done',
  message: 'It is done.',
  denials: [],
  usage: [],
  exitCode: 0,
};

const WORKER: ProcessOwner = {
  kind: 'process',
  worker: '42',
  machine: 'm',
  process: { pid: 42, startedAt: 's' },
};

function claimedWith(claim: Partial<Claimed['claim']> = {}): Claimed {
  return {
    kind: 'claimed',
    claim: {
      id: 7,
      power: 'p',
      token: 1,
      attempt: 1,
      owner: WORKER,
      at: EVENING,
      session: 'session',
      mark: 'mark',
      ...claim,
    },
    definition: {
      id: 7,
      priority: 'high',
      workingDir: '/place',
      prompt: `Write\u001b[31m the ${'very '.repeat(20)}long report\nand more`,
      dependencies: [],
      maxRetries: 3,
    },
    state: newTask({ id: 7, power: 'p' }, EVENING),
  };
}

function changeOf(verdict: Verdict, retryCount = 0, lostInRow = 0): Change {
  const circumstances = { now: EVENING, random: 0.5, settings: defaults, timeZone: 'UTC' };
  return decide({ maxRetries: 3 }, { retryCount, transientInRow: 0, lostInRow }, verdict, circumstances);
}

describe('The output of a worker', () => {
  let lines: string[];
  let view: ReturnType<typeof createLiveView>;
  beforeEach(() => {
    lines = [];
    const system: LiveViewDeps = {
      out: (text) => lines.push(text),
      pass: () => undefined,
      clock: { now: () => EVENING + 5 * MINUTE_MS + 1_000, sleep: () => Promise.resolve() },
    };
    view = createLiveView(system, () => ({ timeZone: 'Asia/Tokyo', machine: WORKER.machine }));
  });

  it("has each task with its attempt, in the queue's time zone", () => {
    view.started(claimedWith());
    assert.equal(lines[0]?.slice(0, 46), '03:05:01  Task 7 (high, attempt 1): Write the ');
    assert.ok(lines[0].endsWith('…'));
    view.started(claimedWith({ attempt: 3, resume: 'limit' }));
    assert.match(lines[1] ?? '', /^03:05:01 {2}Task 7 \(high, resumed, attempt 3\): /);
  });

  it('has the output, each line with its task', () => {
    view.line(7, 'Read report.md');
    assert.deepEqual(lines, ['03:05:01    7 │ Read report.md']);
  });

  it('has what is the same for all tasks of a folder once', () => {
    for (const id of [7, 8]) view.line(id, 'The folder is not trusted.', 'once');
    for (const id of [7, 8]) view.line(id, 'Read report.md');
    view.line(8, 'Another folder is not trusted.', 'once');
    assert.deepEqual(lines, [
      '03:05:01    7 │ The folder is not trusted.',
      '03:05:01    7 │ Read report.md',
      '03:05:01    8 │ Read report.md',
      '03:05:01    8 │ Another folder is not trusted.',
    ]);
  });

  it('has the end of an attempt, the state of the task, and its next time', () => {
    view.ended(claimedWith(), VERDICT, changeOf(VERDICT), 'own');
    const failed: Verdict = { ...VERDICT, outcome: 'error', reason: 'timeout', message: 'It took too long.' };
    view.ended(claimedWith(), failed, changeOf(failed), 'own');
    view.ended(claimedWith(), failed, changeOf(failed, 2), 'own');
    assert.deepEqual(lines, [
      '03:05:01  Task 7 ended: success (done) → completed. It is done.',
      '03:05:01  Task 7 ended: error (timeout) → pending; not before 2026-11-21 03:00:30. It took too long.',
      '03:05:01  Task 7 ended: error (timeout) → failed. It took too long.',
    ]);
  });

  it('says that the attempt does not count for a row that was changed meanwhile', () => {
    view.ended(claimedWith(), VERDICT, changeOf(VERDICT), 'edited');
    assert.deepEqual(lines, [
      '03:05:01  Task 7 ended: success (done). It does not count for its row, which was changed meanwhile. It is done.',
    ]);
  });

  it('has no next time for a task without a valid row', () => {
    const failed: Verdict = { ...VERDICT, outcome: 'error', reason: 'timeout', message: 'It took too long.' };
    view.ended(claimedWith(), failed, changeOf(failed), 'none');
    assert.deepEqual(lines, [
      '03:05:01  Task 7 ended: error (timeout) → pending. It has no valid row now. It took too long.',
    ]);
  });

  it('does not repeat the outcome', () => {
    const verdict: Verdict = { ...VERDICT, outcome: 'review', reason: 'denied', message: 'Refused: Bash.' };
    view.ended(claimedWith(), verdict, changeOf(verdict), 'own');
    assert.deepEqual(lines, ['03:05:01  Task 7 ended: review (denied). Refused: Bash.']);
  });

  it("has once for each wait the advice after the user's own reset of the limit, on its own line", () => {
    const idle = { kind: 'idle', passesByItself: true, atLimit: true, askAgainAt: null } as const;
    const wait = (cause: Cause, until: number): void => {
      view.waiting({ ...idle, why: { state: 'waiting', causes: [cause], waitsFor: 'machine', until } });
    };
    const waitForReset = (until: number): void => {
      const block = { kind: 'five_hour', since: EVENING, until, message: '', resettable: true } as const;
      const phase = { kind: 'closed', opensAt: until } as const;
      const gate = { block, phase, isImplausibleReset: false, stagger: 0, isProbeHere: false };
      wait({ kind: 'gate', gate }, until);
    };
    waitForReset(EVENING + 60 * MINUTE_MS);
    wait({ kind: 'slots', running: 1, max: 1 }, EVENING + 9 * MINUTE_MS);
    waitForReset(EVENING + 60 * MINUTE_MS);
    waitForReset(EVENING + 400 * MINUTE_MS);
    const hint = '03:05:01  After you use /limit-reset, run "claude-queue usage --probe".';
    assert.deepEqual([lines.length, lines[1], lines[5]], [6, hint, hint]);
    for (const line of lines) assert.ok(line.length <= 80, line);
  });

  it('has the machine of another one that keeps a slot', () => {
    const owner = { kind: 'person', machine: 'mars/0123456789ab' } as const;
    const { claim } = claimedWith({ owner });
    const why = { state: 'waiting', causes: [{ kind: 'busy', claim }], waitsFor: 'machine' } as const;
    view.waiting({ kind: 'idle', passesByItself: true, atLimit: false, askAgainAt: null, why });
    assert.deepEqual(lines, ['03:05:01  Waiting: the user on mars has task 7']);
  });

  it('has the reason to wait, and for how long', () => {
    const now = EVENING + 5 * MINUTE_MS + 1_000;
    const idle = { kind: 'idle', passesByItself: true, atLimit: true } as const;
    const until = now + 240 * MINUTE_MS;
    const limit = { state: 'waiting', causes: [{ kind: 'limit', until }], waitsFor: 'machine' } as const;
    const hold = { kind: 'hold', hold: { by: 'person', why: 'lunch', at: now } } as const;
    const held = { state: 'waiting', causes: [hold], waitsFor: 'person' } as const;
    view.waiting({ ...idle, askAgainAt: now, why: { ...limit, until } });
    view.waiting({ ...idle, askAgainAt: now, why: { ...limit, until: now - 1 } });
    view.waiting({ ...idle, askAgainAt: now + MINUTE_MS, why: held });
    assert.deepEqual(lines, [
      '03:05:01  Waiting 4 h: usage limit, resets 07:05',
      '03:05:01  Waiting 0 s: usage limit, resets 07:05',
      '03:05:01  Waiting: the queue is paused (lunch)',
      '03:05:01  Resume with "claude-queue resume".',
    ]);
  });

  it('has a lost attempt, and what happens to its task', () => {
    const lost: Verdict = { ...VERDICT, outcome: 'lost', reason: 'owner-died' };
    const died = { change: changeOf(lost), note: { kind: 'owner-died', worker: '42' } } as const;
    view.lost({ ...died, claim: claimedWith().claim });
    view.lost({ ...died, claim: claimedWith({ owner: { ...WORKER, machine: 'mars/0123456789ab' } }).claim });
    const byPerson = claimedWith({ owner: { kind: 'person', machine: 'm' } });
    view.lost({ ...died, claim: byPerson.claim, change: changeOf(lost, 2, 1) });
    view.lost({ ...died, claim: claimedWith().claim, note: { kind: 'redis-away', worker: '42' } });
    assert.deepEqual(lines, [
      '03:05:01  Task 7 was lost: worker 42 died during the attempt. It resumes in the same session.',
      '03:05:01  Task 7 was lost: worker 42 on mars died during the attempt. It resumes: on mars in the same session, elsewhere in a new one.',
      '03:05:01  Task 7 was lost: its owner died during the attempt. It failed: no retries are left.',
      '03:05:01  Task 7 was lost: Redis did not answer for too long. It resumes in the same session.',
    ]);
  });

  it('has problems', () => {
    view.trouble('The disk is full.');
    assert.deepEqual(lines, ['03:05:01  The disk is full.']);
  });
});
