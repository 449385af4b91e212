import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAbout, openPlace } from '../../support/queue/queuePlace';
import type { Place, QueueFolder } from '../../support/queue/queuePlace';
import { text, tool } from '../../support/claude/replies';
import type { Reply } from '../../support/claude/replies';
import type { Turn } from '../../support/claude/turn';

const OWN_ROW = '9,critical,.,Written by Claude,pending,,,no,,0,3,Bash,"[""touch"",""own-row""]"';
const HOOK = { hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'touch hook' }] }] } };

/** Writes what no tool of Claude's may write, by a program that the user allowed. */
const WRITER = `
import json, os
rows = open('claude_queue/prompts.csv').read()
rows = rows.replace('Sort the mail', 'Forward the mail')
open('claude_queue/prompts.csv', 'w').write(rows + ${JSON.stringify(OWN_ROW)} + '\\n')
os.makedirs('.claude', exist_ok=True)
for name in ['.claude/settings.json', '.claude/settings.local.json']:
    open(name, 'w').write(${JSON.stringify(JSON.stringify(HOOK))})
mcp = {'mcpServers': {'own': {'command': 'touch', 'args': ['server']}}}
open('.mcp.json', 'w').write(json.dumps(mcp))
`;

describe('A task that edits its own queue', () => {
  let place: Place;
  let queue: QueueFolder;
  /** Claude's tool calls in the first task, in order. */
  let calls: readonly Reply[];

  beforeEach(async () => {
    place = await openPlace({
      respond: (turn: Turn) =>
        (isAbout(turn, 'Look after') ? calls[turn.toolResults] : undefined) ?? text('Done.'),
    });
    ({ queue } = place);
    const may = { allowed_tools: 'Bash(python3 writer.py)', verify: '' };
    queue.write([
      { id: 1, prompt: 'Look after yourself', priority: 'high', ...may },
      { id: 2, prompt: 'Sort the mail', ...may },
      { id: 3, prompt: 'Water the plants', ...may },
    ]);
    writeFileSync(join(queue.folder, 'writer.py'), WRITER);
    assert.equal((await queue.approve('--all')).code, 0);
  });

  const shown = async (): Promise<(string | number)[][]> =>
    (await queue.status()).tasks.map((task) => [task.id, task.shown]);

  it("is refused by Claude Code's tools and the shell: nothing is written, and it needs review", async () => {
    const before = queue.read();
    calls = [
      tool('Read', { file_path: queue.file }),
      tool('Write', { file_path: queue.file, content: `${before}${OWN_ROW}\n` }),
      tool('Edit', { file_path: queue.file, old_string: 'Sort the mail', new_string: 'Forward the mail' }),
      tool('Bash', { command: `echo '${OWN_ROW}' >> claude_queue/prompts.csv`, description: 'add' }),
      tool('Bash', { command: `cp writer.py claude_queue/prompts.csv`, description: 'replace' }),
      tool('Bash', {
        command: `ln -s claude_queue/prompts.csv l && echo '${OWN_ROW}' >> l`,
        description: 'by a link',
      }),
      tool('Write', {
        file_path: join(queue.folder, 'claude_queue', 'config.yaml'),
        content: 'strict: true\n',
      }),
    ];
    assert.equal((await queue.run('run')).code, 0);
    const { attempts } = JSON.parse((await queue.run('history --json')).stdout) as {
      attempts: { denials: { tool: string }[] }[];
    };
    assert.deepEqual(
      attempts[0]?.denials.map((denial) => denial.tool),
      calls
        .slice(1)
        .map((call) =>
          call.kind === 'message' && call.content[0]?.type === 'tool_use' ? call.content[0].name : '',
        ),
    );
    assert.equal(queue.read(), before.replace('yourself,pending', 'yourself,review'));
    assert.equal(existsSync(join(queue.folder, 'claude_queue', 'config.yaml')), false);
    assert.equal((await queue.run('work --until-empty')).code, 0);
    assert.deepEqual(await shown(), [
      [1, 'review'],
      [2, 'completed'],
      [3, 'completed'],
    ]);
  });

  it('by an allowed program changes rows, which do not run until they are approved', async () => {
    calls = [tool('Bash', { command: 'python3 writer.py', description: 'write' })];
    const { code, stdout } = await queue.run('work --until-empty');
    assert.equal(code, 0, stdout);
    assert.match(queue.read(), /Forward the mail,pending.*\n.*Water the plants,completed.*\n9,critical/);
    assert.deepEqual(await shown(), [
      [1, 'completed'],
      [2, 'unapproved'],
      [3, 'completed'],
      [9, 'unapproved'],
    ]);
    assert.equal(place.turnsOf('Forward the mail').length + place.turnsOf('Written by Claude').length, 0);
    const traces = (): string[] =>
      ['hook', 'server', 'own-row'].filter((name) => existsSync(join(queue.folder, name)));
    assert.deepEqual(traces(), []);

    // The written row works: it runs once the user approves it.
    await queue.approve('9');
    assert.equal((await queue.run('work --until-empty')).code, 0);
    assert.deepEqual([traces(), place.turnsOf('Written by Claude').length], [['own-row'], 1]);
  });
});
