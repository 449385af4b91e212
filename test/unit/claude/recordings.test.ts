import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { classify } from '../../../src/claude/classify';
import { createStreamReader } from '../../../src/claude/stream';

interface Recording {
  readonly name: string;
  readonly nowIso: string;
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

const FOLDER = resolve(__dirname, '../../fixtures/claude');
const MINUTE_MS = 60_000;

const readLines = (name: string): string[] =>
  readFileSync(resolve(FOLDER, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

const recordings = readLines('recordings.jsonl').map((line) => JSON.parse(line) as Recording);
const expectations = new Map(
  readLines('verdicts.txt').map((line) => {
    const [name = '', ...rest] = line.split(' | ');
    return [name, rest] as const;
  }),
);

describe('What a recorded run of Claude Code means', () => {
  it('has an expectation for every recording', () => {
    assert.deepEqual(
      recordings.map(({ name }) => name),
      [...expectations.keys()],
    );
    assert.ok(recordings.length > 200);
  });

  for (const { name, nowIso, exitCode, stdout, stderr } of recordings) {
    it(name, () => {
      const reader = createStreamReader();
      for (const line of stdout.split('\n')) if (line !== '') reader.push(line);
      const verdict = classify({
        exitCode,
        signal: null,
        delivered: true,
        stream: reader.facts(),
        stderr,
        now: Date.parse(nowIso),
        timeZone: 'UTC',
      });
      const [outcome, reason, kind, model, reset = ''] = expectations.get(name) ?? [];
      const { signal } = verdict;
      assert.deepEqual(
        [verdict.outcome, verdict.reason, signal?.kind ?? '-', signal?.model ?? '-'],
        [outcome, reason, kind, model],
        verdict.message,
      );
      if (reset === '-') assert.equal(signal?.resetAt ?? null, null);
      else
        assert.ok(Math.abs((signal?.resetAt ?? 0) - Date.parse(reset)) < MINUTE_MS, String(signal?.resetAt));
      assert.match(verdict.message, /^\S[^\n]+$/);
    });
  }
});
