import type { Notice } from '../../domain/queue/notices';
import type { Clock } from '../../platform/clock';
import { listForeign, without } from '../../platform/processes/environment';
import { homeFolder } from '../../platform/files/paths';
import { runBounded } from '../../platform/processes/programs';
import type { Look } from './dueNotices';
import { describeNotice, noticeAsJson } from '../present/notices/noticeTexts';

/** Environment of the `notify` command. */
export interface NotifyPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** The queue file. */
  readonly queueFile: string;
  readonly warn: (message: string) => void;
}

/** Timeout of the command for one notice, in milliseconds; then it is killed. */
const LONGEST_MS = 10_000;

/** Number of tries right after each other for one notice, and milliseconds between them. */
const TRIES = 3;
const TRY_AGAIN_MS = 1_000;

/**
 * Runs the `notify` command once for a notice, and again right afterwards if it fails. Replaces `{title}` and `{message}`
 * in its arguments and writes one line of JSON to its input. Returns why it failed each time; null: it succeeded, or there
 * is no command.
 */
export async function runNotify(
  command: readonly string[],
  notice: Notice,
  look: Look,
  { env, clock, queueFile }: NotifyPlace,
): Promise<string | null> {
  const [program, ...words] = command;
  if (program === undefined) return null;
  const text = describeNotice(notice, look);
  const args = words.map((word) =>
    word.replace(/\{(title|message)\}/g, (_, name: 'title' | 'message') => text[name]),
  );
  const input = `${JSON.stringify(noticeAsJson(notice, look, queueFile))}\n`;
  const how = { cwd: homeFolder(env), env: notifyEnvironment(env), input, timeoutMs: LONGEST_MS };
  for (let tries = 1; ; tries += 1) {
    const startedAt = clock.now();
    const failure = await runBounded(program, args, how);
    // Other notices wait for this one, so a command that timed out is not run again now.
    if (failure === null || tries === TRIES || clock.now() - startedAt >= LONGEST_MS) return failure;
    await clock.sleep(TRY_AGAIN_MS);
  }
}

/** Returns the user's own environment, without what this program, Claude Code or an editor set for child processes. */
function notifyEnvironment(env: NotifyPlace['env']): NodeJS.ProcessEnv {
  const own = Object.keys(env).filter((name) => name.startsWith('CLAUDE_QUEUE_'));
  return without(env, [...listForeign(env), ...own]);
}
