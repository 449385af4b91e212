import assert from 'node:assert/strict';
import { defaults } from '../../../../src/domain/settings/settings';
import {
  describeStatus,
  describeStatuses,
  type StatusText,
} from '../../../../src/editor/status/statusBarText';
import {
  HOUR,
  INVALID_SETTING,
  lost,
  MINUTE,
  NOW,
  paint,
  ready,
  runByUser,
  runByWorker,
  type Around,
  type Row,
} from '../../../support/queue/viewModels';

const AT_WORK = { workers: 1 };
const LIMIT = { block: { until: NOW + 2 * HOUR } };
const SCHEDULED: Row = { state: { ownerScheduledAt: NOW + HOUR } };
const REVIEW: Row = { state: { status: 'review' } };

function status(rows: readonly Row[], around: Around = {}): StatusText {
  const found = describeStatus(ready(paint(rows, around)));
  assert.ok(found);
  return found;
}

/** Text of the status bar, without icons. */
const text = (rows: readonly Row[], around: Around = {}): string => status(rows, around).text;

describe('The status bar', () => {
  it('shows nothing without a queue, or before it is read', () => {
    assert.equal(describeStatus({ kind: 'opening' }), null);
    assert.equal(describeStatus({ kind: 'missing' }), null);
  });

  it('warns of an unreadable queue, with the reason in the tooltip', () => {
    assert.deepEqual(describeStatus({ kind: 'failing', message: 'It is locked.', files: [] }), {
      words: 'Cannot be read',
      text: '$(error) Cannot be read',
      spoken: 'Claude Queue: Cannot be read.',
      tooltip: ['It is locked.'],
      warning: true,
      countsDown: false,
    });
  });

  it('says that Redis is away', () => {
    const status = describeStatus(lost(null));
    assert.deepEqual(
      [status?.text, status?.tooltip],
      ['$(error) Redis is away', ['Redis is away since 18:00.', 'Redis does not answer.']],
    );
  });

  it('shows what was known last while Redis is away, without a countdown', () => {
    const running = describeStatus(lost(paint([{}, runByWorker, { state: { status: 'review' } }], AT_WORK)));
    assert.equal(running?.text, '$(error) Redis is away, last known: Task 2');
    const [, why, lastKnown, first = ''] = running.tooltip;
    assert.deepEqual(
      [why, lastKnown],
      ['Redis does not answer.', 'Last known at 18:00. It may have changed since then.'],
    );
    assert.match(first, /^Task 2 runs/);
    const limited = describeStatus(lost(paint([{}], LIMIT)));
    assert.deepEqual([limited?.countsDown, limited?.warning], [false, true]);
  });

  it('names the running task, and the number of others', () => {
    assert.equal(text([{}, runByWorker], AT_WORK), '$(sync~spin) Task 2');
    assert.equal(text([runByWorker, runByWorker, runByWorker], AT_WORK), '$(sync~spin) Task 1 +2');
    assert.equal(text([runByUser, {}]), '$(account) Task 1 (you)');
  });

  it('says "you" only if all running tasks are the user’s', () => {
    assert.equal(text([runByUser, runByWorker], AT_WORK), '$(sync~spin) Task 2 +1');
    assert.equal(text([runByUser, runByUser]), '$(account) Task 1 +1 (you)');
    const stop = { how: 'after-task', at: NOW + MINUTE } as const;
    assert.equal(text([runByUser, runByWorker], { ...AT_WORK, stop }), '$(sync~spin) Task 2 +1, stopping');
  });

  it('names a running task whose row is gone', () => {
    const viewModel = paint([runByWorker], AT_WORK);
    const withoutRow = { ...viewModel, tasks: [], snapshot: { ...viewModel.snapshot, tasks: [] } };
    const shown = describeStatus(ready(withoutRow));
    assert.equal(shown?.text, '$(sync~spin) Task 1');
    assert.match(shown.tooltip.join('\n'), /^Task 1 has no valid row: worker w1 is running task 1\./);
  });

  it('shows for how many minutes the longest of them has run', () => {
    const since = (ms: number): Row => ({ ...runByWorker, at: NOW - ms });
    assert.equal(text([since(59_000)], AT_WORK), '$(sync~spin) Task 1');
    assert.equal(text([since(8.5 * MINUTE), since(2 * MINUTE)], AT_WORK), '$(sync~spin) Task 1 +1, 8 min');
  });

  it('shows the use of the running usage windows, whatever happens, and their age in the tooltip', () => {
    const usage = [
      { window: 'five_hour', utilization: 0.114, resetAt: NOW + HOUR, asOf: NOW - 3 * MINUTE },
      { window: 'seven_day', utilization: 0.43, resetAt: NOW + 50 * HOUR, asOf: NOW - 3 * MINUTE },
    ] as const;
    const shown = status([runByWorker], { ...AT_WORK, usage });
    assert.equal(shown.text, '$(sync~spin) Task 1  5h 11% 7d 43%');
    assert.match(shown.tooltip.join('\n'), /5-hour usage window: 11 % used, .*reported 3 min ago/);
    const [fiveHour] = usage;
    const over = { ...fiveHour, resetAt: NOW - MINUTE };
    assert.equal(text([{}], { usage: [over] }), '$(play) 1 ready, no worker');
  });

  it('shows that the worker is stopping, and after which task', () => {
    const stop = { how: 'after-task', at: NOW + MINUTE } as const;
    const stopping = status([{}, runByWorker], { ...AT_WORK, stop });
    assert.equal(stopping.text, '$(sync~spin) Task 2, stopping');
    assert.ok(stopping.tooltip.includes('Worker w1 is stopping after task 2.'), stopping.tooltip.join());
    assert.equal(text([{}], { ...AT_WORK, stop }), '$(sync~spin) Stopping');
    assert.equal(text([runByUser], { ...AT_WORK, stop }), '$(account) Task 1 (you)');
    const now = status([runByWorker], { workers: 2, stop: { how: 'now', at: NOW } });
    assert.ok(now.tooltip.includes('Workers w1, w2 are stopping.'), now.tooltip.join());
  });

  it('ignores a stop from before the worker started', () => {
    const stop = { how: 'after-task', at: NOW - 1 } as const;
    assert.equal(text([runByWorker], { ...AT_WORK, stop }), '$(sync~spin) Task 1');
    assert.equal(text([{}], { stop }), '$(play) 1 ready, no worker');
  });

  it('does not show a task as running whose worker has died', () => {
    assert.equal(text([{ ...runByWorker, lost: true }]), '$(watch) 1 waiting, no worker');
  });

  it('shows that the queue is paused, also while a task is running', () => {
    assert.equal(text([{}], { held: 'by hand', ...AT_WORK }), '$(debug-pause) Paused');
    assert.equal(text([runByWorker], { held: 'by hand', ...AT_WORK }), '$(sync~spin) Task 1, queue paused');
  });

  it('warns of invalid settings, because of which no task starts', () => {
    const settingProblems = [INVALID_SETTING, INVALID_SETTING];
    const status = describeStatus(ready(paint([{}], { ...AT_WORK, settingProblems })));
    assert.deepEqual([status?.words, status?.warning], ['Invalid settings', true]);
    const named = '/queue/config.yaml: maxPerHour must be a whole number, at least 0; it is "lots".';
    const tooltip = ['No task starts: 2 settings are invalid: maxPerHour, maxPerHour.', named, named];
    assert.ok(status?.tooltip.join('\n').includes(tooltip.join('\n')));
  });

  it('shows a pause after the same failure in several tasks, and the failure', () => {
    const streak = { outcome: 'error', reason: 'exit', message: 'No space left.', ids: [4, 7, 9] } as const;
    const broken = status([{}], { streak, ...AT_WORK });
    assert.equal(broken.text, '$(debug-pause) Paused');
    assert.match(
      broken.tooltip.join('\n'),
      /same failure in 3 tasks in a row \(4, 7, 9\), the last: No space left/,
    );
  });

  it('counts late tasks in the tooltip', () => {
    const late = status([{ state: { firstSeenAt: NOW - 3 * HOUR } }, {}], AT_WORK);
    assert.ok(late.tooltip.includes('Service times: 1 violated (!!).'), late.tooltip.join());
    assert.doesNotMatch(status([{}], AT_WORK).tooltip.join(), /Service times/);
  });

  it('shows how many tasks are ready, and whether a worker is running', () => {
    assert.equal(text([{}, {}]), '$(play) 2 ready, no worker');
    assert.equal(text([{}, {}], AT_WORK), '$(sync) 2 ready');
  });

  it('counts down to the end of a limit, and shows whether a worker then continues', () => {
    const going = status([{}], { ...LIMIT, ...AT_WORK });
    // A minute after the reported reset.
    assert.deepEqual([going.text, going.countsDown], ['$(watch) Limit, resumes in 2 h 1 min', true]);
    assert.equal(text([{}], LIMIT), '$(watch) Limit for 2 h 1 min, no worker');
    assert.equal(going.warning, false);
  });

  it('does not show a limit if the API cannot be reached, or is too busy', () => {
    const until = NOW + 2 * MINUTE;
    const bar = (kind: 'offline' | 'throttle' | 'overload', workers: number): string =>
      text([{}], { block: { kind, until }, workers });
    assert.equal(bar('offline', 1), '$(watch) Offline, resumes in 2 min');
    assert.equal(bar('overload', 1), '$(watch) Overloaded, resumes in 2 min');
    assert.equal(bar('throttle', 0), '$(watch) Throttled for 2 min, no worker');
    const { tooltip } = status([{}], { block: { kind: 'offline', until } });
    assert.ok(tooltip.includes('the API cannot be reached, next try 18:02'), tooltip.join());
  });

  it('shows that one task probes after a limit, also if none is waiting', () => {
    const task = { queue: 'elsewhere', id: 7 };
    const process = { pid: 1, startedAt: 'then' };
    const over = { since: NOW - HOUR, until: NOW - 10 * MINUTE };
    const trial = { task, worker: '9', process, at: NOW - MINUTE };
    const waits = status([{}], { block: { ...over, trial }, ...AT_WORK });
    assert.deepEqual([waits.text, waits.countsDown], ['$(watch) Probing with one task', false]);
    const first = '5-hour usage window has reset: probing with one task';
    assert.ok(
      waits.tooltip.includes(`${first} (worker 9 is running task 7 of elsewhere)`),
      waits.tooltip.join(),
    );
    assert.ok(status([], { block: over }).tooltip.includes(first));
  });

  it('counts down to the limit that ends first', () => {
    const dueAt = NOW + 30 * MINUTE;
    const sooner: Row = { state: { dueAt, dueCause: 'limit', lastOutcome: 'limit' } };
    const block = { ...LIMIT.block, kind: 'seven_day_opus', model: 'opus' } as const;
    const opus: Row = { fields: { model: 'opus' } };
    assert.equal(text([opus, sooner], { block, ...AT_WORK }), '$(watch) Limit, resumes in 30 min');
  });

  it('shows no limit while another task is ready', () => {
    const block = { kind: 'seven_day_opus', model: 'opus', until: NOW + HOUR } as const;
    const opus: Row = { fields: { model: 'opus' } };
    assert.equal(text([opus, { fields: { model: 'sonnet' } }], { block, ...AT_WORK }), '$(sync) 1 ready');
  });

  it('counts down to the next free budget', () => {
    const settings = { ...defaults, maxPerHour: 1 };
    const around = { settings, starts: [NOW - 10 * MINUTE], ...AT_WORK };
    assert.equal(text([{}], around), '$(watch) 1 an hour used up, resumes in 50 min');
    assert.equal(
      text([{}], { ...around, workers: 0 }),
      '$(watch) 1 an hour used up, no worker, again in 50 min',
    );
  });

  it('counts down to the noon at which the next night has its budget', () => {
    const settings = { ...defaults, nightBudget: 2.5 };
    const around = { settings, costs: [{ at: NOW - MINUTE, usd: 2.6 }], ...AT_WORK };
    assert.match(text([{}], around), /^\$\(watch\) \$2\.50 a night used up, resumes in \d+ h/);
    assert.match(text([{}], { ...around, workers: 0 }), /used up, no worker, again in \d+ h/);
  });

  it('warns if only the user can open the gate', () => {
    const { text: shown, warning } = status([{}], { block: { kind: 'sign-in', until: null }, ...AT_WORK });
    assert.deepEqual([shown, warning], ['$(warning) Sign in needed  $(bell) 1', true]);
    const billing = status([{}], { block: { kind: 'billing', until: null } });
    assert.equal(billing.text, '$(warning) Billing problem  $(bell) 1');
  });

  it('counts ready tasks although the default model is not available to others', () => {
    const block = { kind: 'default-model', model: 'gone', until: null } as const;
    assert.equal(text([{}], { block }), '$(warning) Default model not available  $(bell) 1');
    const named: Row = { fields: { model: 'opus' } };
    assert.equal(text([{}, named], { block }), '$(play) 1 ready, no worker  $(bell) 1');
  });

  it('shows the reason of a waiting worker', () => {
    assert.equal(text([SCHEDULED], AT_WORK), '$(watch) Not before 19:00');
    assert.equal(text([SCHEDULED, SCHEDULED]), '$(watch) 2 waiting, no worker');
  });

  it('shows only its name if there is nothing to do', () => {
    assert.equal(text([]), '$(checklist) Queue');
    assert.equal(text([{ state: { status: 'completed' } }]), '$(checklist) Queue');
  });

  it('shows how many items need attention, also to screen readers', () => {
    const one = status([REVIEW, {}]);
    assert.deepEqual(
      [one.text, one.spoken],
      ['$(play) 1 ready, no worker  $(bell) 1', 'Claude Queue: 1 ready, no worker, 1 item needs attention.'],
    );
    assert.match(status([REVIEW, REVIEW]).spoken, /, 2 items need attention\.$/);
  });

  it('lists in the tooltip running tasks, workers, the next task, and what blocks', () => {
    const rows: Row[] = [runByUser, {}, REVIEW];
    assert.deepEqual(status(rows, AT_WORK).tooltip, [
      'Task 1 runs (you).',
      'Worker w1 is running.',
      'Next: 2  Do 2',
      '1 item needs attention.',
    ]);
    assert.deepEqual(status([{}], { held: 'by hand' }).tooltip, [
      'No worker is running.',
      'The queue is paused: by hand.',
    ]);
    assert.deepEqual(status([{}, {}, REVIEW, REVIEW], { ...LIMIT, workers: 2 }).tooltip, [
      'Workers w1, w2 are running.',
      '5-hour usage window used up, resets 20:00',
      '2 items need attention.',
    ]);
  });

  it('says once in the tooltip that no worker is running', () => {
    assert.deepEqual(status([{}, {}]).tooltip, [
      'No worker is running.',
      '2 tasks are due.',
      'Next: 1  Do 1',
    ]);
    assert.deepEqual(status([{ ...runByWorker, lost: true }]).tooltip.slice(0, 2), [
      'No worker is running.',
      '1 task is due.',
    ]);
  });

  it('shows usage and the reserve in the tooltip', () => {
    const reported = { utilization: 0.9, resetAt: NOW + 2 * HOUR, asOf: NOW - 3 * MINUTE } as const;
    const usage = [{ window: 'five_hour', ...reported }] as const;
    assert.deepEqual(status([{}], { usage, settings: { ...defaults, reserve: 0.2 } }).tooltip, [
      'No worker is running.',
      '90 % of the 5-hour usage window is used: the rest is reserved for critical tasks until 20:00',
      '5-hour usage window: 90 % used, resets 20:00 (reported 3 min ago)',
    ]);
  });
});

