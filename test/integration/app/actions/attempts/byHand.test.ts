import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { randomUUID } from 'node:crypto';
import { continueSession } from '../../../../../src/app/actions/attempts/continueSession';
import { endRunning, findRunning, takeTask } from '../../../../../src/app/actions/attempts/userClaim';
import { claimNext } from '../../../../../src/app/actions/attempts/claimNext';
import { endAtLimit, returnTask } from '../../../../../src/app/actions/attempts/endUserClaim';
import type { Host } from '../../../../../src/app/context/host';
import {
  type InteractiveAttempt,
  prepareAttempt,
} from '../../../../../src/app/actions/attempts/interactiveAttempt';
import { QueueContext } from '../../../../../src/app/context/queueContext';
import { isProblem } from '../../../../../src/domain/problem';
import { approvable } from '../../../../../src/domain/task/approval';
import type { Claim } from '../../../../../src/domain/queue/view';
import { systemProcesses } from '../../../../../src/platform/processes/processes';
import { systemClock } from '../../../../../src/platform/clock';
import type { TaskQueue } from '../../../../../src/queue/taskQueue';
import { composeCsv } from '../../../../support/queue/rows';
import type { RowCells } from '../../../../support/queue/rows';
import { spawn } from 'node:child_process';

const FAKE_CLAUDE = resolve(__dirname, '../../../../fixtures/claude/fakeClaude.sh');

