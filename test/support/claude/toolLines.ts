import type { Verdict } from '../../../src/domain/task/attempt';
import { INIT, judge, result, type Line } from './judgeRun';

export type Input = Readonly<Record<string, unknown>>;

/** Claude, or a subagent of its, calls a tool. */
export const called = (id: string, name: string, input: Input = {}, subagent?: string): Line => ({
  type: 'assistant',
  message: { content: [{ type: 'tool_use', id, name, input }] },
  ...(subagent === undefined ? {} : { parent_tool_use_id: subagent }),
});
/** The tool's answer. */
export const answered = (id: string, content: unknown, more: Input = {}): Line => ({
  type: 'user',
  message: { content: [{ type: 'tool_result', tool_use_id: id, content }] },
  ...more,
});
/** The tool, or Claude Code in its place, answers with an error. */
export const failed = (id: string, content: string, more: Input = {}): Line => ({
  type: 'user',
  message: { content: [{ type: 'tool_result', tool_use_id: id, is_error: true, content }] },
  ...more,
});
/** Claude Code's wording of an error of its own. */
export const error = (text: string): string => `<tool_use_error>${text}</tool_use_error>`;
export const DENIED = error('File is in a directory that is denied by your permission settings.');

/** The verdict on a run that ended well after these lines, and its reason. */
export const run = (...lines: readonly Line[]): Verdict =>
  judge([INIT, ...lines, result({})], { exitCode: 0 });
export const reasonOf = (...lines: readonly Line[]): string => run(...lines).reason;
