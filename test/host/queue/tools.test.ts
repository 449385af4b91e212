import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CancellationTokenSource, LanguageModelTextPart, lm, version, workspace } from 'vscode';
import { TOOLS } from '../../../src/editor/tools/toolNames';
import { until } from '../../support/until';

async function call(name: string, input: object): Promise<string> {
  const { token } = new CancellationTokenSource();
  const { content } = await lm.invokeTool(name, { input, toolInvocationToken: undefined }, token);
  return content.map((part) => (part instanceof LanguageModelTextPart ? part.value : '')).join('');
}

interface ListedTask {
  readonly id: number;
  readonly shown: string;
}

async function readStatus(): Promise<readonly ListedTask[]> {
  const { tasks } = JSON.parse(await call(TOOLS.status, {})) as { readonly tasks: readonly ListedTask[] };
  return tasks;
}

const csv = (): string =>
  readFileSync(
    join(workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'claude_queue', 'prompts.csv'),
    'utf8',
  );

describe('The tools for language models', () => {
  before(() =>
    until('the tools answer', () =>
      readStatus().then(
        () => true,
        () => false,
      ),
    ),
  );

  it('are listed', async function () {
    // The server of VS Code 1.100 runs them, but does not list them.
    if (version.startsWith('1.100.')) this.skip();
    const isListed = (name: string): boolean => lm.tools.some((tool) => tool.name === name);
    await until('the tools are there', () => Object.values(TOOLS).every(isListed));
  });

  it('read the queue as the command does', async () => {
    const ids = (await readStatus()).map(({ id }) => id);
    assert.deepEqual(ids.slice(0, 3), [1, 2, 3]);
  });

  it('say what is wrong with a task before the user is asked', async () => {
    const before = csv();
    await assert.rejects(call(TOOLS.add, { prompt: 'Sweep', dependencies: [99] }), /depends on task 99/);
    await assert.rejects(call(TOOLS.add, { prompt: 'Sweep', allowed_tools: 'Bash' }), /allowed_tools/);
    assert.equal(csv(), before);
  });

  it('add a task that waits for approval', async () => {
    // Where tests run, the editor answers its question itself.
    const answer = await call(TOOLS.add, { prompt: 'Sweep the floor', priority: 'high', dependencies: [1] });
    const [, id = ''] = /^Added task (\d+) to .*only after the user approves it\.$/.exec(answer) ?? [];
    assert.match(csv(), new RegExp(`^${id},high,\\.,Sweep the floor,pending,,1,`, 'm'));
    const added = (await readStatus()).find((task) => String(task.id) === id);
    assert.equal(added?.shown, 'unapproved');
  });
});
