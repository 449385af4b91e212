import assert from 'node:assert/strict';
import { createWorld, type World } from '../../../../src/domain/reasons/world';
import { nameReason } from '../../../../src/domain/reasons/reason';
import type { ShownReason } from '../../../../src/app/present/reasons/reason';
import { OPEN_GATE, type GateView } from '../../../../src/domain/gate/gate';
import { defaults } from '../../../../src/domain/settings/settings';
import type { Placed } from '../../../../src/domain/task/place';
import type { Definition } from '../../../../src/domain/task/task';
import type { Claim, TaskState, TaskView } from '../../../../src/domain/queue/view';
import { define, NO_HOLDS, PERSON, UNKNOWN, workerOf } from '../../../conformance/harness';
import { explainAsText } from '../../../support/queue/shownReason';

const HOUR = 3_600_000;
const NOW = Date.parse('2026-03-02T10:00:00Z');

function task(id: number, state: Partial<TaskState> = {}, fields: Partial<Definition> = {}): TaskView {
  return { definition: define(id, fields), state: { ...UNKNOWN, id, power: 'p', ...state }, order: id };
}

function why(
  of: TaskView,
  world: Partial<World> & { readonly others?: readonly TaskView[] } = {},
): ShownReason {
  const { others = [], queue, ...rest } = world;
  const tasks = [of, ...others];
  const claims = tasks.flatMap(({ claim }) => (claim === undefined ? [] : [claim]));
  const whole = createWorld({
    queue: queue ?? {
      tasks,
      invalidIds: new Set(),
      claims,
      ...NO_HOLDS,
      starts: [],
      costs: [],
      unreviewed: 0,
    },
    gate: OPEN_GATE,
    approvedRows: { trusted: true, approvals: new Set() },
    settings: defaults,
    now: NOW,
    timeZone: 'UTC',
    ...rest,
  });
  return explainAsText(of, whole);
}

function claimed(of: TaskView, owner: Claim['owner']): TaskView & { readonly claim: Claim } {
  const { id } = of.definition;
  return { ...of, claim: { id, power: 'p', token: 1, attempt: 1, owner, at: NOW, session: 's', mark: 'm' } };
}

const WRONG = ['maxPerDay', 'pools'];

