import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHookEventReader } from '../../../src/claude/interactive/hookEvents';
import { prepareInteractive } from '../../../src/claude/interactive/prepareInteractive';
import type { InteractiveJob } from '../../../src/claude/interactive/prepareInteractive';
import { describeSession, verdictOfSession } from '../../../src/claude/interactive/interactiveSession';
import type { SessionState, SessionView } from '../../../src/claude/interactive/interactiveSession';
import { PRIVATE_FILE } from '../../../src/platform/files/files';
import { systemProcesses } from '../../../src/platform/processes/processes';
import { CLAUDE, createClaudeHome } from '../../support/claude/claudeHome';
import type { ClaudeHome } from '../../support/claude/claudeHome';
import { startMessagesApi } from '../../support/claude/messagesApi';
import type { MessagesApi, Respond } from '../../support/claude/messagesApi';
import { listProcesses } from '../../support/machine/processTable';
import { limit, signInFailure, text, throttle, tool } from '../../support/claude/replies';
import { openTerminal } from '../../support/machine/terminal';
import type { Terminal } from '../../support/machine/terminal';
import { until } from '../../support/until';

const PROMPT = '--help\n$(id) \'and\' "quotes"';
const HOUR_S = 3_600;

describe('The real claude in a terminal', () => {
  let api: MessagesApi;
  let home: ClaudeHome;
  let respond: Respond;
  let job: InteractiveJob;
  const terminals: Terminal[] = [];

  beforeEach(async () => {
    respond = () => text('Done.');
    api = await startMessagesApi({ respond: (turn) => respond(turn) });
    home = createClaudeHome({ apiUrl: api.url, interactive: true });
    mkdirSync(join(home.workspace, 'claude_queue'));
    job = {
      definition: {
        id: 1,
        priority: 'medium',
        workingDir: home.workspace,
        prompt: PROMPT,
        dependencies: [],
        maxRetries: 3,
        // Claude asks for everything that the user did not allow.
        permissionMode: 'default',
      },
      place: { folder: home.workspace },
      session: randomUUID(),
      attemptMark: randomUUID(),
    };
  });
  afterEach(async () => {
    for (const terminal of terminals.splice(0)) terminal.close();
    await api.close();
    await ended();
    home.remove();
  });

  const ended = () =>
    until('claude has ended', () => listProcesses(`CLAUDE_QUEUE_RUN=${job.attemptMark}`).length === 0);

  const clock = () => ({ now: Date.now(), timeZone: 'UTC' });

  async function open() {
    const eventsFile = join(home.folder, `${randomUUID()}.events.jsonl`);
    writeFileSync(eventsFile, '', { mode: PRIVATE_FILE });
    const start = await prepareInteractive(job, {
      environment: home.env,
      billing: 'subscription',
      permissionMode: 'acceptEdits',
      protectedPaths: [join(home.workspace, 'claude_queue')],
      processes: systemProcesses,
      eventsFile,
      taskFile: join(home.workspace, 'claude_queue', 'NEXT_TASK.md'),
    });
    const merged = Object.entries({ ...home.env, ...start.env });
    const env = Object.fromEntries(
      merged.flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
    );
    const terminal = openTerminal(CLAUDE, start.args, { cwd: home.workspace, env });
    terminals.push(terminal);
    const events = createHookEventReader(eventsFile);
    const waitFor = (state: SessionState): Promise<SessionView> =>
      until(`the session is ${state}`, async () => {
        const view = await describeSession(await events.read(), clock());
        return view.state === state ? view : null;
      });
    const judge = async (exitCode: number | null) =>
      verdictOfSession(await events.read(), { exitCode }, clock());
    return { terminal, waitFor, judge };
  }

  it('gets the prompt unchanged, reports the end of its turn, and leaves the verdict to the user', async () => {
    const { terminal, waitFor, judge } = await open();
    await waitFor('idle');
    assert.equal(api.turns()[0]?.lastUserText, PROMPT);
    assert.equal(api.turns()[0]?.session, job.session);
    // Ctrl-D twice is how the user leaves.
    terminal.type('\u0004\u0004');
    assert.equal(await terminal.ended, 0);
    await waitFor('ended');
    assert.equal(await judge(0), null);
  });

  for (const { named, settings } of [
    { named: 'apiKeyHelper', settings: { apiKeyHelper: 'touch asked; echo made-up' } },
    { named: 'a key', settings: { env: { ANTHROPIC_API_KEY: 'made-up' } } },
    { named: 'a cloud provider', settings: { env: { CLAUDE_CODE_USE_BEDROCK: '1' } } },
  ]) {
    it(`is billed to the subscription if the settings of a trusted folder name ${named}`, async () => {
      mkdirSync(join(home.workspace, '.claude'));
      writeFileSync(join(home.workspace, '.claude', 'settings.json'), JSON.stringify(settings));
      const { waitFor } = await open();
      await waitFor('idle');
      assert.deepEqual([...new Set(api.turns().map(({ auth }) => auth))], ['subscription']);
      assert.equal(existsSync(join(home.workspace, 'asked')), false);
    });
  }

  it('resumes the session of the task after it was closed', async () => {
    const first = await open();
    await first.waitFor('idle');
    first.terminal.close();
    await first.waitFor('ended');
    await ended();
    job = { ...job, resume: 'stopped' };
    const second = await open();
    await second.waitFor('idle');
    const turn = api.turns().at(-1);
    assert.equal(turn?.session, job.session);
    assert.equal(turn.userTexts[0], PROMPT);
    assert.match(turn.lastUserText, /^The user stopped this task[^]+--help\n\$\(id\)/);
  });

  it('reports a limit with its reset, and is returned when its terminal closes', async () => {
    let asked = 0;
    respond = () => {
      asked = Date.now();
      return limit({ kind: 'five_hour', resetInSeconds: HOUR_S });
    };
    const { terminal, waitFor, judge } = await open();
    const { resetAt, signal, sentence } = await waitFor('limit');
    assert.ok(Math.abs((resetAt ?? 0) - asked - HOUR_S * 1_000) < 90_000, String(resetAt));
    assert.equal(signal?.kind, 'five_hour');
    assert.match(sentence, /^You've hit your 5-hour limit/);
    terminal.close();
    await waitFor('ended');
    const verdict = await judge(null);
    assert.equal(verdict?.outcome, 'limit');
    assert.equal(verdict.signal?.kind, 'five_hour');
    // Exact to the second, which only the transcript has.
    assert.ok(Math.abs((verdict.signal.resetAt ?? 0) - asked - HOUR_S * 1_000) < 15_000);
  });

  it('does not report a throttle as a limit', async () => {
    respond = () => throttle(120);
    const { terminal, waitFor, judge } = await open();
    const { sentence, signal } = await waitFor('failed');
    assert.match(sentence, /temporarily limiting requests/);
    assert.equal(signal, undefined);
    terminal.close();
    await waitFor('ended');
    assert.equal(await judge(null), null);
  });

  it('reports an expired sign-in', async () => {
    respond = () => signInFailure();
    const { waitFor } = await open();
    assert.match((await waitFor('failed')).sentence, /\/login/);
  });

  it('reports a question, and its answer', async () => {
    respond = ({ toolResults }) =>
      toolResults === 0 ? tool('Bash', { command: 'python3 -c 1' }) : text('Ran.', 100);
    const { terminal, waitFor } = await open();
    assert.match((await waitFor('asks')).sentence, /permission/);
    terminal.type('1');
    await waitFor('working');
    await waitFor('idle');
  });
});
