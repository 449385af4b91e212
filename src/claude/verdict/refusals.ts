import type { ToolCall, ToolResult } from '../stream/message';
import { isAtLeast } from '../installation/versions';

/** Known cause of a refusal. Granting a rule would not change it. */
export type RefusalCause = 'deny-rule' | 'not-offered' | 'hook' | 'unasked' | 'sandbox';

/** Refused call. */
export interface Refusal {
  readonly call: ToolCall;
  readonly cause?: RefusalCause;
}

/**
 * Returns the refusal that a result reports, or null.
 *
 * `permission_denials` lists only some of them, depending on the version. The texts are Claude Code's own,
 * measured with 2.1.90 to 2.1.332. Only an error string of a built-in tool that starts with one of them counts:
 * nobody else can put words there. A server can, so its texts count only if they name its tool as Claude Code
 * alone does.
 */
export function findRefusal(call: ToolCall, result: ToolResult, version: string | undefined): Refusal | null {
  if (result.mark === 'sandbox') return { call, cause: 'sandbox' };
  const cause = result.isError ? findCause(call.name, result.text ?? '', version) : undefined;
  if (cause !== undefined) return { call, cause };
  if (result.mark === 'refused' || wasNotRun(call, result)) return { call };
  return null;
}

/**
 * Guesses the cause of a refusal whose result has no cause and which no event reports: nobody was asked for a
 * permission, so no rule helps. Newer versions have an event wherever they would ask. Since 2.1.105, a hook's
 * refusal has nothing but the hook's own words.
 */
export function guessCause(text: string | undefined, version: string | undefined): RefusalCause | undefined {
  if (version !== undefined && isAtLeast(version, FIRST_WITH_ASK_EVENTS)) return 'unasked';
  return text === undefined || ASKS.some((pattern) => pattern.test(text)) ? undefined : 'unasked';
}

const FIRST_WITH_ASK_EVENTS = '2.1.240';

/** Texts with which Claude Code says that somebody would have to allow a call. */
const ASKS: readonly RegExp[] = [
  /^(?:Auto mode|Cannot (?:call|write)|Claude requested permissions|Output redirection|Permission) /,
  /^(?:Command|Commands|Contains|Execute|This|Unhandled) |^Run outside of the sandbox$|^(?:Answer questions|Exit plan mode)\?$/,
  /\b(?:requires?|needs) (?:\w+ )?(?:approval|permission)\b|\bapproval required\b|\bFor security, Claude Code\b/,
  /\bcan(?:not|'t) be (?:statically|checked)\b/,
];

function findCause(tool: string, text: string, version: string | undefined): RefusalCause | undefined {
  if (tool.startsWith('mcp__')) return findServerCause(tool, text);
  if (isWithheld(text, version)) return 'not-offered';
  return TEXTS.find(({ pattern }) => pattern.test(text))?.cause;
}

function findServerCause(tool: string, text: string): RefusalCause | undefined {
  if (text === wrap(`Error: No such tool available: ${tool}`)) return 'not-offered';
  const isHook =
    text.startsWith(`PreToolUse:${tool} hook error: `) || text === `Hook PreToolUse:${tool} denied this tool`;
  return isHook ? 'hook' : undefined;
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

/** Whether a tool exists that this attempt does not get. */
function isWithheld(text: string, version: string | undefined): boolean {
  const found = /^<tool_use_error>Error: No such tool available: ([^\n]+?)(?:<\/tool_use_error>|\. )/.exec(
    text,
  );
  const name = found?.[1];
  if (name === undefined) return false;
  // Older versions use the same text for a name that the model made up, and for a tool that newer ones have
  // removed.
  if (text === wrap(`Error: No such tool available: ${name}`)) {
    return OWN_TOOLS.includes(name) && (version === undefined || !isAtLeast(version, SAYS_MORE_SINCE));
  }
  const rest = text.slice(text.indexOf(`${name}. `) + name.length + 2);
  return WITHHELD_WORDS.some((words) => rest.startsWith(`${name} ${words}`));
}

const SAYS_MORE_SINCE = '2.1.105';

const WITHHELD_WORDS: readonly string[] = [
  'exists but is not enabled in this context.',
  'is disabled for this session,',
];

/** Tools of 2.1.90, by the names under which they are called. */
const OWN_TOOLS: readonly string[] = [
  ...['Agent', 'Task', 'AskUserQuestion', 'Bash', 'CronCreate', 'CronDelete', 'CronList', 'Edit'],
  ...['EnterPlanMode', 'EnterWorktree', 'ExitPlanMode', 'ExitWorktree', 'Glob', 'Grep', 'NotebookEdit'],
  ...['Read', 'Skill', 'TaskOutput', 'TaskStop', 'TodoWrite', 'WebFetch', 'WebSearch', 'Write'],
];

/**
 * Whether a shell command was not run. A command that ran and failed starts with its exit code, in every
 * version.
 */
function wasNotRun({ name }: ToolCall, { isError, text }: ToolResult): boolean {
  if (name !== 'Bash' || !isError || text === undefined) return false;
  return !NO_REFUSALS.some((pattern) => pattern.test(text));
}

/**
 * Texts that show no refusal. The last one comes from an interrupted attempt too; if a hook writes it, the call
 * is listed.
 */
const NO_REFUSALS: readonly RegExp[] = [
  /^Exit code \d/,
  /^<tool_use_error>/,
  /^The user doesn't want to proceed with this tool use\./,
];
