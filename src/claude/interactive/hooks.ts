/** Variable that names the file to which the hooks of an interactive session append events. */
export const EVENTS_VARIABLE = 'CLAUDE_QUEUE_EVENTS';

/**
 * Returns a shell command that appends the output of `produce` to the events file.
 *
 * Its text holds no value of ours, and it needs nothing of ours when it runs. It never fails and prints
 * nothing. Exit code 2 of a hook would keep Claude from stopping, and some shells exit with 2 if a file cannot
 * be opened. Output would be taken for context.
 */
const append = (produce: string): string =>
  `umask 077; ${produce} 2>/dev/null >> "$${EVENTS_VARIABLE}" || exit 0`;

/** Records only that an event happened. Prompts, tool inputs and tool results are private. */
const record = (name: string): string =>
  append(`cat > /dev/null; printf '%s\\n' '{"hook_event_name":"${name}"}'`);

/**
 * Records members that `program` finds in the event, each with a comma behind it. Written in one piece, so that
 * two events at once seldom mix.
 */
const recordWhat = (name: string, program: string): string =>
  append(`kept=$(${program} 2>/dev/null); printf '{%s"hook_event_name":"${name}"}\\n' "$kept"`);

/**
 * Records the event with these of its text members. No JSON reader is on every machine. Within a text each
 * quote is behind a backslash, so that nothing in there looks like a member.
 */
const recordTexts = (name: string, ...members: readonly string[]): string =>
  recordWhat(name, String.raw`grep -oE '"(${members.join('|')})" *: *"([^"\\]|\\.)*"' | tr '\n' ','`);

/**
 * Records that a turn is over and whether anything continues in the background. Records neither Claude's words
 * nor the background work.
 */
const RECORD_STOP = recordWhat(
  'Stop',
  String.raw`sed -n 's/.*"background_tasks" *: *\[ *{.*/"background_tasks":[{}],/p'`,
);

/**
 * Timeout of a hook in seconds. Appending takes milliseconds, and a drive that hangs must not hold Claude for
 * the default ten minutes.
 */
const TIMEOUT_S = 10;

const hook = (command: string): object[] => [{ hooks: [{ type: 'command', command, timeout: TIMEOUT_S }] }];

/**
 * Settings that make a session report its events, as far as `createHookEventReader` reads them. The user's own
 * hooks still run. The end of a tool call is reported since nothing else shows that a question was answered.
 */
export const HOOK_SETTINGS = {
  hooks: {
    SessionStart: hook(recordTexts('SessionStart', 'source')),
    UserPromptSubmit: hook(record('UserPromptSubmit')),
    Notification: hook(recordTexts('Notification', 'notification_type', 'message')),
    PostToolUse: hook(record('PostToolUse')),
    PostToolUseFailure: hook(record('PostToolUse')),
    Stop: hook(RECORD_STOP),
    StopFailure: hook(recordTexts('StopFailure', 'error', 'last_assistant_message', 'transcript_path')),
    SessionEnd: hook(recordTexts('SessionEnd', 'reason')),
  },
};
