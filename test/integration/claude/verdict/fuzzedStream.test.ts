import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as fc from 'fast-check';
import type { Verdict } from '../../../../src/domain/task/attempt';
import { classify } from '../../../../src/claude/verdict/classify';
import { createStreamReader } from '../../../../src/claude/stream/stream';
import { fuzzed } from '../../../support/fuzz';
import { failed, INIT, judge, limitEvent, NOW, result } from '../../../support/claude/judgeRun';
import type { Line } from '../../../support/claude/judgeRun';

const recorded = readFileSync(resolve(__dirname, '../../../fixtures/claude/recordings.jsonl'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .flatMap((line) => (JSON.parse(line) as { stdout: string }).stdout.split('\n'))
  .filter((line) => line !== '');

const whole = fc.constantFrom(...recorded);
const cut = fc
  .tuple(whole, fc.nat(), fc.nat())
  .map(([line, from, to]) => line.slice(...[from % line.length, to % line.length].sort((a, b) => a - b)));
const strange = fc.oneof(
  fc.string(),
  fc.json(),
  fc.jsonValue().map((value) => JSON.stringify({ type: 'result', subtype: 'success', is_error: value })),
  fc.jsonValue().map((value) => JSON.stringify({ type: 'assistant', message: value, error: value })),
  fc.jsonValue().map((value) => JSON.stringify({ type: 'rate_limit_event', rate_limit_info: value })),
  fc.constant('x'.repeat(300_000)),
);
const stream = fc.array(fc.oneof({ weight: 4, arbitrary: whole }, cut, strange), { maxLength: 12 });
const exit = fc.constantFrom<{ exitCode: number | null; signal: string | null }>(
  ...[0, 1, 2, 7, 129, 130, 137, 143].map((exitCode) => ({ exitCode, signal: null })),
  { exitCode: null, signal: 'SIGKILL' },
  { exitCode: null, signal: 'SIGSEGV' },
);

describe('Any output of an attempt', () => {
  it('gets a verdict in one line, and is a success only with a success result and exit code 0', () => {
    fc.assert(
      fc.property(stream, exit, (lines, end) => {
        const reader = createStreamReader();
        for (const line of lines) reader.push(line);
        const verdict = classify({ ...end, stream: reader.facts(), stderr: '', now: NOW, timeZone: 'UTC' });
        assert.match(verdict.message, /^\S[^\n]*$/);
        assert.notEqual(verdict.reason, '');
        assert.equal(
          verdict.signal === undefined || !['limit', 'blocked', 'transient'].includes(verdict.outcome),
          verdict.signal === undefined,
        );
        if (verdict.outcome !== 'success') return;
        assert.equal(end.exitCode, 0);
        assert.ok(lines.some(isSuccess), lines.join('\n'));
      }),
      fuzzed(300, 5_000),
    );
  });
});

function isSuccess(line: string): boolean {
  return /"subtype":\s*"success"/.test(line) && /"is_error":\s*false/.test(line);
}

/** Words of failures, as Claude, a tool, a file or a hook may quote them. */
const QUOTES = [
  "You've hit your 5-hour limit · resets 9pm (UTC)",
  'Claude AI usage limit reached|1795212000',
  'Not logged in · Please run /login',
  'API Error: 529 {"type":"error","error":{"type":"overloaded_error"}}',
  'Credit balance is too low',
  'API Error: Connection refused (ECONNREFUSED)',
  'Prompt is too long',
  'Error: Reached max turns (3)',
  'No conversation found with session ID: 1',
];

/** A line in which `words` are where anybody may have put them. */
type Talk = (words: string) => Line;
const spoken = fc.constantFrom<Talk>(
  (words) => ({ type: 'assistant', message: { content: [{ type: 'text', text: words }] } }),
  (words) => ({
    type: 'assistant',
    message: { content: [{ type: 'tool_use', name: 'Bash', input: { command: words } }] },
  }),
  (words) => ({
    type: 'user',
    message: { content: [{ type: 'tool_result', is_error: true, content: words }] },
  }),
  (words) => ({ type: 'user', tool_use_result: { stderr: words } }),
  (words) => ({ type: 'system', subtype: 'hook_response', stdout: words, stderr: words, exit_code: 1 }),
  (words) => ({ type: 'stream_event', event: { delta: { text: words } } }),
  (words) => ({ type: 'of_the_future', result: words, error: words, errors: [words] }),
  (words) => words,
);
/** The same line, or the rest of it where it was cut off at one end. */
const talk = fc
  .tuple(spoken, fc.constantFrom('whole', 'head', 'tail'))
  .map<Talk>(([line, part]) => (words) => {
    const text = JSON.stringify(line(words));
    if (part === 'whole') return line(words);
    return part === 'head' ? text.slice(0, -3) : text.slice(3);
  });
const facts = fc.constantFrom<Line>(
  limitEvent({ status: 'allowed', rateLimitType: 'five_hour', resetsAt: NOW / 1000 + 60 }),
  { type: 'system', subtype: 'api_retry', attempt: 1, error_status: 529, error: 'overloaded' },
);
const last = fc.constantFrom<Talk | null>(
  (words) => result({ result: words }),
  (words) => result({ result: words, stop_reason: 'tool_use' }),
  () => failed('Something new.'),
  () => failed('API Error: 500', { api_error_status: 500 }),
  () => result({ subtype: 'error_during_execution', is_error: true, result: undefined }),
  null,
);

describe('A text of Claude, a tool or a hook', () => {
  it('never decides the outcome', () => {
    const body = fc.array(
      fc.oneof(
        talk,
        facts.map<Talk>((line) => () => line),
      ),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(
        body,
        last,
        fc.constantFrom(0, 1),
        fc.constantFrom(...QUOTES),
        (lines, end, exitCode, quote) => {
          const run = (words: string): Verdict =>
            judge([INIT, ...lines.map((line) => line(words)), ...(end === null ? [] : [end(words)])], {
              exitCode,
            });
          const { outcome, reason, signal } = run('All is well.');
          const other = run(quote);
          assert.deepEqual([other.outcome, other.reason, other.signal], [outcome, reason, signal]);
        },
      ),
      fuzzed(500, 5_000),
    );
  });
});
