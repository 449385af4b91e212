import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLAUDE, createClaudeHome } from '../../support/claude/claudeHome';
import type { ClaudeHome, ClaudeHomeOptions } from '../../support/claude/claudeHome';
import { startMessagesApi } from '../../support/claude/messagesApi';
import type { MessagesApi, Respond } from '../../support/claude/messagesApi';
import { start } from '../../support/machine/processes';
import type { Running } from '../../support/machine/processes';
import {
  creditTooLow,
  dropConnection,
  hang,
  limit,
  overload,
  promptTooLong,
  refusal,
  signInFailure,
  text,
  throttle,
  tool,
  unknownModel,
} from '../../support/claude/replies';

type Line = Readonly<Record<string, unknown>>;

interface Answer {
  readonly code: number | null;
  readonly lines: readonly Line[];
  readonly result: Line;
}

const FAILURES = [
  ['an overloaded API', overload(), { api_error_status: 529 }],
  ['a throttled account', throttle(), { api_error_status: 429 }],
  ['a sign-in that is no longer good', signInFailure(), { api_error_status: 401 }],
  ['an empty prepaid account', creditTooLow(), { result: 'Credit balance is too low' }],
  ['a conversation that is too long', promptTooLong(), { terminal_reason: 'prompt_too_long' }],
  ['a model that does not exist', unknownModel('nobody'), { api_error_status: 404 }],
  ['a refusal', refusal(), { stop_reason: 'refusal' }],
  ['a dropped connection', dropConnection(), { api_error: 'connection_failed' }],
  ['an answer that breaks off', dropConnection(4), { api_error: 'connection_failed' }],
] as const;

