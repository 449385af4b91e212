import assert from 'node:assert/strict';
import { showReason } from '../../../../../src/app/present/reasons/reason';
import type { QueueViewModel } from '../../../../../src/app/viewModel/queueViewModel';
import { defaults } from '../../../../../src/domain/settings/settings';
import { SHOWN_STATES, type Cause } from '../../../../../src/domain/reasons/reason';
import type { QueueState } from '../../../../../src/editor/state/queueState';
import { planLenses } from '../../../../../src/editor/queueFile/lenses/planLenses';
import { describeStatus } from '../../../../../src/editor/status/statusBarText';
import { speakRow } from '../../../../../src/editor/tree/rows/spokenRow';
import {
  DEFAULT_OPTIONS,
  GROUPINGS,
  type TreeOptions,
} from '../../../../../src/editor/tree/rows/treeOptions';
import type { TreeRow } from '../../../../../src/editor/tree/rows/treeRow';
import { composeRows } from '../../../../../src/editor/tree/rows/treeRows';
import { workerOf } from '../../../../conformance/harness';
import { QueueDocument } from '../../../../../src/editor/queueFile/document/queueDocument';
import { composeCsv } from '../../../../support/queue/rows';
import {
  HOUR,
  lost,
  MINUTE,
  NOW,
  paint,
  ready,
  runByUser,
  runByWorker,
} from '../../../../support/queue/viewModels';
import type { Around, Row } from '../../../../support/queue/viewModels';

/** Prompt with all that a screen reader must not read. */
const PROMPT = 'Sum $(eye) a · b … c ≥ d → e × f — 90% • g\nand more';
const CLAIM = {
  id: 4,
  power: 'p',
  token: 4,
  attempt: 2,
  owner: workerOf(1),
  at: NOW,
  session: 's',
  mark: 'm',
};
const BLOCK = { kind: 'five_hour', since: NOW, until: NOW + HOUR, message: 'Limit · reached…' } as const;
const USAGE = { window: 'five_hour', utilization: 0.9, resetAt: NOW + HOUR, asOf: NOW - 3 * MINUTE } as const;

/** One cause of each kind. */
const CAUSES: { readonly [Kind in Cause['kind']]: Extract<Cause, { kind: Kind }> } = {
  invalid: { kind: 'invalid' },
  claimed: { kind: 'claimed', owner: workerOf(1), isOwnerDead: true },
  question: { kind: 'question', question: 'Which one → a · b…' },
  message: { kind: 'message', message: 'Tests failed · 3 ≥ 2…' },
  'not-confirmed': { kind: 'not-confirmed' },
  undone: { kind: 'undone' },
  'retries-used-up': { kind: 'retries-used-up', count: 3, max: 3 },
  reopened: { kind: 'reopened' },
  'not-approved': { kind: 'not-approved' },
  changed: { kind: 'changed' },
  'approved-elsewhere': { kind: 'approved-elsewhere', owner: workerOf(1, 'elsewhere') },
  dependency: { kind: 'dependency', unmet: { id: 4, why: 'pending', stuck: false } },
  repository: { kind: 'repository', name: 'tools' },
  time: { kind: 'time', of: 'repeat', until: NOW + HOUR, missed: 2 },
  limit: { kind: 'limit', until: NOW + HOUR },
  settings: { kind: 'settings', wrong: ['maxPerDay', 'pools'] },
  quiet: { kind: 'quiet', until: null },
  hold: { kind: 'hold', hold: { by: 'person', why: 'lunch · back at 1…', at: 0 } },
  failures: { kind: 'failures', streak: { ids: [4, 7], outcome: 'error', reason: 'exit', message: 'No…' } },
  spare: { kind: 'spare', spare: { why: 'last-part', from: NOW + HOUR, lengthMs: HOUR } },
  attempts: { kind: 'attempts', limit: 3, per: 'hour', until: NOW + HOUR },
  night: { kind: 'night', budgetUsd: 5, usedUsd: 6, until: NOW + HOUR },
  unreviewed: { kind: 'unreviewed', unreviewed: 3, running: 0, max: 3 },
  gate: {
    kind: 'gate',
    gate: {
      block: BLOCK,
      phase: { kind: 'closed', opensAt: NOW + HOUR },
      isImplausibleReset: false,
      stagger: 15_000,
      isProbeHere: false,
    },
  },
  reserve: { kind: 'reserve', window: USAGE, keptFor: ['critical'] },
  slots: { kind: 'slots', running: 2, max: 2 },
  busy: { kind: 'busy', claim: CLAIM },
  directory: { kind: 'directory', claim: CLAIM },
  'made-way': { kind: 'made-way', claim: CLAIM },
  'place-in-line': { kind: 'place-in-line', place: 2, pool: 'main', running: 1, max: 1 },
  'nothing-left': { kind: 'nothing-left', tags: ['api'] },
};

