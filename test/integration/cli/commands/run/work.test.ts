import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSystem } from '../../../../../src/cli/system';
import { machineId } from '../../../../../src/platform/processes/machine';
import { type CliHarness, openWorkCli } from '../../cliHarness';
import { registerWorker, openCliQueue, startAttempt } from '../../fileQueue';

describe('The worker, from the command line', () => {
  let cli: CliHarness;
  beforeEach(async () => {
    cli = await openWorkCli();
  });
  afterEach(() => cli.remove());

  it('shows Claude Code and billing, runs the tasks, and shows the totals', async () => {
    const { code, out } = await cli.call('work', '--until-empty');
    assert.equal(code, 1);
    const lines = out.split('\n');
    assert.match(
      lines[0] ?? '',
      /^Claude Code 9\.9\.9 \(\/.*fakeClaude\.sh\), billed to a subscription, as far .*\. This version .* newer /,
    );
    assert.deepEqual(lines.slice(1, 5), [
      '2026-11-20 18:00:00  Task 1 (high, attempt 1): Do it',
      '2026-11-20 18:00:00    1 │ Claude Code 9.9.9, fake-1',
      '2026-11-20 18:00:00    1 │ Finished (1 turn)',
      '2026-11-20 18:00:00  Task 1 ended: success (done) → completed. Done in 1 turn.',
    ]);
    assert.match(out, /Task 2 ended: permanent \(bad-working-dir\) → failed\./);
    assert.equal(lines.at(-1), 'Ran 2 attempts; failed: task 2.');
    assert.match(cli.read(), /^1,high,\.,Do it,completed/m);
    assert.match(cli.read(), /^2,low,gone,Elsewhere,failed/m);
  });

  it('exits with 0 after successes within its bounds, and with 4 if there was nothing', async () => {
    const { code, out } = await cli.call('work', '--max-tasks', '1');
    assert.deepEqual([code, out.split('\n').at(-1)], [0, 'Ran 1 attempt.']);
    const passed = await cli.call('work', '--until', '2026-11-20 18:00');
    assert.deepEqual([passed.code, passed.out], [64, '']);
    await cli.call('cancel', '2');
    const { code: none, out: said } = await cli.call('work', '--until-empty');
    assert.deepEqual(
      [none, said.split('\n').slice(-2)],
      [4, ['Nothing runs: not before 2026-11-21 09:00.', 'Ran 0 attempts.']],
    );
  });

  it('pauses the queue at one of its bounds, reports it, and the next worker resumes it', async () => {
    const { out } = await cli.call('work', '--max-tasks', '1');
    const why = '--max-tasks 1';
    assert.match(
      out,
      new RegExp(
        `^The queue is paused: ${why}\\. The next "work" or "run" resumes it; a schedule does not\\.$`,
        'm',
      ),
    );
    assert.deepEqual(await cli.shown(2), ['waiting', `the queue is paused (${why})`]);
    assert.deepEqual(
      (await cli.status()).holds.map(({ by }) => by),
      ['bounds'],
    );
    const next = await cli.call('work', '--until-empty');
    assert.equal(next.code, 1);
    assert.match(
      next.out,
      new RegExp(`^2026-11-20 18:00:00  Queue resumed \\(it was paused by ${why}\\)\\.$`, 'm'),
    );
    assert.deepEqual((await cli.status()).holds, []);
  });

  it('ends with the reason if the user paused the queue', async () => {
    await cli.call('hold', 'lunch');
    const { code, out } = await cli.call('work', '--until-empty');
    assert.equal(code, 4);
    assert.match(out, /^Nothing runs: the queue is paused \(lunch\)\.$/m);
  });

  it('of a pool takes only its tasks, and as many in parallel as the queue allows', async () => {
    cli.writeFile('config.yaml', 'pools:\n  fast:\n    priorities: [critical, high]\n    max: 3\n');
    const { code, out } = await cli.call('work', '--pool', 'fast', '--until-empty');
    assert.equal(code, 0, out);
    assert.match(out, /^maxRunning limits this queue to 1 parallel task; this worker allows 3\.$/m);
    assert.match(out, /Ran 1 attempt\.$/);
    assert.equal((await cli.shown(2))?.[0], 'ready');
    const unknown = await cli.call('work', '--pool', 'slow');
    assert.match(unknown.err, /This queue has no pool "slow"\. It has fast\. The setting pools/);
  });

  it('exits with 2 if only the user can open the gate', async () => {
    const gate = await cli.openGateOfClaude();
    await gate.report({
      signal: { kind: 'billing', resetAt: null, message: 'Credit balance is too low' },
      usage: [],
    });
    const { code, out } = await cli.call('work', '--until-empty');
    assert.equal(code, 2, out);
    const single = await cli.call('run', '--id', '1');
    assert.equal(single.code, 2);
    assert.match(single.out, /Nothing runs: task 1 is waiting \(the account has a billing problem: fix it, /);
  });

  it('waits with the reason if nothing is ready, and ends at a signal', async () => {
    await cli.call('hold', 'lunch');
    cli.onLine = (text) => {
      if (text.includes('Waiting')) cli.end.abort();
    };
    const { code, out } = await cli.call('work');
    assert.equal(code, 4);
    assert.match(out, /^2026-11-20 18:00:00 {2}Waiting: the queue is paused \(lunch\)$/m);
  });

  it('exits with 130 at Ctrl+C', async () => {
    await cli.call('hold', 'lunch');
    cli.onLine = (text) => {
      if (text.includes('Waiting')) cli.end.abort('SIGINT');
    };
    assert.equal((await cli.call('work')).code, 130);
  });

  it('with --alone does not start beside another one, and names it', async () => {
    const queue = await openCliQueue(cli);
    const worker = await registerWorker(cli, queue);
    const { code, out } = await cli.call('work', '--alone', '--max-tasks', '1');
    assert.equal(code, 4);
    assert.match(out, new RegExp(`^Worker ${worker} is already running\\.$`, 'm'));
    assert.equal((await cli.shown(1))?.[0], 'ready');
    assert.equal((await cli.call('work', '--max-tasks', '1')).code, 0, 'another one may work beside it');
    assert.equal((await cli.call('run', '--id', '3')).code, 0, 'and so may a single run');
    await queue.close();
  });

  it('obeys a stop that was requested while it looked for Claude Code', async () => {
    const { processes } = cli;
    const queue = await openCliQueue(cli);
    // Claude Code is slow: by the time it is found the clock has moved, and a stop has come before that.
    cli.processes = {
      ...processes,
      self: () => {
        cli.now += 1_000;
        return processes.self();
      },
    };
    cli.now += 1;
    await cli.call('stop');
    const { code, out } = await cli.call('work');
    assert.equal(code, 4);
    assert.match(out, /Ran 0 attempts\.$/);
    await queue.close();
  });

  it('is shown by "status" while it runs, and prevents "reset"', async () => {
    const queue = await openCliQueue(cli);
    const worker = await registerWorker(cli, queue);
    assert.match((await cli.call('status')).out, new RegExp(` Worker ${worker} is running\\. `));
    assert.deepEqual((await cli.status()).workers, [
      { worker, since: '2026-11-20T18:00:00.000Z', running: [], keepsAwake: false },
    ]);
    const { code, err } = await cli.call('reset');
    assert.equal(code, 1);
    assert.match(err, new RegExp(`^Worker ${worker} is running on this queue. Stop it before a reset`));
    await queue.close();
  });

  it('is shown with its running tasks', async () => {
    const queue = await openCliQueue(cli);
    const owner = { kind: 'process', worker: '42', machine: machineId(), process: cli.self() } as const;
    await queue.register({ owner, since: cli.now }, { alone: true }, 'enlist-42');
    await registerWorker(cli, queue);
    await startAttempt(cli, queue, { pid: 4242, startedAt: 'then' });
    const { workers } = await cli.status();
    assert.deepEqual(
      workers.map(({ running }) => running),
      [[1], []],
    );
    assert.match((await cli.call('status')).out, / Workers 42, \d+ are running\. /);
    await queue.leave(owner, 'leave');
    await queue.close();
  });

  it('with --with-windows stops if no window opens', async () => {
    await cli.call('hold', 'lunch');
    cli.env['CLAUDE_QUEUE_WINDOW_GRACE'] = '1s';
    const { code, out } = await cli.call('work', '--with-windows', 'now');
    assert.equal(code, 4);
    assert.match(out, /No editor window has this queue open\. Stopping now/);
  });

  it('runs one task and exits with its code', async () => {
    assert.equal((await cli.call('run')).code, 0);
    assert.equal((await cli.call('run')).code, 3);
    const { code, out } = await cli.call('run');
    assert.deepEqual([code, out.split('\n').at(-1)], [4, 'Nothing runs: not before 2026-11-21 09:00.']);
  });

  it('runs a named task before its time', async () => {
    const { code } = await cli.call('run', '--id', '3');
    assert.equal(code, 0);
    assert.equal((await cli.shown(3))?.[0], 'completed');
  });

  it('shows why a named task does not run', async () => {
    await cli.call('run', '--id', '1');
    assert.match((await cli.call('run', '--id', '1')).out, /Nothing runs: task 1 is completed\.$/);
    const { code, out } = await cli.call('run', '--id', '9');
    assert.equal(code, 4);
    assert.match(out, /Nothing runs: task 9 does not exist, or its row is invalid\.$/);
    await cli.call('trust', '--off');
    assert.match(
      (await cli.call('run', '--id', '3')).out,
      /Nothing runs: task 3 is unapproved \(not approved on this machine\)\.$/,
    );
    assert.match((await cli.call('run')).out, /Nothing runs: a task needs your approval/);
  });

  it('is listed by "stop" with its running tasks, and "cancel" reports the end of one', async () => {
    const queue = await openCliQueue(cli);
    await startAttempt(cli, queue, { pid: 4242, startedAt: 'then' });
    await queue.close();
    assert.match((await cli.call('stop')).out, /Running: 1\.$/);
    assert.equal((await cli.call('cancel', '1')).out, 'Task 1 is being ended and will be cancelled.');
    assert.equal((await cli.shown(1))?.[0], 'running');
    assert.match((await cli.call('reset')).err, /Task 1 is running. Stop it before a reset/);
  });

  it('of another machine is not stopped by a command without a task', async () => {
    const queue = await openCliQueue(cli);
    await startAttempt(cli, queue, { pid: 4242, startedAt: 'then' }, 'elsewhere');
    await queue.close();
    assert.equal((await cli.call('done')).code, 1);
    assert.equal((await cli.shown(1))?.[0], 'running');
    const { code, err } = await cli.call('work', '--max-tasks', '1');
    assert.equal(code, 1);
    assert.match(err, /Task 1 is running on another machine \(elsewhere\)\./);
    assert.equal((await cli.call('release', '1')).out, 'Task 1 is back in the queue.');
    assert.equal((await cli.shown(1))?.[0], 'ready');
  });

  it('writes output that only the user can read', async () => {
    await cli.call('run');
    const output = join(cli.queueFolder, 'state', 'outputs', 'task-1-attempt-1.jsonl');
    assert.match(readFileSync(output, 'utf8'), /"subtype":"init"/);
    assert.match((await cli.call('attach', '1')).out, /Finished \(1 turn\)\nTask 1 succeeded/);
  });

  it('does not run without claude, and shows where to get it', async () => {
    delete cli.env['CLAUDE_QUEUE_CLAUDE'];
    cli.env['PATH'] = join(cli.folder, 'empty');
    const { code, err } = await cli.call('work');
    assert.equal(code, 1);
    assert.match(err, /There is no program "claude" on the PATH\. Install Claude Code/);
    const named = await cli.call('--claude', '/no/such/claude', 'run');
    assert.match(named.err, /There is no program at \/no\/such\/claude/);
    assert.equal(existsSync(join(cli.queueFolder, 'state', 'outputs')), false);
  });
});

describe('The terminal of a command', () => {
  interface Written {
    readonly out: string[];
    readonly err: string[];
  }

  function createProcess(
    isTerminal: boolean,
    given = [Buffer.from('\ufeffGrüße').subarray(0, 6), Buffer.from('üße').subarray(1)],
  ): { program: NodeJS.Process; written: Written } {
    const written: Written = { out: [], err: [] };
    const stream = (lines: string[]) => ({
      isTTY: isTerminal,
      columns: 77,
      on: () => undefined,
      write: (text: string) => lines.push(text),
    });
    async function* input() {
      await Promise.resolve();
      yield* given;
    }
    const program = Object.assign(Object.create(process) as NodeJS.Process, { on: process.on.bind(process) });
    for (const [name, value] of Object.entries({
      stdin: Object.assign(input(), { isTTY: isTerminal }),
      stdout: stream(written.out),
      stderr: stream(written.err),
    })) {
      Object.defineProperty(program, name, { value });
    }
    return { program, written };
  }

  it('gets no control sequences', () => {
    const { program, written } = createProcess(true);
    const system = createSystem(program);
    system.out('one\u001b[2J\ntwo\u202e');
    system.err('three\u0007');
    assert.deepEqual(written, { out: ['one\ntwo\n'], err: ['three\n'] });
    assert.equal(system.columns, 77);
    assert.notEqual(system.keyboard, null);
  });

  it('has neither width nor keyboard if it is none, and its whole input is read', async () => {
    const system = createSystem(createProcess(false).program);
    assert.deepEqual([system.columns, system.keyboard], [null, null]);
    assert.equal(await system.readInput(), 'Grüße');
    assert.equal(system.cwd, process.cwd());
    assert.notEqual(system.createId(), system.createId());
  });

  it('has no input that is not UTF-8', async () => {
    const system = createSystem(createProcess(false, [Buffer.from('Grüße', 'latin1')]).program);
    await assert.rejects(system.readInput(), {
      reason: 'usage',
      message: 'Standard input is not UTF-8 text. Save it as UTF-8.',
    });
  });

  it('keeps the progress line below the output, and replaces it in its place', () => {
    const { program, written } = createProcess(true);
    const system = createSystem(program);
    const { pass } = system;
    assert.ok(pass !== null);
    pass('in 2 min');
    pass('in 2 min');
    pass('in 1\u001b[2J min');
    system.out('one');
    system.err('two');
    pass('');
    system.out('three');
    const [clear, two, one] = ['\r\u001b[2K', ...['2', '1'].map((n) => `\u001b[?7lin ${n} min\u001b[?7h`)];
    assert.deepEqual(written, {
      out: [two, clear, one, clear, 'one\n', one, clear, one, clear, 'three\n'],
      err: ['two\n'],
    });
    assert.equal(createSystem(createProcess(false).program).pass, null);
  });

  it('is asked to end at a signal', () => {
    const { program } = createProcess(false);
    const before = program.listeners('SIGHUP').length;
    const end = createSystem(program).onEnd();
    assert.equal(end.aborted, false);
    const added = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map(
      (name) => [name, program.listeners(name).at(-1)] as const,
    );
    assert.equal(program.listeners('SIGHUP').length, before + 1);
    added[0]?.[1]?.call(program, 'SIGINT');
    assert.equal(end.aborted, true);
    for (const [name, listener] of added) if (listener !== undefined) process.off(name, listener);
  });
});