describe('The reason why a task does not run now', () => {
  it('is that settings are invalid, before any other rule of the queue', () => {
    const reason = why(task(1), { wrongSettings: WRONG, settings: { ...defaults, maxPerHour: 0 } });
    assert.deepEqual(
      [reason.state, reason.waitsFor, reason.text],
      ['waiting', 'person', '2 settings are invalid: maxPerDay, pools'],
    );
    assert.equal(why(task(1, { status: 'completed' }), { wrongSettings: WRONG }).text, '');
  });

  it('is a word and a sentence for each shown state', () => {
    const reported = (reason: ShownReason): string => `${reason.state}: ${reason.text}`;
    assert.equal(reported(why(task(1))), 'ready: ');
    assert.equal(reported(why(claimed(task(1), workerOf(1)))), 'running: worker w1');
    assert.equal(reported(why(claimed(task(1), PERSON))), 'running: you');
    assert.equal(reported(why(task(1, { status: 'completed' }))), 'completed: ');
    assert.equal(reported(why(task(1, { status: 'cancelled' }))), 'cancelled: ');
    assert.equal(
      reported(why(task(1, { status: 'review', lastMessage: 'Denied Bash.' }))),
      'review: Denied Bash.',
    );
    assert.equal(
      reported(why(task(1, { status: 'failed', lastMessage: 'No such model.' }))),
      'dead: No such model.',
    );
    assert.equal(reported(why(task(1, { retryCount: 3 }))), 'dead: retries used up (3 of 3)');
    assert.equal(
      reported(why(task(1, { dueAt: NOW + 30_000, dueCause: 'retry', retryCount: 1 }))),
      'retrying: next try 10:00:30',
    );
    assert.equal(
      reported(why(task(1, { dueAt: NOW + HOUR, dueCause: 'repeat' }))),
      'scheduled: next time 11:00',
    );
    assert.equal(
      reported(why(task(1, { dueAt: NOW + HOUR, dueCause: 'limit' }))),
      'waiting: usage limit, resets 11:00',
    );
    assert.equal(
      reported(why(task(1, { ownerScheduledAt: NOW + 30 * HOUR }))),
      'scheduled: not before 2026-03-03 16:00',
    );
  });

  it('is first of all the repository that is not on this machine', () => {
    const elsewhere = task(1, {}, { workingDir: 'repo:web/src', dependencies: [2] });
    const approvedRows = { trusted: false, approvals: new Set<string>() };
    const { state, text, waitsFor } = why(elsewhere, { approvedRows });
    assert.deepEqual(
      [state, text, waitsFor],
      ['waiting', 'repository web is not on this machine', 'elsewhere'],
    );
    const here = task(1, {}, { workingDir: 'repo:web/src', realDir: '/place/web/src' });
    assert.equal(why(here).state, 'ready');
  });

  it('names what needs the user before what ends by itself', () => {
    const approvedRows = { trusted: false, approvals: new Set<string>() };
    assert.equal(why(task(1, { ownerScheduledAt: NOW + HOUR }), { approvedRows }).state, 'unapproved');
    assert.equal(
      why(task(1), { approvedRows: { trusted: false, approvals: new Set(['1:p']) } }).state,
      'ready',
    );
    const reopened = why(task(1, { reopened: true }), {
      approvedRows: { trusted: false, approvals: new Set(['1:p']) },
    });
    assert.equal(reopened.state, 'unapproved');
  });

  it('says of a row without an approval whether another version of it was approved', () => {
    const approvedRows = { trusted: false, approvals: new Set(['1:old']) };
    assert.equal(why(task(1), { approvedRows }).text, 'changed since you approved it');
    assert.equal(why(task(2), { approvedRows }).text, 'not approved on this machine');
  });

  it('names a dependency, a hopeless one first', () => {
    const waiting = task(1, {}, { dependencies: [2, 3] });
    const others = [task(2), task(3, { status: 'failed' })];
    const { state, text, waitsFor } = why(waiting, { others });
    assert.deepEqual([state, text, waitsFor], ['stuck', 'waits for 3 (failed)', 'person']);
    assert.equal(
      why(waiting, { others: [task(2), task(3, { retryCount: 3 })] }).text,
      'waits for 3 (failed)',
    );
    assert.equal(why(waiting, { others: [task(2)] }).text, 'depends on task 3, which does not exist');
  });

  it('marks a guessed reset, of the gate and of the task that hit the limit', () => {
    const until = NOW + HOUR;
    const gate: GateView = {
      closures: [{ kind: 'five_hour', since: NOW, until, guessed: true, message: '' }],
      usage: [],
    };
    const words = '5-hour usage window used up; reset time unknown, next try about 11:00';
    assert.equal(why(task(1), { gate }).text, words);
    assert.equal(why(task(1, { dueAt: until, dueCause: 'limit' }), { gate }).text, words);
  });

  it('is no longer a reset once the account’s gate was found open before it', () => {
    const waits = task(1, { dueAt: NOW + HOUR, dueCause: 'limit' });
    assert.equal(why(waits, { gate: { ...OPEN_GATE, openedBefore: NOW + HOUR } }).state, 'ready');
    assert.equal(why(waits, { gate: { ...OPEN_GATE, openedBefore: NOW + HOUR - 1 } }).state, 'waiting');
    const retried = task(1, { dueAt: NOW + HOUR, dueCause: 'retry' });
    assert.equal(why(retried, { gate: { ...OPEN_GATE, openedBefore: NOW + HOUR } }).state, 'retrying');
  });

  it('describes a closed gate, and until when', () => {
    const block = { kind: 'five_hour', since: NOW, until: NOW + HOUR, message: '' } as const;
    const reason = why(task(1), { gate: { closures: [block], usage: [] } });
    assert.deepEqual(
      [reason.text, reason.until],
      ['5-hour usage window used up, resets 11:00', NOW + HOUR + 60_000],
    );
    const forUser = { kind: 'sign-in', since: NOW, until: null, message: '' } as const;
    const blocked = why(task(1), { gate: { closures: [forUser], usage: [] } });
    assert.equal(blocked.waitsFor, 'person');
    assert.match(blocked.text, /not signed in.*resume the queue/);
  });

  it('does not show a dead worker as running, and names the recovery', () => {
    const lost = claimed(task(2), workerOf(1));
    const died = { ...lost, claim: { ...lost.claim, ownerDied: true } } as TaskView;
    assert.equal(
      why(task(1), { others: [died] }).text,
      'worker w1 died while running task 2; the next worker recovers it first',
    );
    assert.equal(
      why(died).text,
      'worker w1 died during the attempt; the next worker ends its leftover processes and recovers the task',
    );
  });

  it('does not promise that the leftover processes of another machine are ended', () => {
    const lost = claimed(task(1), workerOf(1));
    const died = { ...lost, claim: { ...lost.claim, ownerDied: true } } as TaskView;
    assert.equal(
      why(died, { machine: 'venus' }).text,
      `worker w1 on ${lost.claim.owner.machine} died during the attempt; the next worker recovers the task`,
    );
  });

  it('names the owner of the blocking claim', () => {
    const busy = claimed(task(2, {}, { workingDir: '/place/1' }), workerOf(4));
    const reason = why(task(1), { others: [busy] });
    assert.equal(reason.text, 'worker w4 is running task 2');
    const started = { ...busy, claim: { ...busy.claim, run: { pid: 1, startedAt: '1' } } };
    assert.equal(
      nameReason(why(task(1), { others: [started] })),
      nameReason(reason),
      'it is the same reason',
    );
    const two = { ...defaults, maxRunning: 2 };
    assert.equal(
      why(task(1), { others: [busy], settings: two }).text,
      'worker w4 is running task 2 in the same directory',
    );
    assert.equal(why(task(3), { others: [busy], settings: two }).state, 'ready');
    const elsewhere = { others: [busy], settings: two, machine: 'another' };
    assert.equal(why(task(1), elsewhere).state, 'ready', 'a folder of another machine is another folder');
    assert.equal(why(task(1), { others: [claimed(busy, PERSON)] }).state, 'ready', 'the user blocks no task');
    const byHand = claimed(busy, PERSON);
    const run = { pid: 1, startedAt: '1' };
    const interactive = { ...byHand, claim: { ...byHand.claim, run } };
    assert.equal(why(task(1), { others: [interactive] }).text, 'you have task 2 in the same directory');
    assert.equal(why(task(3), { others: [interactive] }).state, 'ready');
  });

  it('is an attempt in the place that it recorded, whatever its row names', () => {
    const two = { ...defaults, maxRunning: 2 };
    const other = claimed(task(2), workerOf(4));
    const whyIn = (recorded: Placed, fields: Partial<Definition> = {}): string => {
      const busy = { ...other, claim: { ...other.claim, ...recorded } };
      return why(task(1, {}, fields), { others: [busy], settings: two }).state;
    };
    const link = { folder: '/place/1', through: '/place/link' };
    assert.deepEqual(
      [whyIn({ place: { folder: '/place/1' } }), whyIn({ place: link })],
      ['waiting', 'waiting'],
    );
    assert.equal(whyIn({ place: { folder: '/place/3' } }, { workingDir: '/place/2' }), 'ready');
    assert.equal(whyIn({ place: link }, { workingDir: '/place/link', realDir: '/place/4' }), 'ready');
    assert.equal(whyIn({ workingDir: '/place/1' }), 'waiting', 'as older versions recorded it');
    const inTerminal = { ...claimed(other, PERSON).claim, run: { pid: 1, startedAt: '1' }, place: link };
    const { text } = why(task(1), { others: [{ ...other, claim: inTerminal }], settings: two });
    assert.equal(text, 'you have task 2 in the same directory');
  });

  it('has one order: approval, dependencies, what needs the user, the first wait and the last, then place', () => {
    const busy = claimed(task(2), workerOf(4));
    const tasks = [task(1, { ownerScheduledAt: NOW + HOUR }, { dependencies: [9] }), busy];
    const block = { kind: 'billing', since: NOW, until: null, message: '' } as const;
    const ids = [3, 4, 5];
    const world: World = createWorld({
      queue: {
        ...{ tasks, invalidIds: new Set(), claims: [busy.claim], turns: new Map() },
        holds: [{ by: 'person', why: 'lunch', at: NOW }],
        pauses: [],
        streak: { outcome: 'error', reason: 'exit-1', message: 'No disk.', ids },
        starts: [NOW],
        costs: [{ at: NOW, usd: 5 }],
        unreviewed: 4,
      },
      gate: { closures: [block], usage: [] },
      approvedRows: { trusted: false, approvals: new Set() },
      settings: {
        ...defaults,
        maxPerHour: 1,
        nightBudget: 4,
        maxUnreviewed: 4,
        quietHours: [{ from: 0, to: 1440, days: [1] }],
      },
      now: NOW,
      timeZone: 'UTC',
    });
    const steps: readonly [said: RegExp, fixed: (now: World) => Partial<World>][] = [
      [/^not approved/, () => ({ approvedRows: { trusted: true, approvals: new Set() } })],
      [
        /^depends on task 9/,
        ({ byId }) => ({ byId: new Map([...byId, [9, task(9, { status: 'completed' })]]) }),
      ],
      [/^the queue is paused \(lunch\)/, ({ queue }) => ({ queue: { ...queue, holds: [] } })],
      [
        /^the same failure in 3 tasks in a row \(3, 4, 5\), the last: No disk; fix it/,
        ({ queue }) => ({ queue: { ...queue, streak: null } }),
      ],
      [
        /^unreviewed: 4 of at most 4; accept or retry one$/,
        ({ queue }) => ({ queue: { ...queue, unreviewed: 3 } }),
      ],
      [/billing problem/, () => ({ gate: OPEN_GATE })],
      [
        /^not before 11:00, then quiet hours until 2026-03-03 00:00$/,
        () => ({ settings: { ...defaults, maxPerHour: 1, nightBudget: 4 } }),
      ],
      [
        /^not before 11:00, then the night's budget of \$4.00 is used up \(\$5.00\), next at 12:00$/,
        ({ queue }) => ({ queue: { ...queue, costs: [] } }),
      ],
      [/^not before 11:00$/, ({ queue }) => ({ now: NOW + HOUR, queue: { ...queue, starts: [NOW + 1] } })],
      [/^at most 1 an hour, next at 11:00$/, ({ queue }) => ({ queue: { ...queue, starts: [] } })],
      [/^worker w4 is running task 2/, ({ queue }) => ({ queue: { ...queue, claims: [] } })],
      [/^$/, () => ({})],
    ];
    let around = world;
    for (const [said, fix] of steps) {
      const [first] = tasks;
      assert.ok(first);
      assert.match(explainAsText(first, around).text, said);
      around = { ...around, ...fix(around) };
    }
  });
});
