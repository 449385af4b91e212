import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createHookEventReader } from '../../../../src/claude/interactive/hookEvents';
import { describeSession, verdictOfSession } from '../../../../src/claude/interactive/interactiveSession';
import type { SessionView } from '../../../../src/claude/interactive/interactiveSession';

const FIXTURES = resolve(__dirname, '../../../fixtures/claude');
const TRANSCRIPT = join(FIXTURES, 'interactive.transcript.jsonl');
/** Recorded from Claude Code 2.1.329 in a terminal: a question, its answer, and a limit in the second turn. */
const RECORDED = readFileSync(join(FIXTURES, 'interactive.events.jsonl'), 'utf8')
  .replaceAll(/"transcript_path":"[^"]*"/g, `"transcript_path":${JSON.stringify(TRANSCRIPT)}`)
  .trimEnd()
  .split('\n');

const MET_AT = Date.parse('2026-11-21T00:06:36.840Z');
const RESET_AT = 1795226796 * 1_000;
const MINUTE_MS = 60_000;

describe('The state of an interactive session', () => {
  let file: string;
  beforeEach(() => {
    file = join(mkdtempSync(join(tmpdir(), 'events-')), 'events.jsonl');
  });
  afterEach(() => rmSync(resolve(file, '..'), { recursive: true }));

  const keep = (lines: readonly (string | object)[]): void =>
    writeFileSync(
      file,
      lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
    );
  const read = () => createHookEventReader(file).read();

  async function view(lines: readonly (string | object)[], now = MET_AT): Promise<SessionView> {
    keep(lines);
    return describeSession(await read(), { now, timeZone: 'UTC' });
  }

  async function judge(lines: readonly (string | object)[], now = MET_AT) {
    keep(lines);
    return verdictOfSession(await read(), { exitCode: 129 }, { now, timeZone: 'UTC' });
  }

  const event = (name: string, more: object = {}): object => ({ hook_event_name: name, ...more });
  const failure = (text: string, error = 'rate_limit'): object =>
    event('StopFailure', { error, last_assistant_message: text, transcript_path: join(file, 'gone') });

  it('follows its events', async () => {
    const states = [];
    for (let count = 0; count <= RECORDED.length; count += 1) {
      states.push((await view(RECORDED.slice(0, count))).state);
    }
    assert.deepEqual(states, [
      'working',
      'working',
      'working',
      'asks',
      'working',
      'idle',
      'working',
      'limit',
      'ended',
    ]);
  });

  it('is a possible question before the first event', async () => {
    assert.match((await view([])).sentence, /starting; if it asks something first, answer in the terminal/);
  });

  it('has the reset of a limit to the second, and the data for the gate', async () => {
    const { resetAt, signal, sentence } = await view(RECORDED.slice(0, -1));
    assert.equal(resetAt, RESET_AT);
    assert.deepEqual(signal, {
      kind: 'five_hour',
      resetAt: RESET_AT,
      message: "You've hit your 5-hour limit · resets 2:06am (UTC)",
    });
    assert.match(sentence, /^You've hit your 5-hour limit .*\.$/);
  });

  it('has the reset from the text if the transcript lacks it', async () => {
    const { state, resetAt } = await view([failure("You've hit your 5-hour limit · resets 2:06am (UTC)")]);
    assert.equal(state, 'limit');
    assert.equal(resetAt, RESET_AT - (RESET_AT % MINUTE_MS));
  });

  it('does not use the record of an earlier failure', async () => {
    const words = "You've hit your weekly limit · resets Nov 23, 8am (UTC)";
    const { signal } = await view([
      event('StopFailure', {
        error: 'rate_limit',
        last_assistant_message: words,
        transcript_path: TRANSCRIPT,
      }),
    ]);
    assert.equal(signal?.kind, 'seven_day');
    assert.equal(signal.resetAt, Date.parse('2026-11-23T08:00Z'));
  });

  it('closes no gate for a past limit', async () => {
    const later = RESET_AT + 3 * MINUTE_MS;
    const { state, signal, sentence } = await view(RECORDED.slice(0, -1), later);
    assert.deepEqual([state, signal], ['idle', undefined]);
    assert.match(sentence, /limit has reset/);
    const verdict = await judge(RECORDED, later);
    assert.deepEqual([verdict?.outcome, verdict?.signal], ['limit', undefined]);
  });

  it('returns a task that a limit stopped before its terminal was closed', async () => {
    assert.deepEqual(await judge(RECORDED), {
      outcome: 'limit',
      reason: 'five_hour',
      message: "You've hit your 5-hour limit · resets 2:06am (UTC)",
      signal: {
        kind: 'five_hour',
        resetAt: RESET_AT,
        message: "You've hit your 5-hour limit · resets 2:06am (UTC)",
      },
      denials: [],
      usage: [],
      exitCode: 129,
    });
  });

  it('leaves any other end to the user', async () => {
    const throttle = 'API Error: Server is temporarily limiting requests (not your usage limit)';
    assert.equal(await judge([]), null);
    assert.equal(await judge(RECORDED.slice(0, 5)), null);
    assert.equal(await judge([failure(throttle), event('SessionEnd', { reason: 'other' })]), null);
    assert.equal(await judge([failure('Please run /login', 'authentication_failed')]), null);
    // Continued after the limit.
    assert.equal(
      await judge([...RECORDED.slice(0, 7), event('UserPromptSubmit'), event('SessionEnd')]),
      null,
    );
  });

  it('distinguishes a throttle from a limit', async () => {
    const { state, signal, sentence } = await view([
      failure('API Error: Server is temporarily limiting requests (not your usage limit) · Wait.'),
    ]);
    assert.deepEqual([state, signal], ['failed', undefined]);
    assert.match(sentence, /^Claude Code could not continue: API Error/);
  });

  it('shows no secret of an error message', async () => {
    const { sentence } = await view([failure('API Error: bad key sk-ant-made-up-0123456789', 'unknown')]);
    assert.match(sentence, /bad key \[redacted Anthropic key\]/);
  });

  it('ends a limit when Claude Code continues by itself', async () => {
    const resumed = event('Notification', { notification_type: 'quota_auto_resume_fired' });
    assert.equal((await view([...RECORDED.slice(0, 7), resumed])).state, 'working');
    const reminder = event('Notification', { notification_type: 'idle_prompt' });
    assert.equal((await view([...RECORDED.slice(0, 7), reminder])).state, 'limit');
  });

  it('is running while a background task runs, until Claude waits for it', async () => {
    const stop = event('Stop', { background_tasks: [{ id: 'b' }] });
    assert.equal((await view([stop])).state, 'working');
    const reminder = event('Notification', { notification_type: 'idle_prompt' });
    assert.equal((await view([stop, reminder])).state, 'idle');
  });

  it('continues with another conversation in the same terminal', async () => {
    const cleared = [
      event('SessionStart', { source: 'startup' }),
      event('UserPromptSubmit'),
      event('SessionEnd', { reason: 'clear' }),
      event('SessionStart', { source: 'clear' }),
    ];
    assert.equal((await view(cleared)).state, 'idle');
    assert.equal((await view([...cleared, event('UserPromptSubmit')])).state, 'working');
    const compacted = [event('UserPromptSubmit'), event('SessionStart', { source: 'compact' })];
    assert.equal((await view(compacted)).state, 'working');
  });

  it('starts over in another terminal after the first one was closed', async () => {
    const again = [...RECORDED, event('SessionStart', { source: 'resume' })];
    assert.match((await view(again)).sentence, /is starting/);
    assert.equal(await judge(again), null);
  });

  it('waits for the rest of a torn line, and skips a damaged one', async () => {
    const reader = createHookEventReader(file);
    assert.deepEqual(await reader.read(), []);
    writeFileSync(file, '{"hook_event_name":"UserPro');
    assert.deepEqual(await reader.read(), []);
    appendFileSync(file, 'mptSubmit"}\n{"hook_event_name":"Sto{"a\n{"hook_event_name":"New"}\n');
    assert.deepEqual(await reader.read(), [{ name: 'UserPromptSubmit' }]);
    appendFileSync(file, '{"hook_event_name":"PostToolUse"}\n');
    const both = await Promise.all([reader.read(), reader.read()]);
    assert.deepEqual(both[1], [{ name: 'UserPromptSubmit' }, { name: 'PostToolUse' }]);
  });
});
