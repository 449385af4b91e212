// Where the demonstration plays: a copy of sample/, a home with a made-up sign-in, and the stand-in that claude talks to.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../setup.mjs';
import { demoAnswers } from './answers.mjs';

/** Time from the reported reset until the gate opens. The default, a minute, is too long to watch. */
const OPEN_AFTER_RESET = '1s';

export function copySample(folder) {
  cpSync(join(ROOT, 'sample'), folder, { recursive: true });
  return folder;
}

/** Sets the stage; `close` it when the play is over. What was done stays in its folder. */
export async function openStage({ resetInSeconds }) {
  const { require: requireTs } = await import('tsx/cjs/api');
  const load = (name) => requireTs(`../../test/support/claude/${name}.ts`, import.meta.url);
  const { startMessagesApi } = load('messagesApi');
  const replies = load('replies');
  const { report } = load('reports');
  const { createClaudeHome } = load('claudeHome');
  let respond = () => replies.hang();
  const api = await startMessagesApi({
    respond: (turn) => respond(turn),
    usage: { fiveHour: 0.94, sevenDay: 0.31 },
  });
  const { workspace, env } = createClaudeHome({ apiUrl: api.url, interactive: true });
  respond = demoAnswers(replies, report, { project: copySample(workspace), resetInSeconds });
  const TZ = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return {
    apiUrl: api.url,
    workspace,
    env: { ...env, TZ, CLAUDE_QUEUE_OPEN_AFTER_RESET: OPEN_AFTER_RESET },
    close: () => api.close(),
  };
}

/** Text for the user before the demonstration. */
export const describeStage = ({ apiUrl }) =>
  [
    '',
    'This is a demonstration. The real Claude Code runs, but it talks to a stand-in on this machine',
    `(${apiUrl}) with a made-up sign-in, in a home folder of its own.`,
    'No account is touched and nothing is billed. In the middle the stand-in says that the 5-hour limit is',
    'reached; the queue waits for the reset, a few seconds, and resumes in the same session.',
  ].join('\n');
