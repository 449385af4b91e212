import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { findLiveSession } from '../../../../src/claude/attempt/liveSession';
import { systemProcesses } from '../../../../src/platform/processes/processes';
import { CLAUDE, createClaudeHome } from '../../../support/claude/claudeHome';
import type { ClaudeHome } from '../../../support/claude/claudeHome';
import { startMessagesApi } from '../../../support/claude/messagesApi';
import type { MessagesApi } from '../../../support/claude/messagesApi';
import { listProcesses } from '../../../support/machine/processTable';
import { start } from '../../../support/machine/processes';
import { text } from '../../../support/claude/replies';
import { openTerminal } from '../../../support/machine/terminal';
import { until } from '../../../support/until';

describe('A session of the real claude', () => {
  let api: MessagesApi;
  let home: ClaudeHome;
  beforeEach(async () => {
    api = await startMessagesApi({ respond: () => text('Done.') });
    home = createClaudeHome({ apiUrl: api.url, interactive: true });
  });
  afterEach(async () => {
    await api.close();
    // It leaves its session a moment before it ends, and may still write.
    const own = `HOME=${home.env['HOME'] ?? ''}`;
    await until('Claude Code has ended', () => listProcesses(own).length === 0);
    home.remove();
  });

  const find = (session: string): Promise<number | null> =>
    findLiveSession(session, home.env, systemProcesses);

  it('that the user resumed in a terminal counts as open until they leave it', async () => {
    const session = randomUUID();
    const { env, workspace: cwd } = home;
    const args = ['-p', '--session-id', session];
    const { code } = await start(CLAUDE, args, { cwd, env, stdin: 'Say hello' }).ended;
    assert.equal(code, 0);
    assert.equal(await find(session), null);

    const terminal = openTerminal(CLAUDE, ['--resume', session], { cwd, env });
    const pid = await until('the session is open', () => find(session));
    assert.ok(systemProcesses.identify(pid));
    assert.equal(await find(randomUUID()), null);
    terminal.close();
    await until('the session is left', async () => (await find(session)) === null);
  });
});
