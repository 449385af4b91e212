/** Names the file in which an interactive session's hooks keep what happened. */
export const EVENTS_VARIABLE = 'CLAUDE_QUEUE_EVENTS';

/**
 * Appends what `produce` prints. No value of ours stands in the text, and nothing of ours has to be there any more when
 * it runs. It never fails and prints nothing: exit code 2 of a hook, which is also what some shells give for a file that
 * cannot be opened, would keep Claude from stopping, and its output would be taken for context.
 */
const append = (produce: string): string =>
  `umask 077; ${produce} 2>/dev/null >> "$${EVENTS_VARIABLE}" || exit 0`;

/** The event as Claude Code tells it. Read first and written in one piece, so that two at once seldom mix. */
const TELL = append(`event=$(cat); printf '%s\\n' "$event"`);
/** Only that it happened: what a tool was given, and what came of it, is nobody's business. */
const TELL_TOOL_END = append(`cat > /dev/null; printf '%s\\n' '{"hook_event_name":"PostToolUse"}'`);

/** Appending takes milliseconds; a drive that hangs must not hold Claude for the usual ten minutes. */
const TIMEOUT_S = 10;

const hook = (command: string): object[] => [{ hooks: [{ type: 'command', command, timeout: TIMEOUT_S }] }];

/**
 * The value of `--settings` that makes a session tell what happens in it; the person's own hooks run all the same. A tool's
 * end is told since nothing else tells that a question was answered.
 */
export const HOOK_SETTINGS = JSON.stringify({
  hooks: {
    SessionStart: hook(TELL),
    UserPromptSubmit: hook(TELL),
    Notification: hook(TELL),
    PostToolUse: hook(TELL_TOOL_END),
    PostToolUseFailure: hook(TELL_TOOL_END),
    Stop: hook(TELL),
    StopFailure: hook(TELL),
    SessionEnd: hook(TELL),
  },
});