describe("A task in the user's hand", () => {
  let folder: string;
  let queueContext: QueueContext;
  let queue: TaskQueue;

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'hand-')));
    mkdirSync(join(folder, 'claude_queue'));
  });
  afterEach(async () => {
    await queue.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const write = (...rows: readonly RowCells[]): void => {
    writeFileSync(join(folder, 'claude_queue', 'prompts.csv'), composeCsv(rows));
  };

  async function open(...rows: readonly RowCells[]): Promise<void> {
    write(...rows);
    const env = {
      HOME: folder,
      XDG_STATE_HOME: join(folder, 'user'),
      XDG_CONFIG_HOME: join(folder, 'config'),
      PATH: dirname(process.execPath),
      CLAUDE_QUEUE_CLAUDE: FAKE_CLAUDE,
      CLAUDE_CODE_OAUTH_TOKEN: 'made-up',
      CLAUDE_QUEUE_PERMISSION_MODE: 'acceptEdits',
      CLAUDE_QUEUE_STOP_GRACE: '0s',
    };
    const host: Host = {
      env,
      cwd: folder,
      clock: systemClock,
      random: () => 0.5,
      createId: randomUUID,
      processes: systemProcesses,
      timeZone: 'UTC',
      warn: (message) => assert.fail(message),
    };
    queueContext = new QueueContext({ queue: join(folder, 'claude_queue', 'prompts.csv') }, host);
    queue = await queueContext.openQueue();
  }

  const nextTask = (): string => readFileSync(join(folder, 'claude_queue', 'NEXT_TASK.md'), 'utf8');
  const hasNextTask = (): boolean => existsSync(join(folder, 'claude_queue', 'NEXT_TASK.md'));
  const taken = async (id: number): Promise<Claim> => {
    const held = await takeTask(queueContext, queue, id);
    assert.ok(held.kind === 'claimed');
    return held.claim;
  };
  const idOfNext = async (): Promise<number> => {
    const held = await claimNext(queueContext, queue);
    assert.ok(held.kind === 'claimed');
    return held.claim.id;
  };
  const status = async (id: number): Promise<string | undefined> => {
    const { tasks } = await queue.read();
    return tasks.find(({ state }) => state.id === id)?.state.status;
  };

  describe('without Claude Code', () => {
    beforeEach(() =>
      open(
        { id: 1, prompt: 'Sing', priority: 'high' },
        { id: 2, prompt: 'Dance' },
        { id: 3, prompt: 'Rest' },
      ),
    );

    it('is returned again by a second call, unless Claude Code works on it in a terminal', async () => {
      await queue.start(await taken(1), systemProcesses.self(), 'start');
      assert.equal(await idOfNext(), 2);
      assert.equal(await idOfNext(), 2);
      assert.match(nextTask(), /^# Next task: 2$/m);
    });

    it('causes a callback to the address of its row only if the row is approved', async () => {
      const url = 'https://row.test/hook';
      const [known, unknown] = [
        { id: 2, callback_url: url },
        { id: 3, callback_url: url },
      ];
      write({ id: 1, prompt: 'Sing' }, { ...known, prompt: 'Dance' }, { ...unknown, prompt: 'Rest' });
      const { tasks } = await queue.read();
      const rows = tasks.map(({ definition, state }) => approvable(definition, state.power));
      await queueContext.openApprovals().approve(rows.filter(({ id }) => id === 2));
      const [approved, unapproved] = [await taken(2), await taken(3)];
      assert.deepEqual([approved.callbacks, unapproved.callbacks], [{ url }, undefined]);
    });

    it('keeps its NEXT_TASK.md while another task is returned', async () => {
      await taken(2);
      await taken(3);
      await returnTask(queueContext, queue, 2, null);
      assert.equal(await idOfNext(), 3);
      await taken(1);
      await returnTask(queueContext, queue, 1, 'success');
      assert.match(nextTask(), /^# Next task: 3$/m);
      assert.equal(await idOfNext(), 3);
      await returnTask(queueContext, queue, 3, 'success');
      assert.equal(hasNextTask(), false);
    });

    it('completes after an edit of its row, and the new text is a pending task', async () => {
      await taken(2);
      write({ id: 1, prompt: 'Sing' }, { id: 2, prompt: 'Dance twice' }, { id: 3, prompt: 'Rest' });
      assert.deepEqual(await returnTask(queueContext, queue, 2, 'success'), { id: 2, wasEdited: true });
      assert.equal(await status(2), 'pending');
      const [attempt] = await queue.attempts({ id: 2 });
      assert.equal(attempt?.outcome, 'success');
      await queue.sync();
      const log = readFileSync(join(folder, 'claude_queue', 'state', 'executed.log'), 'utf8');
      assert.doesNotMatch(log, /Dance twice/);
    });

    it('fails after an edit of its row as a first failure, whatever the new row has counted', async () => {
      const edited = { id: 2, prompt: 'Dance twice', retry_count: 2, max_retries: 3 };
      await taken(2);
      write({ id: 1, prompt: 'Sing' }, edited);
      assert.deepEqual(await returnTask(queueContext, queue, 2, 'error'), { id: 2, wasEdited: true });
      const [attempt] = await queue.attempts({ id: 2 });
      assert.deepEqual([attempt?.outcome, attempt?.code], ['error', 1]);
      const { tasks } = await queue.read();
      const now = tasks.find(({ state }) => state.id === 2)?.state;
      assert.deepEqual([now?.status, now?.retryCount], ['pending', 2]);
    });

    it('completes after its row was deleted', async () => {
      await taken(2);
      write({ id: 1, prompt: 'Sing' });
      assert.deepEqual(await returnTask(queueContext, queue, 2, 'success'), { id: 2, wasEdited: false });
      assert.deepEqual((await queue.read()).claims, []);
    });

    it('is claimed again after an edit of its row, so that the result belongs to the new text', async () => {
      await taken(2);
      write({ id: 2, prompt: 'Dance twice' });
      assert.equal(await idOfNext(), 2);
      assert.match(nextTask(), /^Dance twice$/m);
      assert.deepEqual(await returnTask(queueContext, queue, 2, 'success'), { id: 2, wasEdited: false });
      assert.equal(await status(2), 'completed');
    });

    it('cannot be ended while Claude Code works on it in a terminal', async () => {
      const claude = spawn('sleep', ['60'], { stdio: 'ignore' });
      try {
        const run = systemProcesses.identify(claude.pid ?? 0);
        assert.ok(run !== null);
        await queue.start(await taken(1), run, 'start');
        const isRefused = (error: unknown): boolean => isProblem(error, 'already-running');
        await assert.rejects(returnTask(queueContext, queue, 1, 'success'), isRefused);
        await assert.rejects(takeTask(queueContext, queue, 1), isRefused);
        const running = await findRunning(queueContext, queue, 1);
        assert.ok(running !== null);
        await endRunning(queueContext, running);
        await returnTask(queueContext, queue, 1, 'success');
        assert.equal(await status(1), 'completed');
      } finally {
        claude.kill('SIGKILL');
      }
    });
  });

  describe('with Claude Code in a terminal', () => {
    const POWERFUL = {
      ...{ id: 1, prompt: 'Sing', permission_mode: 'dontAsk', allowed_tools: 'Bash', model: 'opus' },
      append_system_prompt: 'Never ask.',
    };

    const prepare = async (): Promise<InteractiveAttempt> => {
      const run = await prepareAttempt(queueContext, queue, 1);
      assert.ok(run.kind === 'claimed');
      return run;
    };
    const valueOf = ({ start }: InteractiveAttempt, flag: string): string | undefined => {
      const at = start.args.indexOf(flag);
      return at < 0 ? undefined : start.args[at + 1];
    };

    it('runs nothing without asking before its row is approved, whatever the row says', async () => {
      await open(POWERFUL);
      const run = await prepare();
      assert.equal(run.isApproved, false);
      assert.equal(valueOf(run, '--permission-mode'), 'default');
      assert.equal(valueOf(run, '--allowedTools'), undefined);
      assert.equal(valueOf(run, '--model'), undefined);
      assert.ok(!run.start.args.some((arg) => arg.includes('Never ask.')));
    });

    it('runs nothing without asking if only an earlier row was approved', async () => {
      await open({ ...POWERFUL, allowed_tools: 'Read' });
      const { tasks } = await queue.read();
      await queueContext.openApprovals().approve(tasks.map(({ state }) => state));
      write(POWERFUL);
      assert.equal(valueOf(await prepare(), '--permission-mode'), 'default');
    });

    it('has the permissions of its row once that is approved', async () => {
      await open(POWERFUL);
      const { tasks } = await queue.read();
      await queueContext.openApprovals().approve(tasks.map(({ state }) => state));
      const run = await prepare();
      assert.equal(run.isApproved, true);
      assert.equal(valueOf(run, '--permission-mode'), 'dontAsk');
      assert.equal(valueOf(run, '--allowedTools'), 'Bash');
      assert.equal(valueOf(run, '--model'), 'opus');
      assert.ok(run.start.args.some((arg) => arg.includes('Never ask.')));
    });

    it('has a long prompt in its own file, beside NEXT_TASK.md of another task', async () => {
      await open({ id: 1, prompt: 'x'.repeat(200_000) }, { id: 2, prompt: 'Dance' });
      await taken(2);
      await claimNext(queueContext, queue);
      const { start } = await prepare();
      assert.match(nextTask(), /^# Next task: 2$/m);
      const [, file = ''] = /Read the whole file (.*) and do/.exec(start.args.at(-1) ?? '') ?? [];
      assert.match(readFileSync(file, 'utf8'), /^x{200000}$/m);
    });

    describe('whose working directory is a link', () => {
      const link = (): string => join(folder, 'work');
      const target = (name: string): string => join(folder, name);
      const turnTo = (name: string): void => {
        rmSync(link(), { force: true });
        mkdirSync(target(name), { recursive: true });
        symlinkSync(target(name), link());
      };
      beforeEach(async () => {
        turnTo('first');
        await open({ id: 1, prompt: 'Sing', working_dir: 'work' });
      });

      it('starts where it was claimed', async () => {
        const { claim, place } = await prepare();
        assert.deepEqual(place, { folder: target('first'), through: link() });
        assert.deepEqual(claim.place, place);
      });

      it('is claimed again in the new folder of the link', async () => {
        const first = await taken(1);
        turnTo('second');
        const { claim, place } = await prepare();
        assert.ok(claim.token > first.token);
        assert.deepEqual(
          [place.folder, claim.place?.folder, (await queue.read()).claims.length],
          [target('second'), target('second'), 1],
        );
      });

      it('does not start if the link has changed since its row was read', async () => {
        const turning = Object.create(queue, {
          claim: {
            value: async (...args: Parameters<TaskQueue['claim']>) => {
              const claimed = await queue.claim(...args);
              turnTo('second');
              return claimed;
            },
          },
        }) as TaskQueue;
        const isRefused = (error: unknown): boolean => isProblem(error, 'folder-moved');
        await assert.rejects(prepareAttempt(queueContext, turning, 1), isRefused);
        assert.deepEqual((await queue.read()).claims, []);
      });

      it('is continued where its attempt ran', async () => {
        const claim = await taken(1);
        await queue.start(claim, { pid: 4711, startedAt: 'then' }, 'start');
        await returnTask(queueContext, queue, 1, 'error');
        const sessions = join(folder, '.claude', 'projects', 'one');
        mkdirSync(sessions, { recursive: true });
        writeFileSync(join(sessions, `${claim.session}.jsonl`), '');
        turnTo('second');
        const continued = await continueSession(queueContext, queue, 1, 1);
        assert.deepEqual([continued.args[1], continued.folder], [claim.session, target('first')]);
      });
    });

    it('waits after a limit that names no reset until the reset that another attempt reported', async () => {
      await open({ id: 1, prompt: 'Sing' });
      const claim = await taken(1);
      const known = {
        kind: 'five_hour',
        resetAt: systemClock.now() + 2 * 3_600_000,
        message: 'limit',
      } as const;
      await (await queueContext.openGate()).report({ signal: known, usage: [] });
      const signal = { ...known, resetAt: null };
      const end = { outcome: 'limit', reason: 'five_hour', message: 'limit', signal } as const;
      await endAtLimit(queueContext, queue, claim, end);
      const { closures } = await (await queueContext.openGate()).view();
      const [block] = closures;
      assert.ok(block?.until);
      const { tasks } = await queue.read();
      assert.deepEqual(
        [tasks[0]?.state.dueAt, tasks[0]?.state.dueCause, tasks[0]?.state.retryCount],
        [block.until, 'limit', 0],
      );
      assert.equal((await queue.attempts({ id: 1 }))[0]?.closedSince, block.since);
    });

    it('is not claimed if it could not be prepared', async () => {
      await open(POWERFUL);
      mkdirSync(join(folder, 'claude_queue', 'state'), { recursive: true });
      writeFileSync(join(folder, 'claude_queue', 'state', 'outputs'), 'in the way');
      await assert.rejects(prepareAttempt(queueContext, queue, 1));
      assert.deepEqual((await queue.read()).claims, []);
    });
  });
});
