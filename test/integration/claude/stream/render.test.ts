import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { assert as check, property, string } from 'fast-check';
import { parseLine } from '../../../../src/claude/stream/parseLine';
import { clean, firstLine } from '../../../../src/platform/text/plainText';
import { renderMessage } from '../../../../src/claude/stream/render';

const show = (line: unknown): string[] =>
  renderMessage(parseLine(typeof line === 'string' ? line : JSON.stringify(line)));
const say = (...content: readonly unknown[]): unknown => ({ type: 'assistant', message: { content } });

function readRecording(name: string): string[] {
  const file = resolve(__dirname, '../../../fixtures/claude/recordings.jsonl');
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const recording = JSON.parse(line) as { readonly name: string; readonly stdout: string };
    if (recording.name === name) return recording.stdout.split('\n').filter(Boolean);
  }
  throw new Error(`There is no recording ${name}.`);
}

describe('The rendered output of an attempt', () => {
  it('shows what Claude says and does', () => {
    assert.deepEqual(readRecording('20-write-plan').flatMap(show), [
      'Claude Code 2.1.329, claude-opus-5-5',
      'I will write the file.',
      'Write /home/user/proj/w9.txt',
      'Refused Write: Cannot write to /home/user/proj/w9.txt while in plan mode.',
      'Done: the file was handled.',
      'Finished (2 turns, $0.0020, 0.2 s)',
    ]);
  });

  it('shows the result and the output of the row’s check', () => {
    const check = { type: 'check', command: ['npm', 'test'], result: 'failed', exitCode: 1, ms: 5 };
    assert.deepEqual(show({ ...check, output: 'one\n\u001b[31mtwo' }), [
      'The check failed: npm test (exit code 1)',
      'one',
      'two',
    ]);
    const killed = { ...check, exitCode: null, signal: 'SIGSEGV', output: '' };
    assert.deepEqual(show(killed), ['The check failed: npm test (ended by SIGSEGV)']);
    const passed = { ...check, result: 'passed', exitCode: 0, output: '' };
    assert.deepEqual(show(passed), ['The check passed: npm test']);
    assert.deepEqual(show({ ...passed, result: 'of a later program' }), []);
  });

  it('shows why it waits and why it ended', () => {
    assert.deepEqual(readRecording('10-limit5h-oauth-stream').flatMap(show), [
      'Claude Code 2.1.329, claude-sonnet-5-5',
      'Usage limit: five_hour',
      "You've hit your 5-hour limit · resets 7:49pm (UTC)",
      "Stopped by a usage limit (1 turn, $0.0000, 0.1 s): You've hit your 5-hour limit · resets 7:49pm (UTC)",
    ]);
    assert.deepEqual(
      show({
        type: 'system',
        subtype: 'api_retry',
        attempt: 2,
        retry_delay_ms: 1097,
        error_status: 529,
        error: 'overloaded',
      }),
      ['Trying again in 2 s (529, attempt 2)'],
    );
  });

  it('leaves out internal events', () => {
    assert.deepEqual(show({ type: 'user', message: {} }), []);
    assert.deepEqual(show({ type: 'rate_limit_event', rate_limit_info: { status: 'allowed' } }), []);
    assert.deepEqual(show({ type: 'of_the_future' }), []);
    assert.deepEqual(show(''), []);
  });

  it('has one line for each line of text, and one for a tool', () => {
    assert.deepEqual(
      show(
        say(
          { type: 'text', text: 'One\r\n\n\tTwo' },
          { type: 'tool_use', name: 'Bash', input: { command: 'a\nb' } },
        ),
      ),
      ['One', '  Two', 'Bash a'],
    );
  });

  it('contains no control sequences, from any source', () => {
    const attack =
      '\u001b]0;owned\u0007\u001b[2J\u001b[31mred\u009b31m\u001bP1;2q\u001b\\\u202eevil\u0008\u0000';
    for (const line of [
      say({ type: 'text', text: attack }, { type: 'tool_use', name: attack, input: { command: attack } }),
      { type: 'result', is_error: true, result: attack },
      { type: 'system', subtype: 'init', model: attack, claude_code_version: attack },
      { type: 'system', subtype: 'permission_denied', tool_name: attack, message: attack },
      attack,
    ]) {
      const shown = show(line).join('\n');
      assert.match(shown, /red/);
      assert.doesNotMatch(shown, /[^\P{Cc}\n]|\u202e|owned/u);
    }
    check(property(string({ unit: 'binary' }), (text) => assert.doesNotMatch(clean(text), /[^\P{Cc}\n]/u)));
  });

  it('shows an invisible character as its code, and a joined emoji unchanged', () => {
    const shown = show(
      say(
        { type: 'text', text: 'rm\u200b -rf\u{e0041} 👩🏽\u200d💻 👨\u200d👩\u200d👧' },
        { type: 'tool_use', name: 'Bash', input: { command: 'ls\u200b' } },
      ),
    ).join('\n');
    assert.ok(shown.includes(String.raw`rm\u200b -rf\u{e0041} 👩🏽`), shown);
    assert.ok(shown.includes('👩🏽\u200d💻 👨\u200d👩\u200d👧') && shown.includes(String.raw`ls\u200b`), shown);
  });

  it('is cut to one line if only one fits', () => {
    assert.equal(firstLine('\n \n first \n second'), 'first');
    assert.equal(firstLine('x'.repeat(500), 10), 'xxxxxxxxx…');
    assert.equal(firstLine(''), '');
  });
});
