import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Billing } from '../../../../src/domain/task/attempt';
import { buildCheckEnvironment } from '../../../../src/claude/installation/checkEnvironment';

describe('The environment of a row’s own check', () => {
  let home: string;
  let folder: string;
  beforeEach(() => {
    home = realpathSync(mkdtempSync(join(tmpdir(), 'check-environment-')));
    folder = join(home, 'project');
    mkdirSync(folder);
  });
  afterEach(() => {
    rmSync(home, { recursive: true });
  });

  const build = (own: NodeJS.ProcessEnv, billing: Billing = 'subscription'): Promise<NodeJS.ProcessEnv> =>
    buildCheckEnvironment({ HOME: home, PATH: '/usr/bin:bin', ...own }, billing, folder);

  function trustFolder(): void {
    const projects = { [folder]: { hasTrustDialogAccepted: true } };
    writeFileSync(join(home, '.claude.json'), JSON.stringify({ projects }));
  }

  it('has no key that the attempt did not have', async () => {
    const own = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_AUTH_TOKEN: 't', CLAUDE_CODE_OAUTH_TOKEN: 'o', OWN: '1' };
    const known = Object.keys(own);
    const left = async (billing: Billing): Promise<string[]> =>
      Object.keys(await build(own, billing)).filter((name) => known.includes(name));
    assert.deepEqual(await left('subscription'), ['CLAUDE_CODE_OAUTH_TOKEN', 'OWN']);
    assert.deepEqual(await left('api-key'), ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'OWN']);
  });

  it('contains no mark of the editor or session that started the worker', async () => {
    const { VSCODE_PID, ELECTRON_RUN_AS_NODE, CLAUDECODE } = await build({
      ...{ VSCODE_PID: '1', ELECTRON_RUN_AS_NODE: '1', CLAUDECODE: '1' },
    });
    assert.deepEqual([VSCODE_PID, ELECTRON_RUN_AS_NODE, CLAUDECODE], [undefined, undefined, undefined]);
  });

  it('is the user’s own in a trusted folder, and lets git start nothing in others', async () => {
    const guarded = await build({});
    assert.deepEqual([guarded['GIT_CONFIG_KEY_0'], guarded['PATH']], ['core.fsmonitor', '/usr/bin']);
    trustFolder();
    const own = await build({});
    assert.deepEqual([own['GIT_CONFIG_KEY_0'], own['PATH']], [undefined, '/usr/bin:bin']);
  });
});
