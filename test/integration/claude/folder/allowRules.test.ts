import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readAllowRules } from '../../../../src/claude/folder/allowRules';

describe('The rules of Claude Code’s own settings', () => {
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'rules-')));
    mkdirSync(join(folder, 'work', '.git'), { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function write(file: string, content: unknown): void {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), JSON.stringify(content));
  }

  const allow = (...rules: readonly string[]): object => ({ permissions: { allow: rules } });
  const read = (): Promise<readonly string[] | null> =>
    readAllowRules(join(folder, 'work'), { HOME: join(folder, 'home') }, join(folder, 'managed'));

  it('are none without settings', async () => {
    assert.deepEqual(await read(), []);
  });

  it('are those of the user, and of the folder once the user trusts it', async () => {
    write('home/.claude/settings.json', { model: 'opus', ...allow('Bash(npm test)') });
    write('work/.claude/settings.json', allow('WebSearch'));
    write('work/.claude/settings.local.json', allow('Edit'));
    assert.deepEqual(await read(), ['Bash(npm test)']);
    write('home/.claude.json', { projects: { [join(folder, 'work')]: { hasTrustDialogAccepted: true } } });
    assert.deepEqual(await read(), ['Bash(npm test)', 'WebSearch', 'Edit']);
  });

  for (const [what, file, content] of [
    ['a hook', 'home/.claude/settings.json', { hooks: { PreToolUse: [] } }],
    ['a sandbox', 'home/.claude/settings.json', { sandbox: { enabled: true } }],
    ['a plugin', 'home/.claude/settings.json', { enabledPlugins: {} }],
    ['an administrator', 'managed/managed-settings.json', {}],
    ['a server', 'home/.claude/remote-settings.json', {}],
    ['settings that are not readable', 'home/.claude/settings.json', []],
  ] as const)
    it(`are not known where ${what} may allow more`, async () => {
      write(file, content);
      assert.equal(await read(), null);
    });
});
