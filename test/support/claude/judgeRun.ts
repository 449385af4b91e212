import type { Verdict } from '../../../src/domain/task/attempt';
import { classify } from '../../../src/claude/verdict/classify';
import type { EndFacts } from '../../../src/claude/stream/endFacts';
import { createStreamReader } from '../../../src/claude/stream/stream';

/** When every run of these tests ended. */
export const NOW = Date.parse('2026-11-20T19:00:00Z');
export const IN_AN_HOUR_S = NOW / 1000 + 3600;

/** A line of a stream, as JSON or as it is. */
export type Line = Readonly<Record<string, unknown>> | string;

/** First line of a stream. */
export const INIT = {
  type: 'system',
  subtype: 'init',
  claude_code_version: '2.1.329',
  model: 'claude-opus-5-5',
};
/** Last line of a stream; a success unless `more` says otherwise. */
export const result = (more: Readonly<Record<string, unknown>>): Line => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: 'All is well.',
  num_turns: 2,
  total_cost_usd: 0.5,
  permission_denials: [],
  ...more,
});
/** Last line of a stream in which Claude Code says `text` in place of an answer. */
export const failed = (text: string, more: Readonly<Record<string, unknown>> = {}): Line =>
  result({ is_error: true, result: text, ...more });
/** Line in the middle of a stream: the account reports its limits. */
export const limitEvent = (info: Readonly<Record<string, unknown>>): Line => ({
  type: 'rate_limit_event',
  rate_limit_info: { overageStatus: 'rejected', ...info },
});

/** The verdict on a run that wrote these lines, with exit code 1 where nothing else is said. */
export function judge(lines: readonly Line[], facts: Partial<EndFacts> = {}): Verdict {
  const reader = createStreamReader();
  for (const line of lines) reader.push(typeof line === 'string' ? line : JSON.stringify(line));
  return classify({
    exitCode: 1,
    signal: null,
    stream: reader.facts(),
    stderr: '',
    now: NOW,
    timeZone: 'UTC',
    ...facts,
  });
}
