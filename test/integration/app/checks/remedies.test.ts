import assert from 'node:assert/strict';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Checked } from '../../../../src/app/checks/checked';
import { checkNode } from '../../../../src/app/checks/machineCheck';
import { checkWhole } from '../../../../src/app/checks/wholeCheck';
import { QueueContext } from '../../../../src/app/context/queueContext';
import { FROM_EDITOR } from '../../../../src/domain/settings/variables';
import { openContext, type OpenContext } from '../../../support/queue/openContexts';
import { FAKE_CLAUDE } from '../../cli/cliHarness';

describe('A finding of the check', () => {
  let opened: OpenContext;

  beforeEach(async () => {
    opened = await openContext({ rows: [{ id: 1, prompt: 'Paint the fence' }] });
  });
  afterEach(() => opened.close());

  const check = (env: Readonly<Record<string, string>>): Promise<Checked[]> => {
    const { host } = opened.queueContext;
    const machine = {
      PATH: dirname(process.execPath),
      CLAUDE_QUEUE_CLAUDE: FAKE_CLAUDE,
      CLAUDE_CODE_OAUTH_TOKEN: 'made-up',
      FAKE_SCRIPT: 'ok',
      FAKE_NOTES: join(opened.folder, 'notes'),
    };
    const whole = { ...host.env, XDG_CONFIG_HOME: join(opened.folder, 'config'), ...machine, ...env };
    return checkWhole(new QueueContext({ queue: opened.file }, { ...host, env: whole }));
  };
  const find = (all: readonly Checked[], words: RegExp): Checked => {
    const found = all.find(({ message }) => words.test(message));
    assert.ok(found !== undefined, all.map(({ message }) => message).join('\n'));
    return found;
  };

  it('about a variable of the environment gives its name', async () => {
    const { remedy } = find(await check({ CLAUDE_QUEUE_MAX_PER_HOUR: 'many' }), /MAX_PER_HOUR must be/);
    assert.deepEqual(remedy, { kind: 'copy-name', text: 'CLAUDE_QUEUE_MAX_PER_HOUR' });
  });

  it('about a setting of the machine leads to where it is set', async () => {
    const callbackUrl = 'http://ntfy.example/night';
    const env = { CLAUDE_QUEUE_CALLBACK_URL: callbackUrl };
    const ofVariable = find(await check(env), /^Callbacks are not sent/);
    assert.deepEqual(ofVariable.remedy, { kind: 'copy-name', text: 'CLAUDE_QUEUE_CALLBACK_URL' });
    const ofEditor = find(await check({ ...env, [FROM_EDITOR]: 'callbackUrl' }), /^Callbacks are not sent/);
    assert.deepEqual(ofEditor.remedy, { kind: 'open-setting', name: 'claudeQueue.callbackUrl' });
    const file = join(opened.folder, 'config', 'claude-queue', 'config.yaml');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `\ncallbackUrl: ${callbackUrl}\n`);
    const { at, remedy } = find(await check({}), /^Callbacks are not sent/);
    assert.deepEqual([at?.file, remedy], [file, undefined]);
    assert.deepEqual(at?.where, { kind: 'file', line: 2, column: 1 });
  });

  it('about a clock that was set back offers a terminal', async () => {
    await opened.queue.hold({ by: 'person', why: 'night' }, 'hold');
    const ahead = new Date(Date.now() + 3_600_000);
    utimesSync(join(opened.folder, 'claude_queue', 'state', 'journal'), ahead, ahead);
    const { remedy } = find(await check({}), /Set the clock/);
    assert.equal(remedy?.kind, 'open-terminal');
  });

  it('about an untested version of Claude Code or an old Node offers a newer one', async () => {
    assert.equal(find(await check({}), /newer than the tested ones/).remedy?.kind, 'update-extension');
    assert.equal(checkNode('18.19.1', '/usr/bin/node').remedy?.kind, 'show-versions');
  });
});