/** Rows in all states of the rules, of many users and folders. */
const BARE: readonly Row[] = [
  {},
  { state: { resume: 'limit', session: 's' } },
  { state: { firstSeenAt: NOW - 3 * HOUR } },
  { state: { firstSeenAt: NOW - 2 * HOUR + 4 * MINUTE } },
  { fields: { deadline: NOW + 5 * MINUTE } },
  { fields: { deadline: NOW - HOUR } },
  { fields: { dependencies: [1, 2, 3, 9] } },
  { state: { ownerScheduledAt: NOW + 300 * HOUR } },
  { state: { retryCount: 1, dueAt: NOW + HOUR, dueCause: 'retry', lastOutcome: 'error' } },
  { ...runByWorker, at: NOW - 90 * MINUTE },
  { ...runByWorker, lost: true },
  { ...runByUser, at: NOW - 30_000 },
  { state: { status: 'review', lastMessage: 'Half · of it…' } },
  { state: { status: 'review', question: { text: 'Which…?', session: 's' } } },
  { state: { status: 'failed', retryCount: 3, lastMessage: 'exit 1 → stop' } },
  { state: { status: 'completed', unconfirmed: true } },
  { state: { status: 'cancelled' } },
];
const ROWS = BARE.map((row): Row => ({ ...row, fields: { prompt: PROMPT, ...row.fields } }));

const PROBLEMS = [9, 14].map((column) => ({
  where: { kind: 'file', line: 70, column } as const,
  row: 70,
  message: `Column ${String(column)} · is wrong…`,
}));
const PERSON = { until: null, message: 'Sign in → now…' };

/** Queues that something stops, or will. */
const AROUNDS: readonly Around[] = [
  { workers: 2, problems: PROBLEMS, usage: [USAGE] },
  { approvedRows: { trusted: false, approvals: new Set() } },
  { held: 'lunch · back at 1…' },
  { streak: { outcome: 'error', reason: 'exit', message: 'No space…', ids: [4, 7] } },
  { block: { kind: 'sign-in', ...PERSON } },
  { block: { kind: 'billing', ...PERSON } },
  { block: { kind: 'spend-limit', ...PERSON } },
  { block: { kind: 'default-model', model: 'gone', ...PERSON } },
  { block: { kind: 'offline', until: NOW + 2 * MINUTE } },
  { block: { until: NOW + 2 * HOUR } },
  { settings: { ...defaults, maxPerHour: 1 }, starts: [NOW - MINUTE] },
  { settings: { ...defaults, nightBudget: 2.5 }, costs: [{ at: NOW - MINUTE, usd: 2.6 }] },
  { timer: { by: 'crontab', crons: ['0 * * * *'], since: NOW - 3 * HOUR, startedAt: null } },
];

/** The same tasks, each with one cause in one state. */
function withEveryReason(): QueueViewModel {
  const reasons = SHOWN_STATES.flatMap((state) =>
    Object.values<Cause>(CAUSES).map((cause) => ({ state, causes: [cause], waitsFor: 'machine' as const })),
  );
  const viewModel = paint(reasons.map(() => ({ fields: { prompt: PROMPT } })));
  const { world } = viewModel;
  const tasks = viewModel.tasks.map((task, index) => {
    const reason = reasons[index];
    assert.ok(reason);
    return { ...task, place: null, reason: showReason(reason, world) };
  });
  return { ...viewModel, tasks };
}

const READING = { timeZone: 'UTC', folder: '/work', home: '/home/me', allowBypass: false };
const NOTES = new Map([[12, 'Claude asks → a permission…']]);
const STATES: readonly QueueState[] = [
  ...AROUNDS.map((around) => ready(paint(ROWS, around), NOTES)),
  ready(withEveryReason()),
  lost(paint(ROWS)),
  lost(null, { redis: 'refused' }),
  { kind: 'failing', message: 'It is → locked…', files: ['/a/config.yaml'], isForeign: true },
];

