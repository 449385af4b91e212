import type { Permissions } from '../../domain/task/attempt';
import type { PermissionMode } from '../../domain/task/task';

/** Actions that some permission modes refuse without a rule, as prompts ask for them. */
interface Refusable {
  readonly modes: readonly PermissionMode[];
  /** Start of the rules that may allow it, or another way to the same end. */
  readonly rule: RegExp;
  readonly request: RegExp;
}

/** Modes that only let Claude read without a rule. */
const READING: readonly PermissionMode[] = ['default', 'manual', 'dontAsk'];

/** A command that does more than read. Claude Code runs `docker ps` and its like in every mode. */
const RUNS =
  /(?:^|[.!?\n])\s*(?:please )?((?:run|execute) [`"']?(?:(?:npm|npx|pnpm|yarn|make|cargo|pytest|mvn|gradle|pip) (?!(?:list|ls|show|view)\b)[\w:.-]+|docker (?:build|compose|exec|pull|push|run)|git (?:push|commit|merge|rebase)))/i;

const SEARCHES =
  /(?:^|[.!?\n])\s*(?:please )?(search (?:the )?(?:web|internet)(?= (?:for|about)\b|\s*[.,:!?]|\s*$)|(?:web|ウェブ|ネット|インターネット)[をで]検索して(?!も)|(?:найди|поищи)(?:те)? в интернете)/i;

/** A change of a file that is named. A text about a file may be an answer. */
const CHANGES =
  /(?:^|[.!?\n])\s*(?:please )?((?:(?:fix|refactor|rename|reformat)\b[^.!?\n]*?|(?:add|append|save|write)\b[^.!?\n]*? (?:to|into))[ `"']{1,3}(?:[\w.-]+\/)+[\w-][\w.-]*\.[a-z]\w{0,4})/i;

/** Measured with Claude Code 2.1.90 to 2.1.332. */
const REFUSABLE: readonly Refusable[] = [
  { modes: [...READING, 'acceptEdits', 'plan'], rule: /^Bash\b/, request: RUNS },
  {
    modes: [...READING, 'acceptEdits'],
    rule: /^(?:Bash|WebFetch|WebSearch|mcp__)/,
    request: SEARCHES,
  },
  { modes: READING, rule: /^(?:Bash|Edit|MultiEdit|Write|mcp__)/, request: CHANGES },
];

/** Returns the text in a prompt that asks for an action which these permissions refuse; null if there is none. */
export function findRefusedAction(prompt: string, { mode, tools }: Permissions): string | null {
  const refused = REFUSABLE.filter(
    ({ modes, rule }) => modes.includes(mode) && !tools.some((tool) => rule.test(tool)),
  );
  // The time to search long white space would grow with the square of its length.
  const text = prompt.replaceAll(/\s+/g, (space) => (space.includes('\n') ? '\n' : ' '));
  for (const { request } of refused) {
    const found = request.exec(text)?.[1];
    if (found !== undefined) return found;
  }
  return null;
}
