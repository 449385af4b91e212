import assert from 'node:assert/strict';
import { planMenu } from '../../../../../src/editor/status/queueMenu';
import { describeStatus } from '../../../../../src/editor/status/statusBarText';
import type { QueueState } from '../../../../../src/editor/state/queueState';
import { unbindTarget } from '../../../../../src/editor/state/queueTarget';
import { composeRoots } from '../../../../../src/editor/tree/rows/rootRows';
import { DEFAULT_OPTIONS } from '../../../../../src/editor/tree/rows/treeOptions';
import type { TreeRow } from '../../../../../src/editor/tree/rows/treeRow';
import { composeRows } from '../../../../../src/editor/tree/rows/treeRows';
import { HOUR, NOW, paint, ready, runByWorker } from '../../../../support/queue/viewModels';

const AROUND = { now: NOW, isTrusted: true };
const REVIEW = { state: { status: 'review' } } as const;
const TWO = ready(paint([{}, REVIEW]));
const MISSING: QueueState = { kind: 'missing' };

function compose(
  states: Readonly<Record<string, QueueState>>,
  around: Partial<typeof AROUND> = {},
): readonly TreeRow[] {
  const queues = Object.entries(states).map(([name, state]) => ({
    ...{ key: `/${name}`, name, state, live: new Map([[1, `Read ${name}.md`]]), starts: new Map() },
  }));
  return composeRoots(queues, DEFAULT_OPTIONS, { ...AROUND, ...around });
}

const flatten = (rows: readonly TreeRow[]): TreeRow[] =>
  rows.flatMap((row) => [row, ...flatten(row.children ?? [])]);

const WITHOUT_FILE = 'Worker runs, queue file is gone';

