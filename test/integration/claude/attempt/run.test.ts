import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Job, AttemptEvents, Verdict } from '../../../../src/domain/task/attempt';
import type { ProcessIdentity } from '../../../../src/domain/task/processIdentity';
import type { Definition } from '../../../../src/domain/task/task';
import { createClaudeRunner } from '../../../../src/claude/attempt/run';
import type { RunnerOptions } from '../../../../src/claude/attempt/run';
import { systemClock, type Clock } from '../../../../src/platform/clock';
import { systemProcesses } from '../../../../src/platform/processes/processes';
import { onFullDisk } from '../../../support/machine/fullDisk';
import { inputsIn, jobIn, type Note, notesIn, optionsIn } from '../fakeRun';

describe('An attempt with claude', () => {
  let folder: string;
  let lines: string[];
  let identity: ProcessIdentity | undefined;

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'run-')));
    mkdirSync(join(folder, 'claude_queue'));
    const projects = { [folder]: { hasTrustDialogAccepted: true } };
    writeFileSync(join(folder, '.claude.json'), JSON.stringify({ projects }));
    lines = [];
    identity = undefined;
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

  const notes = (): Note[] => notesIn(folder);
  const inputs = (): string[] => inputsIn(folder);
  const output = (): string => readFileSync(join(folder, 'output.jsonl'), 'utf8');

  const jobOf = (definition: Partial<Definition> = {}, more: Partial<Job> = {}): Job =>
    jobIn(folder, definition, more);

  const events: AttemptEvents = {
    started(process) {
      identity = process;
      return Promise.resolve();
    },
    admitted: () => undefined,
    line: (text) => lines.push(text),
  };

  function optionsOf(script: string, more: Partial<RunnerOptions> = {}): RunnerOptions {
    const environment = {
      ANTHROPIC_API_KEY: 'made-up',
      CLAUDECODE: '1',
      VSCODE_PID: '1',
      ELECTRON_RUN_AS_NODE: '1',
    };
    const protectedPaths = [join(folder, 'claude_queue')];
    return { ...optionsIn(folder, script, environment), protectedPaths, graceMs: 60_000, ...more };
  }

  function run(script: string, job = jobOf(), stop = new AbortController().signal): Promise<Verdict> {
    return createClaudeRunner(optionsOf(script)).run(job, events, stop);
  }

  const isChildAlive = (): boolean => {
    const pid = notes().find(({ child }) => child !== undefined)?.child;
    assert.ok(pid);
    const child = systemProcesses.identify(pid);
    return child !== null && systemProcesses.isAlive(child);
  };

  it('that succeeds is shown, and its output is readable by the user alone', async () => {
    const verdict = await run('ok');
    assert.equal(verdict.outcome, 'success');
    assert.deepEqual([verdict.version, verdict.model, verdict.exitCode], ['9.9.9', 'fake-1', 0]);
    assert.deepEqual(lines, ['Claude Code 9.9.9, fake-1', 'Finished (1 turn)']);
    assert.equal(output().trimEnd().split('\n').length, 2);
    assert.equal(statSync(join(folder, 'output.jsonl')).mode & 0o777, 0o600);
  });

  it("gets its session, its mark, and an environment without another attempt's mark", async () => {
    const job = jobOf();
    await run('ok', job);
    const { args = [], env = {}, cwd } = notes()[0] ?? {};
    assert.equal(cwd, folder);
    assert.equal(args[args.indexOf('--session-id') + 1], job.session);
    assert.equal(env['CLAUDE_QUEUE_RUN'], job.attemptMark);
    for (const name of ['CLAUDECODE', 'VSCODE_PID', 'ELECTRON_RUN_AS_NODE', 'ANTHROPIC_API_KEY']) {
      assert.equal(env[name], undefined, name);
    }
  });

  const PROMPTS: Readonly<Record<string, string>> = {
    'with signs that a shell would take for its own': '$(reboot) `id` "quoted" \'too\' \\ ; | & > x\n\n\ttab',
    'with emoji and control characters': 'Grüße 🌍\u200b \u0001\u0007\u001b[31m\r\nend\r',
    'that begins with a dash': '--dangerously-skip-permissions',
    'of a megabyte': `${'0123456789abcdé'.repeat(70_000)}.`,
    'with a space at its end': 'Do it. \n',
  };
  for (const [name, prompt] of Object.entries(PROMPTS)) {
    it(`gets a prompt ${name} byte for byte`, async () => {
      assert.equal((await run('ok', jobOf({ prompt }))).outcome, 'success');
      assert.deepEqual(inputs(), [prompt]);
      assert.ok(!JSON.stringify(notes()[0]?.args).includes('reboot'));
    });
  }

  it('is not started if a link leads elsewhere than at its approval', async () => {
    const [first, second, written] = ['first', 'second', 'work'].map((name) => join(folder, name));
    assert.ok(first && second && written);
    mkdirSync(first);
    mkdirSync(second);
    symlinkSync(first, written);
    const job = jobOf({ workingDir: written, realDir: first });
    assert.equal((await run('ok', job)).outcome, 'success');
    assert.equal(notes()[0]?.cwd, first);
    rmSync(written);
    symlinkSync(second, written);
    await assert.rejects(run('ok', job), { reason: 'folder-moved' });
    rmSync(written);
    mkdirSync(written);
    rmSync(first, { recursive: true });
    symlinkSync(second, first);
    await assert.rejects(run('ok', jobOf({ workingDir: first })), { reason: 'folder-moved' });
    assert.equal(inputs().length, 1);
  });

  it('gets no prompt if its folder became a link during the start', async () => {
    rmSync(join(folder, '.claude.json'));
    const [work, other] = ['work', 'other'].map((name) => join(folder, name)) as [string, string];
    mkdirSync(work);
    mkdirSync(other);
    const turning: AttemptEvents = {
      ...events,
      line: () => {
        rmSync(work, { recursive: true });
        symlinkSync(other, work);
      },
    };
    const stop = new AbortController().signal;
    const running = createClaudeRunner(optionsOf('ok')).run(jobOf({ workingDir: work }), turning, stop);
    await assert.rejects(running, { reason: 'folder-moved' });
    assert.deepEqual([identity, inputs()], [undefined, []]);
  });

  for (const [name, prompt] of [
    ['its prompt', 'Do it.'],
    ['a long prompt', 'Do it. '.repeat(100_000)],
  ] as const)
    it(`does not get ${name} before it is recorded`, async () => {
      let release: (() => void) | undefined;
      const recorded = new Promise<void>((resolve) => (release = resolve));
      let seen: readonly string[] = ['?'];
      const waiting: AttemptEvents = {
        ...events,
        async started(process) {
          assert.equal(systemProcesses.isAlive(process), true);
          seen = inputs();
          release?.();
          await recorded;
        },
      };
      await createClaudeRunner(optionsOf('ok')).run(jobOf({ prompt }), waiting, new AbortController().signal);
      assert.deepEqual(seen, []);
      assert.deepEqual(inputs(), [prompt]);
    });

  it('ends without its prompt if it cannot be recorded', async () => {
    const failing: AttemptEvents = {
      ...events,
      started(process) {
        identity = process;
        return Promise.reject(new Error('The disk is full.'));
      },
    };
    const running = createClaudeRunner(optionsOf('ok')).run(jobOf(), failing, new AbortController().signal);
    await assert.rejects(running, /The disk is full/);
    assert.ok(identity);
    assert.equal(systemProcesses.isAlive(identity), false);
    assert.deepEqual(inputs(), []);
  });

  it('in an untrusted folder uses none of its settings, and reports that', async () => {
    rmSync(join(folder, '.claude.json'));
    assert.equal((await run('ok')).outcome, 'success');
    assert.match(
      lines[0] ?? '',
      /^You have not trusted \S+ in Claude Code: its settings, hooks, MCP servers/,
    );
    const args = notes().flatMap((note) => note.args ?? []);
    assert.equal(args[args.indexOf('--setting-sources') + 1], 'user');
  });

  it('outside the allowed directories is not started', async () => {
    const options = optionsOf('ok', { allowedDirectories: [join(folder, 'claude_queue')] });
    const verdict = await createClaudeRunner(options).run(jobOf(), events, new AbortController().signal);
    assert.deepEqual([verdict.outcome, verdict.reason], ['permanent', 'bad-working-dir']);
    assert.match(verdict.message, /outside of the allowed folders/);
    assert.deepEqual(notes(), []);
  });

  it('ends with its child processes when it is stopped', async () => {
    const stop = new AbortController();
    const running = createClaudeRunner(optionsOf('hangWithChild')).run(
      jobOf(),
      { ...events, line: () => stop.abort('stopped') },
      stop.signal,
    );
    const verdict = await running;
    assert.deepEqual([verdict.outcome, verdict.reason], ['cancelled', 'stopped']);
    assert.equal(isChildAlive(), false);
  });

  it('is not started after a stop', async () => {
    const verdict = await run('ok', jobOf(), AbortSignal.abort('cancelled'));
    assert.deepEqual([verdict.outcome, verdict.reason], ['cancelled', 'cancelled']);
    assert.deepEqual(notes(), []);
  });

  it('that ignores signals is killed', async () => {
    const stop = new AbortController();
    const verdict = await createClaudeRunner(optionsOf('deaf', { graceMs: 100 })).run(
      jobOf(),
      { ...events, line: () => stop.abort('fenced') },
      stop.signal,
    );
    assert.deepEqual([verdict.outcome, verdict.reason, verdict.exitCode], ['cancelled', 'fenced', null]);
  });

  it('that times out is ended, and the timeout is reported', async () => {
    const verdict = await createClaudeRunner(optionsOf('hang', { clock: systemClock })).run(
      jobOf({}, { timeoutMs: 500 }),
      events,
      new AbortController().signal,
    );
    assert.deepEqual([verdict.outcome, verdict.reason], ['error', 'timeout']);
  });

  it('that another process kills is lost', async () => {
    const verdict = await createClaudeRunner(optionsOf('hang')).run(
      jobOf(),
      {
        ...events,
        line: () => {
          assert.ok(identity);
          process.kill(identity.pid, 'SIGKILL');
        },
      },
      new AbortController().signal,
    );
    assert.deepEqual([verdict.outcome, verdict.reason], ['lost', 'SIGKILL']);
  });

  it('leaves no process running, even one that holds its output open', async function () {
    if (process.platform !== 'linux') this.skip();
    assert.equal((await run('leaveChild')).outcome, 'success');
    assert.equal(isChildAlive(), false);
  });

  it('is read from pieces of any size', async () => {
    assert.equal((await run('pieces')).outcome, 'success');
    assert.ok(lines.includes('Grüße 🌍'), lines.join('\n'));
  });

  it('is read with a last line without a line end', async () => {
    assert.equal((await run('unfinished')).outcome, 'success');
  });

  it('succeeds if it closes its output early and its input unread', async () => {
    assert.equal((await run('closeOutput')).outcome, 'success');
    assert.equal((await run('deafStdin', jobOf({ prompt: 'x'.repeat(1_000_000) }))).outcome, 'success');
  });

  it('is read with a large output', async () => {
    assert.equal((await run('flood')).outcome, 'success');
    assert.equal(output().trimEnd().split('\n').length, 20_002);
  });

  it('is read to the end, also by a worker that was suspended when it ended', async () => {
    let isDelayed = false;
    const clock: Clock = {
      now: () => systemClock.now(),
      sleep: (ms, signal) => {
        const sleeping = systemClock.sleep(ms, signal);
        if (signal !== undefined && ms <= 2_000 && !isDelayed) {
          isDelayed = true;
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500);
        }
        return sleeping;
      },
    };
    const runner = createClaudeRunner({ ...optionsOf('flood'), clock });
    const verdict = await runner.run(jobOf(), events, new AbortController().signal);
    assert.deepEqual([verdict.outcome, isDelayed], ['success', true]);
  });

  it('leaves no secret in stored and shown output', async () => {
    await run('secret');
    for (const text of [output(), lines.join('\n')]) {
      assert.match(text, /\[redacted Anthropic key\]/);
      assert.doesNotMatch(text, /AbCdEf/);
    }
    assert.match(lines.join('\n'), /^warning: /m);
  });

  it('is not started if its output file cannot be made', async () => {
    writeFileSync(join(folder, 'taken'), '');
    const verdict = await run('ok', jobOf({}, { outputFile: join(folder, 'taken/output.jsonl') }));
    assert.deepEqual([verdict.outcome, verdict.reason], ['transient', 'output-unwritable']);
    assert.deepEqual(notes(), []);
  });

  it('ends with the reason if its output can no longer be written', async () => {
    const verdict = await onFullDisk(() => run('hang'));
    assert.deepEqual([verdict.outcome, verdict.reason], ['transient', 'output-unwritable']);
    assert.match(verdict.message, /^Ended because .* cannot be written to .*output\.jsonl \(ENOSPC/);
    assert.equal(verdict.version, '9.9.9');
  });

  it('that finished before it is ended keeps its result, and names its output', async () => {
    const verdict = await onFullDisk(() => run('endInTime'));
    assert.deepEqual([verdict.outcome, verdict.reason, verdict.exitCode], ['success', 'done', 0]);
    assert.match(
      verdict.message,
      /^Done in 1 turn\. The output cannot be written to .*output\.jsonl \(ENOSPC/,
    );
  });
});
