import assert from 'node:assert/strict';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isAbout, openPlace } from '../../support/queue/queuePlace';
import { signInFailure, text, tool } from '../../support/claude/replies';

const SECRET = `sk-ant-api03-${'Ab3_'.repeat(20)}`;
const PROMPT_SECRET = `ghp_${'Cd5e'.repeat(9)}`;

describe('Stored files', () => {
  let usual: number;
  before(() => (usual = process.umask(0o022)));
  after(() => process.umask(usual));

  it('are readable by the user alone, and contain no secret that a tool printed', async () => {
    const { queue, home } = await openPlace({
      respond: (turn) => {
        if (isAbout(turn, 'Sign in')) return signInFailure();
        if (turn.toolResults === 0) return tool('Bash', { command: 'cat .env; cat .env >&2' });
        return text(`The key is ${SECRET}.`);
      },
    });
    writeFileSync(join(queue.folder, '.env'), `ANTHROPIC_API_KEY=${SECRET}\n`);
    await queue.trust([
      {
        id: 1,
        prompt: `Show me the key; it is not ${PROMPT_SECRET}`,
        allowed_tools: 'Bash',
        priority: 'critical',
        repeat: 'yes',
        repeat_interval: 'daily',
      },
      { id: 2, prompt: 'Fail once', allowed_tools: 'Bash', priority: 'high', verify: '["false"]' },
      { id: 3, prompt: 'Sign in' },
    ]);
    const worked = await queue.run('work --max-tasks 3');
    assert.equal(worked.code, 1, worked.stdout + worked.stderr);
    assert.equal((await queue.run('next')).code, 0);

    const files = queue.stateFiles();
    const names = [...files.keys()].map((file) => relative(queue.state, file));
    for (const name of [
      'executed.log',
      'repeat_tasks.log',
      'retry_tasks.log',
      'journal',
      'outputs/task-1-attempt-1.jsonl',
    ]) {
      assert.ok(names.includes(name), `${name} is not among ${names.join(', ')}`);
    }
    assert.match(
      files.get(join(queue.state, 'outputs/task-1-attempt-1.jsonl')) ?? '',
      /\[redacted Anthropic key\]/,
    );
    for (const [file, contents] of files)
      for (const secret of [SECRET.slice(13), PROMPT_SECRET.slice(4)])
        assert.ok(!contents.includes(secret), `${file} holds the secret`);
    assert.ok(
      !(worked.stdout + worked.stderr).includes(SECRET.slice(13)),
      'the terminal was shown the secret',
    );
    const attached = await queue.run('attach 1');
    assert.match(attached.stdout, /\[redacted Anthropic key\]/);

    const userState = join(home.env['XDG_STATE_HOME'] ?? '', 'claude-queue');
    const kept = [...listModes(queue.state), ...listModes(userState)];
    assert.deepEqual(
      kept.filter(({ mode, isFolder }) => mode !== (isFolder ? '700' : '600')),
      [],
    );
    assert.ok(kept.length > 10, `only ${kept.length} files`);
    assert.equal(modeOf(join(queue.folder, 'claude_queue', 'NEXT_TASK.md')), '600');
    assert.equal(modeOf(queue.file), '644', 'the queue file keeps the mode that its owner gave it');
  });
});

interface Kept {
  readonly file: string;
  readonly mode: string;
  readonly isFolder: boolean;
}

/** The folder and everything below it. */
function listModes(folder: string): Kept[] {
  const inside = readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => ({
    file: join(entry.parentPath, entry.name),
    isFolder: entry.isDirectory(),
  }));
  return [{ file: folder, isFolder: true }, ...inside].map((entry) => ({
    ...entry,
    mode: modeOf(entry.file),
  }));
}

function modeOf(file: string): string {
  return (statSync(file).mode & 0o777).toString(8);
}