describe('The tree of several folders', () => {
  it('has one row for each folder with a queue, with its state in short and its groups below it', () => {
    const working = ready(paint([runByWorker], { workers: 1 }));
    const roots = compose({ north: TWO, west: MISSING, south: working });
    assert.deepEqual(
      roots.map(({ label, description, children = [] }) => [
        label,
        description,
        ...children.map((row) => row.label),
      ]),
      [
        ['north', '1 ready, no worker, 1 item needs attention', 'Not started', 'Needs Attention', 'Next'],
        ['south', 'Task 1', 'Running'],
      ],
    );
    assert.deepEqual(
      roots.map(({ traits }) => traits?.join(' ')),
      ['root readable idle unpaused', 'root readable working unpaused'],
    );
    assert.ok(flatten(roots).some(({ label }) => label === 'Read south.md'));
  });

  it('has no remaining time in the row of a folder, which is not drawn again each second', () => {
    const block = { until: NOW + HOUR };
    const limited = ready(paint([{}], { block, workers: 1 }));
    const roots = compose({ north: limited, south: ready(paint([{}], { block })) });
    assert.deepEqual(
      roots.map(({ description }) => description),
      ['Limit', 'Limit, no worker'],
    );
    assert.match(describeStatus(limited)?.words ?? '', /^Limit, resumes in /);
  });

  it('is as with a single queue if only one folder has one', () => {
    const strip = (rows: readonly TreeRow[]): unknown =>
      flatten(rows).map(({ key, label, description, children = [] }) => [
        ...[key, label, description, children.length],
      ]);
    const single = composeRows(TWO, DEFAULT_OPTIONS, { ...AROUND, starts: new Map(), live: new Map() });
    assert.deepEqual(strip(compose({ west: MISSING, north: TWO })), strip(single));
    assert.deepEqual(compose({ west: MISSING }), []);
  });

  it('has a row for Restricted Mode above all others, but not above an empty view', () => {
    const untrusted = { isTrusted: false };
    const [first, ...others] = compose({ north: TWO, south: TWO }, untrusted);
    assert.equal(first?.label, 'Restricted Mode');
    assert.equal(first.children?.[0]?.command?.command, 'workbench.trust.manage');
    assert.deepEqual(
      others.map(({ label }) => label),
      ['north', 'south'],
    );
    assert.equal(compose({ north: TWO }, untrusted)[0]?.label, 'Restricted Mode');
    assert.deepEqual(compose({ north: ready(paint([])) }, untrusted), []);
    assert.ok(!compose({ north: TWO }).some(({ label }) => label === 'Restricted Mode'));
  });

  it('offers no action in Restricted Mode but to trust the workspace', () => {
    const offered = (isTrusted: boolean): unknown[] =>
      flatten(compose({ north: TWO }, { isTrusted })).flatMap(({ actions = [], command }) => [
        ...actions,
        ...(command === undefined ? [] : [command.command]),
      ]);
    assert.ok(offered(true).includes('start'));
    assert.ok(!offered(false).includes('start'));
    assert.ok(offered(false).includes('workbench.trust.manage'));
  });

  it('has a key of its own and its queue in each row and command', () => {
    const rows = flatten(compose({ north: TWO, south: TWO }));
    assert.equal(new Set(rows.map(({ key }) => key)).size, rows.length);
    for (const { queue, command } of rows) {
      assert.match(queue ?? '', /^\/(?:north|south)$/);
      if (command !== undefined) assert.equal(unbindTarget(command.arguments?.[0]).queue, queue);
    }
  });

  it('has a row of a folder whose queue file is gone, beside another queue', () => {
    const gone: QueueState = { kind: 'missing', isGone: true };
    const roots = compose({ north: TWO, west: MISSING, south: gone });
    assert.deepEqual(
      roots.map(({ label, description, children = [] }) => [label, description, children.length]),
      [
        ['north', '1 ready, no worker, 1 item needs attention', 3],
        ['south', 'queue file is gone', 0],
      ],
    );
    assert.deepEqual(roots[1]?.traits, []);
    assert.match(roots[1].details?.join('\n') ?? '', /their history is kept/);
    assert.deepEqual(compose({ south: gone, west: MISSING }), []);
  });

  it('can be stopped where a worker runs although the queue file is gone', () => {
    const gone: QueueState = { kind: 'missing', isGone: true, workers: ['42'] };
    const [, south] = compose({ north: TWO, south: gone });
    assert.deepEqual([south?.description, south?.traits], [WITHOUT_FILE, ['root', 'working']]);
    assert.ok(south?.details?.includes('Running workers: 42.'));
    const status = describeStatus(gone);
    assert.deepEqual([status?.words, status?.warning], [WITHOUT_FILE, true]);
    const menu = planMenu(gone, { isTrusted: true, hasFile: true });
    assert.deepEqual(
      menu.map(({ command }) => command),
      ['stop', 'createQueue'],
    );
  });

  it('can be stopped where a worker runs although the queue cannot be read', () => {
    const failing: QueueState = { kind: 'failing', message: 'It is no CSV.', files: [], workers: ['42'] };
    const [, south] = compose({ north: TWO, south: failing });
    assert.deepEqual(south?.traits, ['root', 'working']);
    assert.deepEqual(describeStatus(failing)?.tooltip, ['It is no CSV.', 'Running workers: 42.']);
    const commands = (isTrusted: boolean): readonly string[] =>
      planMenu(failing, { isTrusted, hasFile: true }).map(({ command }) => command);
    assert.deepEqual(commands(true), ['stop', 'openQueueFile', 'showLog']);
    assert.deepEqual(commands(false), ['openQueueFile', 'showLog']);
  });

  it('says in a row why a queue cannot be read', () => {
    const failing = { kind: 'failing', message: 'It is locked.', files: [] } as const;
    const [, south] = compose({ north: TWO, south: failing });
    assert.deepEqual(
      south?.children?.map(({ label, description }) => `${label} ${description}`.trim()),
      ['Cannot be read It is locked.', 'Show Log'],
    );
    assert.equal(south.description, 'Cannot be read');
    assert.deepEqual(south.traits, ['root']);
  });
});