describe('The status bar of several folders', () => {
  const of = (...states: readonly [string, readonly Row[], Around?][]): StatusText | null =>
    describeStatuses(states.map(([name, rows, around]) => ({ name, state: ready(paint(rows, around)) })));

  it('shows the most urgent state with its folder, and what needs attention in all', () => {
    const shown = of(['north', [REVIEW, REVIEW]], ['south', [runByWorker, REVIEW], AT_WORK]);
    assert.equal(shown?.text, '$(sync~spin) south: Task 1  $(bell) 3');
    assert.equal(shown.spoken, 'Claude Queue: south: Task 1, 3 items need attention.');
    assert.deepEqual(
      shown.tooltip.filter((line) => /^(?:north|south): /.test(line)),
      ['north: Queue', 'south: Task 1'],
    );
    const signedOut = { block: { kind: 'sign-in', until: null } } as const;
    assert.equal(of(['north', [runByWorker], AT_WORK], ['south', [{}], signedOut])?.warning, true);
  });

  it('counts the queues if nothing happens in them', () => {
    assert.equal(of(['north', []], ['south', []])?.text, '$(checklist) 2 queues');
  });

  it('is as with a single folder if only one has a queue', () => {
    const states = [
      { name: 'west', state: { kind: 'missing' } as const },
      { name: 'north', state: ready(paint([REVIEW])) },
    ];
    assert.deepEqual(describeStatuses(states), describeStatus(ready(paint([REVIEW]))));
    assert.equal(describeStatuses([]), null);
  });
});
