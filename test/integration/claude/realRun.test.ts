import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Job, Verdict } from '../../../src/domain/task/attempt';
import type { ProcessIdentity } from '../../../src/domain/task/processIdentity';
import type { Definition } from '../../../src/domain/task/task';
import { findInstallation } from '../../../src/claude/installation/installation';
import { createClaudeRunner } from '../../../src/claude/attempt/run';
import { TESTED } from '../../../src/claude/installation/versions';
import { systemClock } from '../../../src/platform/clock';
import { systemProcesses } from '../../../src/platform/processes/processes';
import { CLAUDE, createClaudeHome, type ClaudeHome } from '../../support/claude/claudeHome';
import { startMessagesApi, type MessagesApi, type Respond } from '../../support/claude/messagesApi';
import { hang, limit, signInFailure, text, throttle, tool, unknownModel } from '../../support/claude/replies';

interface Watch {
  readonly stop?: AbortSignal;
  readonly protectedPath?: string;
  started?(process: ProcessIdentity): void;
  admitted?(usage: Verdict['usage']): void;
}

describe('An attempt with the real claude', () => {
  let api: MessagesApi;
  let home: ClaudeHome;
  let respond: Respond;
  const lines: string[] = [];

  beforeEach(async () => {
    lines.length = 0;
    respond = () => text('Done.');
    api = await startMessagesApi({
      respond: (turn) => respond(turn),
      usage: { fiveHour: 0.42, sevenDay: 0.17 },
    });
    home = createClaudeHome({ apiUrl: api.url });
    mkdirSync(join(home.workspace, 'claude_queue'));
  });
  afterEach(async () => {
    await api.close();
    home.remove();
  });

  function jobOf(definition: Partial<Definition> = {}, more: Partial<Job> = {}): Job {
    return {
      definition: {
        id: 1,
        priority: 'medium',
        workingDir: home.workspace,
        prompt: 'Tidy up.',
        dependencies: [],
        maxRetries: 3,
        ...definition,
      },
      ...{ place: { folder: home.workspace }, session: randomUUID() },
      outputFile: join(home.folder, 'output.jsonl'),
      timeoutMs: 300_000,
      attemptMark: randomUUID(),
      ...more,
    };
  }

  function run(job: Job, watch: Watch = {}): Promise<Verdict> {
    const runner = createClaudeRunner({
      claude: CLAUDE,
      environment: { ...home.env, ANTHROPIC_API_KEY: 'made-up' },
      billing: 'subscription',
      permissionMode: 'acceptEdits',
      protectedPaths: [watch.protectedPath ?? join(home.workspace, 'claude_queue')],
      apiRetries: 0,
      clock: systemClock,
      processes: systemProcesses,
      timeZone: 'UTC',
      // On a busy machine it may take long to end by itself.
      graceMs: 60_000,
    });
    const events = {
      started: (process: ProcessIdentity) => Promise.resolve(watch.started?.(process)),
      admitted: (usage: Verdict['usage']) => watch.admitted?.(usage),
      line: (line: string) => void lines.push(line),
    };
    return runner.run(job, events, watch.stop ?? new AbortController().signal);
  }

  it('succeeds on the subscription, and reports usage', async () => {
    const prompt = '- Say "hi" & $(nothing) 🌍\nin two lines';
    const verdict = await run(jobOf({ prompt }));
    assert.deepEqual([verdict.outcome, verdict.turns, verdict.version], ['success', 1, TESTED.to]);
    assert.deepEqual(
      verdict.usage.map(({ window, utilization }) => [window, utilization]),
      [
        ['five_hour', 0.42],
        ['seven_day', 0.17],
      ],
    );
    const [turn] = api.turns();
    assert.deepEqual([turn?.lastUserText, turn?.auth], [prompt, 'subscription']);
    assert.ok(lines.includes('Done.'), lines.join('\n'));
  });

  it("is ended at once if the user's settings bring a key instead of the subscription", async () => {
    // Whether its first request, 50 ms later, is still sent is a matter of load.
    respond = () => hang();
    const folder = join(home.env['HOME'] ?? '', '.claude');
    mkdirSync(folder);
    writeFileSync(join(folder, 'settings.json'), JSON.stringify({ apiKeyHelper: 'echo made-up' }));
    const { reason, signal, message } = await run(jobOf());
    assert.deepEqual([reason, signal?.kind], ['other-payer', 'billing']);
    assert.match(message, /an API key \(from apiKeyHelper\).*~\/\.claude\/settings\.json/);
  });

  it('reports usage during the attempt, each time that it changed', async () => {
    const uses = [0.42, 0.42, 0.45, 0.6];
    respond = (turn) => {
      const [fiveHour = 0.6] = uses.splice(0, 1);
      api.setUsage({ fiveHour, sevenDay: 0.17 });
      return uses.length === 0 ? text('Done.') : tool('Bash', { command: `echo ${String(turn.number)}` });
    };
    const reported: (number | undefined)[] = [];
    await run(jobOf({ allowedTools: ['Bash'] }), {
      admitted: (usage) => reported.push(usage.find(({ window }) => window === 'five_hour')?.utilization),
    });
    assert.deepEqual(reported, [undefined, 0.42, 0.45, 0.6], 'first only that it was let through');
  });

  it('has tokens and cost, which do not count again when its session resumes', async () => {
    const job = jobOf();
    const first = await run(job);
    const second = await run({ ...job, resume: 'retry' });
    for (const { model, subtype, terminalReason, tokens } of [first, second]) {
      assert.deepEqual([subtype, terminalReason], ['success', 'completed']);
      assert.match(model ?? '', /^claude-/);
      assert.ok((tokens?.input ?? 0) > 0 && (tokens?.output ?? 0) > 0, JSON.stringify(tokens));
    }
    assert.ok((first.costUsd ?? 0) > 0);
    assert.deepEqual([second.costUsd, second.tokens], [first.costUsd, first.tokens]);
    assert.ok((first.apiMs ?? 0) > 0);
  });

  it('starts a new session after a crash left one that can neither start nor resume', async () => {
    const job = jobOf();
    const folder = join(
      home.env['HOME'] ?? '',
      '.claude',
      'projects',
      home.workspace.replaceAll(/[^A-Za-z0-9]/g, '-'),
    );
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${job.session}.jsonl`), '');
    const verdict = await run({ ...job, resume: 'lost' });
    assert.deepEqual([verdict.outcome, verdict.reason], ['transient', 'session-unusable']);
    assert.equal((await run({ ...job, session: randomUUID() })).outcome, 'success');
  });

  it('hits a limit, and resumes in the same session', async () => {
    let from = 0;
    respond = () => {
      from = Date.now();
      return limit({ kind: 'five_hour', resetInSeconds: 3600 });
    };
    const job = jobOf();
    const verdict = await run(job);
    assert.deepEqual([verdict.outcome, verdict.signal?.kind], ['limit', 'five_hour']);
    const aheadMs = (verdict.signal?.resetAt ?? 0) - from;
    assert.ok(aheadMs > 3_590_000 && aheadMs < 3_660_000, String(aheadMs));
    respond = () => text('Done.');
    assert.equal((await run({ ...job, resume: 'limit' })).outcome, 'success');
    const last = api.turns().at(-1);
    assert.equal(last?.session, job.session);
    assert.match(last.lastUserText, /^A usage limit.*\n\nTidy up\.$/s);
    assert.equal(last.userTexts[0]?.trim(), 'Tidy up.');
  });

  it('does not count a throttle as a limit', async () => {
    respond = () => throttle(300);
    const verdict = await run(jobOf());
    assert.deepEqual([verdict.outcome, verdict.reason], ['transient', '429']);
  });

  it('needs the user when the sign-in has expired', async () => {
    respond = () => signInFailure();
    const verdict = await run(jobOf());
    assert.deepEqual([verdict.outcome, verdict.signal?.kind], ['blocked', 'sign-in']);
  });

  it('fails permanently with an unknown model', async () => {
    respond = () => unknownModel('nobody');
    const verdict = await run(jobOf({ model: 'nobody' }));
    assert.deepEqual([verdict.outcome, verdict.reason], ['permanent', 'model_not_found']);
  });

  it('fails permanently as root with skipped permissions', async function () {
    if (process.getuid?.() !== 0) this.skip();
    const verdict = await run(jobOf({ permissionMode: 'bypassPermissions' }));
    assert.deepEqual([verdict.outcome, verdict.reason], ['permanent', 'bypass_root']);
  });

  for (const [name, folder] of [
    ['', 'claude_queue'],
    [' whose path has signs in it', 'jobs (old), é!'],
  ] as const) {
    it(`cannot write into its own queue folder${name}`, async () => {
      const queueFolder = join(home.workspace, folder);
      mkdirSync(queueFolder, { recursive: true });
      const csv = join(queueFolder, 'prompts.csv');
      const shell = `touch ${JSON.stringify(csv)}`;
      respond = ({ toolResults }) =>
        [
          tool('Write', { file_path: csv, content: 'mine' }),
          tool('Bash', { command: shell, description: 'touch' }),
          tool('Write', { file_path: join(home.workspace, 'out.txt'), content: 'ok' }),
        ][toolResults] ?? text('Done.');
      const verdict = await run(jobOf({ allowedTools: ['Bash', 'Write'] }), { protectedPath: queueFolder });
      assert.deepEqual([verdict.outcome, verdict.reason], ['review', 'denied']);
      assert.deepEqual(
        verdict.denials.map(({ tool: name, detail }) => [name, detail]),
        [
          ['Write', csv],
          ['Bash', shell],
        ],
      );
      assert.equal(existsSync(csv), false);
      assert.equal(existsSync(join(home.workspace, 'out.txt')), true);
    });
  }

  it('cannot change its own queue through a link or with shell commands', async () => {
    const csv = join(home.workspace, 'claude_queue', 'prompts.csv');
    writeFileSync(csv, 'theirs');
    symlinkSync(join(home.workspace, 'claude_queue'), join(home.workspace, 'link'));
    symlinkSync(csv, join(home.workspace, 'file'));
    const commands = [
      'echo mine >> claude_queue/prompts.csv',
      'cd claude_queue && echo mine > prompts.csv',
      'echo mine > link/prompts.csv',
      'echo mine > file',
      'echo mine | tee claude_queue/prompts.csv',
      'sed -i s/theirs/mine/ claude_queue/prompts.csv',
      'cp /etc/hostname claude_queue/prompts.csv',
      'rm -rf claude_queue',
      'mv claude_queue other',
    ];
    const calls = [
      tool('Write', { file_path: join(home.workspace, 'link', 'prompts.csv'), content: 'mine' }),
      tool('Write', { file_path: join(home.workspace, 'file'), content: 'mine' }),
      ...commands.map((command) => tool('Bash', { command, description: 'change' })),
    ];
    respond = ({ toolResults }) => calls[toolResults] ?? text('Done.');
    const verdict = await run(jobOf({ allowedTools: ['Bash', 'Write'] }));
    assert.deepEqual([readFileSync(csv, 'utf8'), verdict.denials.length], ['theirs', calls.length]);
  });

  it('cannot write into a protected file, but beside it', async () => {
    const csv = join(home.workspace, 'tasks.csv');
    respond = ({ toolResults }) =>
      [
        tool('Write', { file_path: csv, content: 'mine' }),
        tool('Write', { file_path: join(home.workspace, 'out.txt'), content: 'ok' }),
      ][toolResults] ?? text('Done.');
    const verdict = await run(jobOf(), { protectedPath: csv });
    assert.deepEqual([verdict.denials.length, verdict.denials[0]?.detail], [1, csv]);
    assert.equal(existsSync(join(home.workspace, 'out.txt')), true);
  });

  it('cannot rename a parent of the queue, write there, and rename it back', async () => {
    const queueFolder = join(home.workspace, 'project', 'claude_queue');
    mkdirSync(queueFolder, { recursive: true });
    const shell = (command: string): ReturnType<typeof tool> => tool('Bash', { command, description: 'x' });
    respond = ({ toolResults }) =>
      [
        shell('mv project other'),
        shell('mkdir -p new/project/claude_queue && touch new/project/claude_queue/prompts.csv'),
        shell('cp -r new/project .'),
        shell('touch project/mine'),
      ][toolResults] ?? text('Done.');
    const verdict = await run(jobOf(), { protectedPath: queueFolder });
    assert.deepEqual(
      verdict.denials.map(({ detail }) => detail),
      ['mv project other', 'cp -r new/project .'],
    );
    assert.deepEqual(readdirSync(join(home.workspace, 'project'), { recursive: true }).sort(), [
      'claude_queue',
      'mine',
    ]);
  });

  it('cannot write into a queue folder whose name looks like a pattern', async () => {
    const queueFolder = join(home.workspace, 'q [a-z]{b,c}*?');
    mkdirSync(queueFolder);
    const csv = join(queueFolder, 'prompts.csv');
    respond = ({ toolResults }) =>
      toolResults === 0 ? tool('Write', { file_path: csv, content: 'mine' }) : text('Done.');
    const verdict = await run(jobOf(), { protectedPath: queueFolder });
    assert.deepEqual([verdict.denials.length, verdict.denials[0]?.detail], [1, csv]);
    assert.equal(existsSync(csv), false);
  });

  it('is stopped with its worker, and resumes later', async () => {
    respond = () => hang();
    const stop = new AbortController();
    const job = jobOf();
    const running = run(job, { stop: stop.signal });
    await api.waitForTurn(() => true);
    stop.abort('stopped');
    const verdict = await running;
    assert.deepEqual([verdict.outcome, verdict.reason, verdict.exitCode], ['cancelled', 'stopped', 143]);
    respond = () => text('Done.');
    assert.equal((await run({ ...job, resume: 'stopped' })).outcome, 'success');
    assert.match(api.turns().at(-1)?.lastUserText ?? '', /stopped this task for a while/);
  });

  it('ends with the child processes of its tools when it is killed', async function () {
    if (process.platform !== 'linux') this.skip();
    const pidFile = join(home.workspace, 'pid');
    const script = join(home.workspace, 'child.sh');
    writeFileSync(script, `echo $$ > ${pidFile}; exec sleep 1000\n`);
    respond = () => tool('Bash', { command: `sh ${script}`, description: 'wait' });
    let claude: ProcessIdentity | undefined;
    const running = run(jobOf({ allowedTools: ['Bash'] }), { started: (process) => (claude = process) });
    const child = await waitForProcess(pidFile);
    assert.ok(claude);
    process.kill(claude.pid, 'SIGKILL');
    const verdict = await running;
    assert.deepEqual([verdict.outcome, verdict.reason], ['lost', 'SIGKILL']);
    assert.equal(systemProcesses.isAlive(child), false);
  });

  it('is found, with its billing', async () => {
    const environment = { ...home.env, ANTHROPIC_API_KEY: 'made-up' };
    const found = await findInstallation({ environment, claude: CLAUDE });
    assert.deepEqual(
      [found.version, found.auth.method, found.auth.loggedIn, found.billing],
      [TESTED.to, 'oauth_token', true, 'subscription'],
    );
    const withKey = { ...environment, CLAUDE_CODE_OAUTH_TOKEN: '' };
    const byKey = await findInstallation({ environment: withKey, claude: CLAUDE });
    assert.deepEqual([byKey.auth.method, byKey.billing], ['api_key', 'api-key']);
  });
});

/** The process that writes its number into a file, as soon as it has. */
async function waitForProcess(pidFile: string): Promise<ProcessIdentity> {
  for (;;) {
    const pid = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : 0;
    const found = pid > 0 ? systemProcesses.identify(pid) : null;
    if (found !== null) return found;
    await systemClock.sleep(20);
  }
}
