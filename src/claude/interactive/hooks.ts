/** Names the file in which an interactive session's hooks keep what happened. */
export const EVENTS_VARIABLE = 'CLAUDE_QUEUE_EVENTS';

/**
 * Appends what `produce` prints. No value of ours is in the text, and nothing of ours has to be there any more when
 * it runs. It never fails and prints nothing: exit code 2 of a hook, which is also what some shells give for a file that
 * cannot be opened, would keep Claude from stopping, and its output would be taken for context.
 */
const append = (produce: string): string =>
  `umask 077; ${produce} 2>/dev/null >> "$${EVENTS_VARIABLE}" || exit 0`;

/** Only that it happened: what was asked, what a tool was given and what came of it is nobody's business. */
const record = (name: string): string =>
  append(`cat > /dev/null; printf '%s\\n' '{"hook_event_name":"${name}"}'`);

/** What `program` finds in the event, members with a comma behind each. Written in one piece, so that two at once seldom mix. */
const recordWhat = (name: string, program: string): string =>
  append(`kept=$(${program} 2>/dev/null); printf '{%s"hook_event_name":"${name}"}\\n' "$kept"`);

/**
 * The event with these of its texts. Nothing that reads JSON is on every machine; but within a text a quote is behind a
 * backslash, so that nothing in there looks like a member.
 */
const recordTexts = (name: string, ...members: readonly string[]): string =>
  recordWhat(name, String.raw`grep -oE '"(${members.join('|')})" *: *"([^"\\]|\\.)*"' | tr '\n' ','`);

/** That a turn is over, and whether anything continues in the background; not what Claude said, nor what continues. */
const TELL_STOP = recordWhat(
  'Stop',
  String.raw`sed -n 's/.*"background_tasks" *: *\[ *{.*/"background_tasks":[{}],/p'`,
);

/** Appending takes milliseconds; a drive that hangs must not hold Claude for the usual ten minutes. */
const TIMEOUT_S = 10;

const hook = (command: string): object[] => [{ hooks: [{ type: 'command', command, timeout: TIMEOUT_S }] }];

/**
 * The settings that make a session tell what happens in it, as far as `createHookEventReader` reads it; the
 * person's own hooks run all the same. A tool's end is told since nothing else tells that a question was answered.
 */
export const HOOK_SETTINGS = {
  hooks: {
    SessionStart: hook(recordTexts('SessionStart', 'source')),
    UserPromptSubmit: hook(record('UserPromptSubmit')),
    Notification: hook(recordTexts('Notification', 'notification_type', 'message')),
    PostToolUse: hook(record('PostToolUse')),
    PostToolUseFailure: hook(record('PostToolUse')),
    Stop: hook(TELL_STOP),
    StopFailure: hook(recordTexts('StopFailure', 'error', 'last_assistant_message', 'transcript_path')),
    SessionEnd: hook(recordTexts('SessionEnd', 'reason')),
  },
};