const flatten = (rows: readonly TreeRow[]): TreeRow[] =>
  rows.flatMap((row) => [row, ...flatten(row.children ?? [])]);

function rowsOf(state: QueueState, options: Partial<TreeOptions> = {}): TreeRow[] {
  const live = new Map([[10, 'Edit $(eye) src/round.ts · 3 min…']]);
  return flatten(
    composeRows(
      state,
      { ...DEFAULT_OPTIONS, ...options },
      { live, starts: new Map(), now: NOW, isTrusted: true },
    ),
  );
}

/** Fails if a screen reader would spell signs, leave words out, or not stop. */
function assertSpoken(spoken: string): void {
  assert.match(spoken, /^[\p{Lu}\p{N}].*[\p{L}\p{N})"'][.!?]$/u, spoken);
  assert.doesNotMatch(spoken, /\$\(|[\u2060·•…≥≤→×—–~|]|\(\+|\s\s|\s[.,;:!?]|undefined|\bnull\b/, spoken);
  assert.doesNotMatch(spoken, /\d(?:st|nd|rd|th)\b|\d (?:ms|s|min|h|d)\b|%/, spoken);
}

describe('The spoken text', () => {
  it('of every row is a sentence in words', () => {
    const spoken = STATES.flatMap((state) => [
      ...GROUPINGS.flatMap((grouping) => rowsOf(state, { grouping })),
      ...rowsOf(state, { filter: 'tag:none' }),
    ]).map(speakRow);
    assert.ok(spoken.length > 1_000, String(spoken.length));
    for (const text of new Set(spoken)) assertSpoken(text);
  });

  it('of the status bar is a sentence in words', () => {
    for (const state of STATES) assertSpoken(describeStatus(state)?.spoken ?? '');
    for (const row of ROWS) assertSpoken(describeStatus(ready(paint([row])))?.spoken ?? '');
  });

  it('of every lens is a sentence in words', () => {
    const text = composeCsv(ROWS.map((_, index) => ({ id: index + 1, prompt: 'Sum' })));
    const document = QueueDocument.parse(text);
    for (const around of AROUNDS) {
      const context = { isTrusted: true, spans: [{ first: 0, last: 99 }], rows: READING };
      const lenses = planLenses(document, paint(ROWS, around), context);
      assert.ok(lenses.length > 0);
      for (const { spoken } of lenses) assertSpoken(spoken);
    }
  });

  it('of a task has its state, its place, whether it is late, its prompt and its priority', () => {
    const [viewModel] = STATES;
    assert.ok(viewModel);
    const speak = (id: number): string => {
      const row = rowsOf(viewModel).find(({ taskId }) => taskId === id);
      assert.ok(row);
      return speakRow(row);
    };
    const prompt = 'Sum a, b c at least d to e times f, 90 percent, g and more';
    assert.equal(speak(3), `Position 3, late, task 3: ${prompt}. Priority medium.`);
    assert.equal(speak(10), `Running for 1 hour 30 minutes, task 10: ${prompt}. Priority medium.`);
    assert.match(speak(5), /at risk, task 5: .* Due 18:05\. Priority medium\.$/);
    assert.match(speak(13), /^Needs review: Half, of it, task 13: /);
  });

  it('of a long prompt without spaces is cut between two characters', () => {
    for (const start of ['', 'a']) {
      const prompt = start + '😀'.repeat(200);
      const [row] = rowsOf(ready(paint([{ fields: { prompt } }]))).filter(({ taskId }) => taskId === 1);
      assert.ok(row);
      assert.doesNotMatch(speakRow(row), /\p{Surrogate}/u);
    }
  });

  it('of a group has its name and the number of its rows', () => {
    const rows = rowsOf(ready(paint([{}, {}, { state: { status: 'completed' } }])));
    const groups = rows.filter(({ traits }) => traits?.includes('group')).map(speakRow);
    assert.deepEqual(groups, ['Group Next, 2 rows.', 'Group Done, 1 row.']);
    const many = rowsOf(ready(paint(Array.from({ length: 700 }, () => ({})))));
    const rest = many.filter(({ key }) => key.startsWith('rest')).map(speakRow);
    assert.deepEqual(rest, ['Show 400 More of 600 rows in the group Next.']);
  });
});
