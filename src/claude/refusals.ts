import type { ToolCall, ToolResult } from './message';

/** Why a call was refused, where that is known: no grant of a rule would change it. */
export type RefusalCause = 'deny-rule' | 'not-offered' | 'hook' | 'sandbox';

/** A refused call. */
export interface Refusal {
  readonly call: ToolCall;
  readonly cause?: RefusalCause;
}

/**
 * The refusal that a result reports, or null. `permission_denials` lists only some of them: which, depends on the version. The texts are
 * Claude Code's own, measured with 2.1.90 to 2.1.330. Only a string of a built-in tool that is marked as an error and begins with one
 * of them counts: nobody else can put words there. A server can, so of its texts only one whole string counts.
 */
export function findRefusal(call: ToolCall, result: ToolResult): Refusal | null {
  if (result.mark === 'sandbox') return { call, cause: 'sandbox' };
  const cause = result.isError ? findCause(call.name, result.text ?? '') : undefined;
  if (cause !== undefined) return { call, cause };
  if (result.mark === 'refused' || wasNotRun(call, result)) return { call };
  return null;
}

function findCause(tool: string, text: string): RefusalCause | undefined {
  if (tool.startsWith('mcp__')) {
    return text === wrap(`Error: No such tool available: ${tool}`) ? 'not-offered' : undefined;
  }
  if (isWithheld(text)) return 'not-offered';
  return TEXTS.find(({ pattern }) => pattern.test(text))?.cause;
}

const wrap = (text: string): string => `<tool_use_error>${text}</tool_use_error>`;

const TEXTS: readonly { readonly pattern: RegExp; readonly cause: RefusalCause }[] = [
  {
    pattern: /^<tool_use_error>File is in a directory that is denied by your permission settings\./,
    cause: 'deny-rule',
  },
  {
    pattern: /^<tool_use_error>File is covered by a Read deny rule in your permission settings/,
    cause: 'deny-rule',
  },
  { pattern: /^Agent type '[^\n]*' has been denied by permission rule '/, cause: 'deny-rule' },
  { pattern: /^Permission to use \S+ with command [^]* has been denied\.$/, cause: 'deny-rule' },
  { pattern: /^WebFetch denied access to domain:/, cause: 'deny-rule' },
  { pattern: /^Skill execution blocked by permission rules/, cause: 'deny-rule' },
  { pattern: /^PreToolUse:\S+ hook error: /, cause: 'hook' },
  { pattern: /^Hook PreToolUse:\S+ denied this tool/, cause: 'hook' },
];

/** A tool that exists, but that this run does not get. */
function isWithheld(text: string): boolean {
  const found = /^<tool_use_error>Error: No such tool available: ([^\n]+?)(?:<\/tool_use_error>|\. )/.exec(
    text,
  );
  const name = found?.[1];
  if (name === undefined) return false;
  // Older versions say no more of one than of a name that the model made up.
  if (text === wrap(`Error: No such tool available: ${name}`)) return OWN_TOOLS.includes(name);
  const rest = text.slice(text.indexOf(`${name}. `) + name.length + 2);
  return WITHHELD_WORDS.some((words) => rest.startsWith(`${name} ${words}`));
}

const WITHHELD_WORDS: readonly string[] = [
  'exists but is not enabled in this context.',
  'is disabled for this session,',
];

/** The tools of 2.1.90, by the names under which they are called. */
const OWN_TOOLS: readonly string[] = [
  ...['Agent', 'Task', 'AskUserQuestion', 'Bash', 'CronCreate', 'CronDelete', 'CronList', 'Edit'],
  ...['EnterPlanMode', 'EnterWorktree', 'ExitPlanMode', 'ExitWorktree', 'Glob', 'Grep', 'NotebookEdit'],
  ...['Read', 'Skill', 'TaskOutput', 'TaskStop', 'TodoWrite', 'WebFetch', 'WebSearch', 'Write'],
];

/** A command that ran and failed begins with its exit code, in every version. */
function wasNotRun({ name }: ToolCall, { isError, text }: ToolResult): boolean {
  if (name !== 'Bash' || !isError || text === undefined) return false;
  return !/^Exit code \d/.test(text) && !text.startsWith('<tool_use_error>');
}
