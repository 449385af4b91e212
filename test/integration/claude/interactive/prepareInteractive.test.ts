import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Attempt } from '../../../../src/domain/task/attempt';
import type { Definition } from '../../../../src/domain/task/task';
import { isProblem } from '../../../../src/domain/problem';
import { createHookEventReader } from '../../../../src/claude/interactive/hookEvents';
import { HOOK_SETTINGS } from '../../../../src/claude/interactive/hooks';
import { prepareInteractive } from '../../../../src/claude/interactive/prepareInteractive';
import type { InteractiveJob, InteractiveStart } from '../../../../src/claude/interactive/prepareInteractive';
import { systemProcesses } from '../../../../src/platform/processes/processes';

const SESSION = 'b305b02c-5deb-4f87-83d9-5b88b4856a21';
const KIB_128 = 128 * 1024;

interface Settings {
  readonly hooks: Readonly<
    Record<string, readonly { readonly hooks: readonly { readonly command: string }[] }[]>
  >;
}

interface Payers {
  readonly apiKeyHelper: string;
  readonly env: Readonly<Record<string, string>>;
}

describe('An interactive session', () => {
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'interactive-')));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function prepare(
    definition: Partial<Definition>,
    more: Partial<Pick<InteractiveJob, 'resume' | 'handOver' | 'last'>> & {
      readonly own?: NodeJS.ProcessEnv;
    } = {},
  ): Promise<InteractiveStart> {
    const row = { id: 1, priority: 'medium', workingDir: '/p', dependencies: [], maxRetries: 3 } as const;
    const { own, ...cause } = more;
    const job = {
      definition: { ...row, prompt: 'Tidy up.', ...definition },
      place: { folder: row.workingDir },
      session: SESSION,
      attemptMark: 'mark',
      ...cause,
    };
    return prepareInteractive(job, {
      environment: { HOME: folder, ...own },
      billing: 'subscription',
      permissionMode: 'auto',
      protectedPaths: ['/p/claude_queue'],
      processes: systemProcesses,
      eventsFile: '/p/claude_queue/state/outputs/events',
      taskFile: '/p/claude_queue/NEXT_TASK.md',
    });
  }

  function keepTranscript(): void {
    const project = join(folder, '.claude', 'projects', '-p');
    mkdirSync(project, { recursive: true });
    writeFileSync(join(project, `${SESSION}.jsonl`), '{}\n');
  }

  it('does not start while its session is open in another terminal', async () => {
    const sessions = join(folder, '.claude', 'sessions');
    mkdirSync(sessions, { recursive: true });
    const { pid } = process;
    writeFileSync(join(sessions, `${pid}.json`), JSON.stringify({ pid, sessionId: SESSION }));
    await assert.rejects(
      prepare({}),
      (error) => isProblem(error, 'already-running') && /process \d+\)\. Continue there/.test(error.message),
    );
  });

  it('is not resumed if it lacks the last attempt, which ran on another machine', async () => {
    keepTranscript();
    const last = { session: SESSION, machine: 'mars/4f', startedAt: Date.now() + 60_000 } as Attempt;
    await assert.rejects(
      prepare({}, { last }),
      (error) =>
        isProblem(error, 'conflict') && /^The session of task 1 here .* ran on mars\./.test(error.message),
    );
    assert.ok((await prepare({}, { last: { ...last, startedAt: 0 } })).args.includes('--resume'));
  });

  it('starts with its rules, its hooks and the prompt as one argument', async () => {
    const { args, needsTaskFile } = await prepare({ model: 'opus', maxTurns: 3, maxBudgetUsd: 2 });
    const settings = args[args.indexOf('--settings') + 1] ?? '';
    assert.deepEqual(args, [
      ...['--session-id', SESSION],
      ...['--permission-mode', 'auto'],
      ...['--disallowedTools', 'Edit(//p/claude_queue),Edit(//p/claude_queue/**)'],
      ...['--model', 'opus'],
      ...['--settings', settings],
      ...['--', 'Tidy up.'],
    ]);
    assert.deepEqual((JSON.parse(settings) as Settings).hooks, HOOK_SETTINGS.hooks);
    assert.equal(needsTaskFile, false);
  });

  it('lets no settings of the folder have anything pay instead of the subscription', async () => {
    const { args } = await prepare({});
    const settings = JSON.parse(args[args.indexOf('--settings') + 1] ?? '') as Payers;
    assert.equal(settings.apiKeyHelper, '');
    for (const name of ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_USE_BEDROCK'])
      assert.equal(settings.env[name], '', name);
  });

  it('passes a prompt that looks like a flag as a prompt', async () => {
    const { args } = await prepare({ prompt: '--dangerously-skip-permissions\n$(id)' });
    assert.deepEqual(args.slice(-2), ['--', '--dangerously-skip-permissions\n$(id)']);
  });

  it('resumes its own session with whole sentences', async () => {
    keepTranscript();
    const { args } = await prepare({}, { resume: 'limit' });
    assert.deepEqual(args.slice(0, 2), ['--resume', SESSION]);
    assert.match(args.at(-1) ?? '', /^A usage limit interrupted this task[^]+in full:\n\nTidy up\.$/);
  });

  it('reads a prompt from its file if it is too long for an argument', async () => {
    const longest = await prepare({ prompt: 'é'.repeat(KIB_128 / 2 - 1) });
    assert.equal(longest.needsTaskFile, false);
    for (const prompt of ['é'.repeat(KIB_128 / 2), 'a\0b']) {
      const { args, needsTaskFile } = await prepare({ prompt });
      assert.equal(needsTaskFile, true);
      assert.equal(args.at(-1), 'Read the whole file /p/claude_queue/NEXT_TASK.md and do the task in it.');
    }
  });

  it('starts with a summary if its session replaces one that is too large', async () => {
    const { args } = await prepare({}, { resume: 'stopped', handOver: 'another' });
    assert.deepEqual(args.slice(0, 2), ['--session-id', SESSION]);
    assert.match(args.at(-1) ?? '', /^An earlier session of Claude Code .*in full:\n\nTidy up\.$/s);
  });

  it('counts the sentences of a resumed session too', async () => {
    keepTranscript();
    const { args, needsTaskFile } = await prepare({ prompt: 'x'.repeat(KIB_128 - 10) }, { resume: 'lost' });
    assert.equal(needsTaskFile, true);
    assert.match(
      args.at(-1) ?? '',
      /^The machine or the program[^]+Read the whole file \/p\/claude_queue\/NEXT_TASK\.md/,
    );
  });

  it('removes variables from its terminal that change its meaning or its billing', async () => {
    const { env } = await prepare({}, { own: { VSCODE_PID: '1', PATH: '/bin' } });
    assert.deepEqual(env, {
      CLAUDECODE: null,
      CLAUDE_CODE_CHILD_SESSION: null,
      CLAUDE_CODE_ENTRYPOINT: null,
      ELECTRON_RUN_AS_NODE: null,
      CLAUDE_CODE_RETRY_WATCHDOG: null,
      VSCODE_PID: null,
      ANTHROPIC_API_KEY: null,
      ANTHROPIC_AUTH_TOKEN: null,
      CLAUDE_CODE_USE_BEDROCK: null,
      CLAUDE_CODE_USE_VERTEX: null,
      CLAUDE_CODE_USE_FOUNDRY: null,
      CLAUDE_CODE_USE_MANTLE: null,
      CLAUDE_CODE_USE_ANTHROPIC_AWS: null,
      CLAUDE_CODE_USE_ANTHROPIC_GOOGLE_CLOUD: null,
      CLAUDE_QUEUE_CALLBACK_SECRET: null,
      CLAUDE_QUEUE_CALLBACK_URL: null,
      CLAUDE_QUEUE_EVENTS: '/p/claude_queue/state/outputs/events',
      CLAUDE_QUEUE_REDIS_PASSWORD: null,
      CLAUDE_QUEUE_REDIS_PASSWORD_FILE: null,
      CLAUDE_QUEUE_RUN: 'mark',
    });
  });

  describe('with its hooks', () => {
    const { hooks } = HOOK_SETTINGS as Settings;
    const commandOf = (event: string): string => hooks[event]?.[0]?.hooks[0]?.command ?? '';

    function call(event: string, input: string, file: string) {
      const env = { PATH: process.env['PATH'] ?? '', CLAUDE_QUEUE_EVENTS: file };
      const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', commandOf(event)], {
        input,
        env,
        encoding: 'utf8',
      });
      return { status, said: stdout + stderr };
    }

    it('stores session events, one line each, readable by the user alone', async () => {
      const recorded = resolve(__dirname, '../../../fixtures/claude/interactive.events.jsonl');
      const file = join(folder, `events ' "$(id)`);
      for (const line of readFileSync(recorded, 'utf8').trimEnd().split('\n')) {
        const { hook_event_name: event } = JSON.parse(line) as { readonly hook_event_name: string };
        assert.deepEqual(call(event, `${line}\n`, file), { status: 0, said: '' });
      }
      const [kept, reported] = [createHookEventReader(file), createHookEventReader(recorded)];
      assert.deepEqual(await kept.read(), await reported.read());
      assert.equal(statSync(file).mode & 0o777, 0o600);
    });

    it('stores the text of an event unchanged, and nothing that only looks like one', async () => {
      const file = join(folder, 'events');
      const message = `%s \\ \n "message":"no" \u001b ${'é'.repeat(1e5)}\\`;
      const event = { session_id: '"notification_type":"no"', message, notification_type: 'idle_prompt' };
      assert.deepEqual(call('Notification', JSON.stringify(event), file), { status: 0, said: '' });
      assert.deepEqual(call('Notification', JSON.stringify(event, null, 2), file), { status: 0, said: '' });
      const read = { name: 'Notification', kind: 'idle_prompt', message };
      assert.deepEqual(await createHookEventReader(file).read(), [read, read]);
    });

    it('stores no prompts, answers and tool inputs', async () => {
      const file = join(folder, 'events');
      const said = { prompt: 'secret', tool_input: 'secret', last_assistant_message: 'secret' };
      for (const event of ['UserPromptSubmit', 'PostToolUse', 'PostToolUseFailure'])
        call(event, JSON.stringify(said), file);
      for (const tasks of [[], [{ command: 'secret' }, {}]])
        call('Stop', JSON.stringify({ ...said, background_tasks: tasks, session_crons: [] }), file);
      assert.doesNotMatch(readFileSync(file, 'utf8'), /secret/);
      assert.deepEqual(await createHookEventReader(file).read(), [
        { name: 'UserPromptSubmit' },
        { name: 'PostToolUse' },
        { name: 'PostToolUse' },
        { name: 'Stop', inBackground: 0 },
        { name: 'Stop', inBackground: 1 },
      ]);
    });

    it('never delays Claude if events cannot be stored', () => {
      for (const event of Object.keys(hooks)) {
        const { status, said } = call(event, '{}', join(folder, 'gone', 'events'));
        assert.deepEqual([event, status, said], [event, 0, '']);
      }
    });
  });
});