describe('The stand-in of the Messages API, asked by the real claude', () => {
  let api: MessagesApi;
  let home: ClaudeHome;

  async function prepare(respond: Respond, options: Partial<ClaudeHomeOptions> = {}): Promise<void> {
    api = await startMessagesApi({ respond, usage: { fiveHour: 0.42, sevenDay: 0.17 } });
    home = createClaudeHome({ apiUrl: api.url, ...options });
  }

  function startClaude(prompt: string, ...args: readonly string[]): Running {
    return start(CLAUDE, ['-p', '--output-format', 'stream-json', '--verbose', ...args], {
      cwd: home.workspace,
      env: home.env,
      stdin: prompt,
    });
  }

  async function ask(prompt: string, ...args: readonly string[]): Promise<Answer> {
    const { code, stdout, stderr } = await startClaude(prompt, ...args).ended;
    const lines = stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line);
    const result = lines.find((line) => line['type'] === 'result');
    assert.ok(result, `no result line; stderr: ${stderr}`);
    return { code, lines, result };
  }

  afterEach(async () => {
    await api.close();
    home.remove();
  });

  it('answers a prompt, and reports usage windows to a subscriber', async () => {
    await prepare(() => text('Good morning.'));
    const session = randomUUID();
    const { code, lines, result } = await ask('Say good morning – おはよう', '--session-id', session);
    assert.equal(code, 0);
    assert.equal(result['result'], 'Good morning.');
    assert.equal(result['is_error'], false);
    const event = lines.find((line) => line['type'] === 'rate_limit_event');
    const info = event?.['rate_limit_info'] as { status: string; unifiedWindows: Record<string, Line> };
    assert.equal(info.status, 'allowed');
    assert.equal(info.unifiedWindows['five_hour']?.['utilization'], 0.42);
    assert.equal(info.unifiedWindows['seven_day']?.['utilization'], 0.17);
    const [turn] = api.turns();
    assert.deepEqual(
      [turn?.session, turn?.number, turn?.userTexts, turn?.toolResults, turn?.auth],
      [session, 1, ['Say good morning – おはよう'], 0, 'subscription'],
    );
  });

  it('reports no usage windows to an account with an API key', async () => {
    await prepare(() => text('Hello.'), { signIn: 'api-key' });
    const { code, lines } = await ask('Hello');
    assert.equal(code, 0);
    assert.equal(api.turns()[0]?.auth, 'api-key');
    assert.deepEqual(
      lines.filter((line) => line['type'] === 'rate_limit_event'),
      [],
    );
  });

  it('lets Claude write a file if edits are accepted', async () => {
    await prepare((turn) =>
      turn.toolResults === 0
        ? tool(
            'Write',
            { file_path: join(home.workspace, 'report.md'), content: 'All is well.\n' },
            'I will write it.',
          )
        : text('The report is written.'),
    );
    const { code, result } = await ask('Write a report', '--permission-mode', 'acceptEdits');
    assert.equal(code, 0);
    assert.deepEqual([result['result'], result['num_turns']], ['The report is written.', 2]);
    assert.equal(readFileSync(join(home.workspace, 'report.md'), 'utf8'), 'All is well.\n');
  });

  it('shows which tool was refused without permission', async () => {
    await prepare((turn) =>
      turn.toolResults === 0
        ? tool('Write', { file_path: join(home.workspace, 'report.md'), content: 'All is well.\n' })
        : text('I was not allowed to.'),
    );
    const { code, result } = await ask('Write a report', '--permission-mode', 'default');
    assert.equal(code, 0);
    const denials = result['permission_denials'] as readonly Line[];
    assert.deepEqual(
      denials.map((denial) => denial['tool_name']),
      ['Write'],
    );
    assert.equal(existsSync(join(home.workspace, 'report.md')), false);
  });

  it('reaches a 5-hour limit, and resumes in the same session after it', async () => {
    const resetInSeconds = 600;
    let earliest = 0;
    await prepare((turn) => {
      if (turn.number > 1) return text('Done after all.');
      earliest = Math.floor(Date.now() / 1000) + resetInSeconds;
      return limit({ kind: 'five_hour', resetInSeconds });
    });
    const session = randomUUID();
    const stopped = await ask('Count the stars', '--session-id', session);
    assert.equal(stopped.code, 1);
    assert.deepEqual(
      [stopped.result['is_error'], stopped.result['api_error']],
      [true, 'usage_limit_reached'],
    );
    const event = stopped.lines.find((line) => line['type'] === 'rate_limit_event');
    const info = event?.['rate_limit_info'] as { status: string; rateLimitType: string; resetsAt: number };
    assert.deepEqual([info.status, info.rateLimitType], ['rejected', 'five_hour']);
    assert.ok(info.resetsAt >= earliest && info.resetsAt < earliest + 30, `resets at ${info.resetsAt}`);

    const resumed = await ask('The limit has reset. Continue.', '--resume', session);
    assert.equal(resumed.code, 0);
    assert.deepEqual([resumed.result['result'], resumed.result['session_id']], ['Done after all.', session]);
    const [, second] = api.turns();
    assert.deepEqual(
      [second?.session, second?.number, second?.userTexts.map((words) => words.trim())],
      [session, 2, ['Count the stars', 'The limit has reset. Continue.']],
    );
  });

  for (const kind of [
    'seven_day',
    'seven_day_opus',
    'seven_day_sonnet',
    'seven_day_overage_included',
  ] as const) {
    it(`names the limit ${kind}`, async () => {
      await prepare(() => limit({ kind, resetInSeconds: 90_000 }));
      const { result, lines } = await ask('Count the stars');
      const event = lines.find((line) => line['type'] === 'rate_limit_event');
      const info = event?.['rate_limit_info'] as Line;
      assert.deepEqual([info['rateLimitType'], result['api_error']], [kind, 'usage_limit_reached']);
    });
  }

  it('omits the reset if the account does not report it', async () => {
    await prepare(() => limit({ kind: 'five_hour', resetInSeconds: null }));
    const { result, lines } = await ask('Count the stars');
    assert.equal(result['api_error'], 'usage_limit_reached');
    const event = lines.find((line) => line['type'] === 'rate_limit_event');
    assert.equal((event?.['rate_limit_info'] as Line)['resetsAt'], undefined);
  });

  for (const [name, reply, expected] of FAILURES) {
    it(`fails for ${name}`, async () => {
      await prepare(() => reply);
      const { code, result } = await ask('Count the stars');
      assert.equal(code, 1);
      assert.equal(result['is_error'], true);
      for (const [field, value] of Object.entries(expected)) assert.equal(result[field], value);
    });
  }

  it('succeeds when claude tries again by itself', async () => {
    await prepare((turn) => (turn.number === 1 ? overload() : text('At last.')), { retries: 2 });
    const { code, lines, result } = await ask('Count the stars');
    assert.deepEqual([code, result['result']], [0, 'At last.']);
    assert.equal(lines.filter((line) => line['subtype'] === 'api_retry').length, 1);
  });

  it('can hang, so that claude can be stopped in the middle', async () => {
    await prepare(() => hang());
    const running = startClaude('Count the stars');
    await api.waitForTurn((turn) => turn.lastUserText === 'Count the stars');
    running.kill('SIGTERM');
    assert.equal((await running.ended).code, 143);
  });
});
