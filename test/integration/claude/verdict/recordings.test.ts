import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Verdict } from '../../../../src/domain/task/attempt';
import { classify } from '../../../../src/claude/verdict/classify';
import { createStreamReader } from '../../../../src/claude/stream/stream';

interface Recording {
  readonly name: string;
  readonly nowIso: string;
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

const FOLDER = resolve(__dirname, '../../../fixtures/claude');
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

describe('The recordings of Claude Code', () => {
  it('all have an expected verdict', () => {
    assert.deepEqual(
      recordings.map(({ name }) => name),
      [...expectations.keys()],
    );
    assert.ok(recordings.length > 200);
  });

  for (const recording of recordings) {
    it(recording.name, () => {
      const verdict = judge(recording);
      const [outcome, reason, kind, model, reset = '', refused] = expectations.get(recording.name) ?? [];
      const found = describeGate(verdict);
      assert.deepEqual(
        [verdict.outcome, verdict.reason, found.kind, found.model],
        [outcome, reason, kind, model],
        verdict.message,
      );
      if (reset === '-') assert.equal(found.resetAt, null);
      else assert.ok(Math.abs((found.resetAt ?? 0) - Date.parse(reset)) < MINUTE_MS, String(found.resetAt));
      const tools = verdict.denials.map(({ tool }) => tool).join(',');
      if (refused !== undefined) assert.equal(tools, refused === '-' ? '' : refused);
      assert.match(verdict.message, /^\S[^\n]+$/);
    });
  }
});

function judge({ exitCode, stdout, stderr, nowIso }: Recording): Verdict {
  const reader = createStreamReader();
  for (const line of stdout.split('\n')) if (line !== '') reader.push(line);
  const ended = { exitCode, signal: null };
  const reported = { stream: reader.facts(), stderr };
  return classify({ ...ended, ...reported, now: Date.parse(nowIso), timeZone: 'UTC' });
}

function describeGate(verdict: Verdict): { kind: string; model: string; resetAt: number | null } {
  const signal = verdict.signal ?? verdict.subagentLimits?.[0];
  return { kind: signal?.kind ?? '-', model: signal?.model ?? '-', resetAt: signal?.resetAt ?? null };
}
