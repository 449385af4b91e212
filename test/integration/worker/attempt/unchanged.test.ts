import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describeSkip } from '../../../../src/app/present/occurrence';
import { permissionsOf } from '../../../../src/domain/task/permissions';
import type { Definition, PermissionMode } from '../../../../src/domain/task/task';
import { occurrencesOf } from '../../../../src/domain/time/occurrences';
import { OPEN_GATE } from '../../../../src/domain/gate/gate';
import { createDiffMeasure } from '../../../../src/platform/git/changeMeasure';
import { runOne } from '../../../../src/worker/runOne';
import { work } from '../../../../src/worker/work';
import type { WorkerDeps } from '../../../../src/worker/workerDeps';
import { Harness, MINUTE_MS, rulesOf, taking, type ShortVerdict } from '../../../support/queue/workerHarness';
import { makeFolder } from '../../queue/folder';

const NEVER = new AbortController().signal;
const HOURLY = { kind: 'every', text: '1h', everyMs: 60 * MINUTE_MS } as const;
const FAILURE: ShortVerdict = { outcome: 'error', reason: 'exit-1' };

describe('A repeating task that is skipped while nothing has changed', () => {
  let harness: Harness;
  let folder: string;
  /** The machine's mode for rows that set none, and the rules that the user granted. */
  let [mode, grants]: readonly [PermissionMode, readonly string[]] = ['acceptEdits', []];

  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const git = (...args: readonly string[]): void => {
    execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e', ...args], { cwd: folder, stdio: 'pipe' });
  };
  const put = (definition: Partial<Definition> = {}): Definition =>
    harness.put(1, { repeat: HOURLY, unlessUnchanged: true, ...definition });

  /** Returns a worker whose attempts say what they may do, as those of Claude Code do. */
  function createWorker(changes: Partial<WorkerDeps>): WorkerDeps {
    const { runner, settings } = harness;
    return harness.createWorker({
      lookAgainMs: MINUTE_MS,
      runner: {
        ...runner,
        run: async (job, events, stop) => ({
          ...(await runner.run(job, events, stop)),
          permissions: permissionsOf(job, mode),
        }),
      },
      rules: rulesOf({ ...settings, permissionMode: mode }),
      readGrants: () => Promise.resolve(grants),
      ...changes,
    });
  }

  async function workFor(minutes: number): Promise<void> {
    const environment = { PATH: process.env['PATH'], HOME: '/nonexistent' };
    const measureDiff = createDiffMeasure({ environment, except: [join(folder, 'claude_queue')] });
    const until = harness.clock.now() + minutes * MINUTE_MS;
    await harness.clock.run(work(createWorker({ measureDiff }), { until }, NEVER));
    await harness.queue.resume(harness.createId());
  }

  beforeEach(() => {
    [mode, grants] = ['acceptEdits', []];
    folder = makeFolder();
    harness = new Harness({}, undefined, { folder });
    git('init', '-q');
    write('.gitignore', 'build/\n');
    write('one.txt', 'one\n');
    write('claude_queue/prompts.csv', 'id\n');
    git('add', '-A');
    git('commit', '-qm', 'first');
  });

  it('is skipped by "run" too, unless the user names it', async () => {
    put();
    await workFor(30);
    await harness.clock.runFor(60 * MINUTE_MS);
    const environment = { PATH: process.env['PATH'], HOME: '/nonexistent' };
    const measureDiff = createDiffMeasure({ environment, except: [join(folder, 'claude_queue')] });
    const worker = createWorker({ measureDiff });
    const idle = await harness.clock.run(runOne(worker, {}, NEVER));
    assert.equal(idle !== null && 'kind' in idle ? idle.kind : 'ran', 'idle');
    assert.equal((await harness.queue.attempts({})).length, 1);
    await harness.clock.run(runOne(worker, { id: 1, override: { time: true } }, NEVER));
    assert.equal((await harness.queue.attempts({})).length, 2);
  });

  it('runs once, and has a record of each due time', async () => {
    put();
    await workFor(200);
    assert.deepEqual(harness.diary, ['18:00 1']);
    const { snapshot, task } = { snapshot: await harness.queue.read(), task: await harness.task(1) };
    const attempts = await harness.queue.attempts({});
    const now = harness.clock.now();
    const world = { ...snapshotWorld(), now };
    const ends = occurrencesOf(task, [...attempts].reverse(), world).map(
      ({ dueAt, lastDueAt, count, end }) => [
        harness.timeOf(dueAt),
        harness.timeOf(lastDueAt),
        count,
        end.kind === 'skipped' ? describeSkip(end, { now, timeZone: 'UTC' }) : end.kind,
      ],
    );
    assert.deepEqual(ends, [
      ['18:00', '18:00', 1, 'ran'],
      ['19:01', '21:01', 3, 'nothing has changed since its last success'],
    ]);

    function snapshotWorld() {
      const { tasks, claims } = snapshot;
      return {
        ...{ settings: harness.settings, timeZone: 'UTC', gate: OPEN_GATE, machine: 'here' },
        approvedRows: { trusted: true, approvals: new Set<string>() },
        queue: snapshot,
        byId: new Map(tasks.map((one) => [one.definition.id, one])),
        claims,
      };
    }
  });

  function commit(text: string): void {
    write('one.txt', text);
    git('commit', '-qam', 'second');
  }

  const changes: readonly [string, number, () => unknown][] = [
    ['a changed file', 2, () => write('one.txt', 'two\n')],
    ['a changed file in a commit', 2, () => commit('two\n')],
    ['a new file that git does not track', 2, () => write('new.txt', 'new\n')],
    ['a removed file', 2, () => git('rm', '-q', 'one.txt')],
    ['another prompt', 2, () => put({ prompt: 'Something else' })],
    ['another text for the system prompt', 2, () => put({ appendSystemPrompt: 'Be brief.' })],
    ['another model', 2, () => put({ model: 'opus' })],
    ['another permission mode of the machine', 2, () => (mode = 'plan')],
    ['a rule that the user granted', 2, () => (grants = ['Bash(ls)'])],
    ['a row that does not ask for it any more', 2, () => harness.put(1, { repeat: HOURLY })],
    ['a retry by the user', 2, () => void harness.queue.command(1, 'retry', harness.createId())],
    ['a file too large to read', 2, () => write('large.bin', 'x'.repeat(60 * 1024 * 1024))],
    ['an ignored file', 1, () => write('build/out.txt', 'new\n')],
    ['a commit of the same files', 1, () => git('commit', '-q', '--allow-empty', '-m', 'second')],
    ['a changed queue file', 1, () => write('claude_queue/prompts.csv', 'id\n1\n')],
    [
      'a file that has the same content again',
      1,
      () => ['two\n', 'one\n'].forEach((text) => write('one.txt', text)),
    ],
  ];
  for (const [name, runs, change] of changes) {
    it(`${runs === 1 ? 'is skipped' : 'runs'} after ${name}`, async () => {
      put();
      await workFor(30);
      change();
      await workFor(70);
      assert.equal(harness.runs.length, runs, harness.reported.join('\n'));
    });
  }

  it('is skipped while the files are as its last success left them', async () => {
    harness.put(1, { repeat: HOURLY, unlessUnchanged: true }, async (run, stop) => {
      if (run.earlier === 0) write('made.txt', 'made\n');
      return taking(MINUTE_MS)(run, stop);
    });
    await workFor(200);
    assert.equal(harness.runs.length, 1);
  });

  it('retries after a failure, and is then skipped by its last success', async () => {
    harness.put(1, { repeat: HOURLY, unlessUnchanged: true }, (run, stop) =>
      taking(MINUTE_MS, run.earlier === 0 ? FAILURE : undefined)(run, stop),
    );
    await workFor(200);
    assert.equal(harness.runs.length, 2);
  });

  it('runs each time without git', async () => {
    harness.put(1, { repeat: HOURLY, unlessUnchanged: true, workingDir: makeFolder() });
    await workFor(200);
    assert.equal(harness.runs.length, 4);
  });
});
