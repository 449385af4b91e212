import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands, languages, Uri, window, workspace } from 'vscode';
import type { CodeLens } from 'vscode';
import { until } from '../../support/until';

function folder(): string {
  const [first] = workspace.workspaceFolders ?? [];
  assert.ok(first, 'no folder is open');
  return first.uri.fsPath;
}

const queueFile = (): string => join(folder(), 'claude_queue', 'prompts.csv');

async function lensesOf(file: string): Promise<readonly (readonly [line: number, title: string])[]> {
  const lenses = await commands.executeCommand<CodeLens[]>(
    'vscode.executeCodeLensProvider',
    Uri.file(file),
    100,
  );
  return lenses.map(({ range, command }) => [range.start.line, command?.title ?? ''] as const);
}

const titles = async (file: string): Promise<string> => JSON.stringify(await lensesOf(file));

describe('A queue file in the editor', () => {
  before(async () => {
    await window.showTextDocument(Uri.file(queueFile()));
    await until('the rows have lenses', async () => (await lensesOf(queueFile())).length > 0);
  });

  it('has lenses on the first line of each row, also behind one of several lines', async () => {
    const lenses = await lensesOf(queueFile());
    assert.deepEqual([...new Set(lenses.map(([line]) => line))], [1, 2, 4, 5]);
  });

  it('shows the state of a row in one lens', async () => {
    const words = (await lensesOf(queueFile())).filter(([line]) => line === 1).map(([, title]) => title);
    assert.equal(words.length, 1);
    assert.match(words[0] ?? '', /Not approved on this machine…$/);
  });

  it('lists an invalid row among the problems, at its place', async () => {
    const problems = () => languages.getDiagnostics(Uri.file(queueFile()));
    await until('the problem is listed', () => problems().length > 0);
    const [problem] = problems();
    assert.match(problem?.message ?? '', /priority "urgent" is not known/);
    assert.deepEqual([problem?.range.start.line, problem?.range.start.character], [5, 2]);
  });
});

describe('A task that the user takes', () => {
  const nextTask = (): string => join(folder(), 'claude_queue', 'NEXT_TASK.md');

  it('is written into NEXT_TASK.md, which is shown', async () => {
    await commands.executeCommand('claudeQueue.generateNextTask');
    await until('it is shown', () => window.activeTextEditor?.document.uri.fsPath === nextTask());
    assert.match(readFileSync(nextTask(), 'utf8'), /# Next task: 2\n/);
  });

  it('offers its outcomes as lenses', async () => {
    await until('there are lenses', async () => (await titles(nextTask())).includes('Done'));
    assert.deepEqual(
      (await lensesOf(nextTask())).map(([, title]) => title),
      ['Done', 'Failed', 'Return to Queue', 'Run Interactively'],
    );
  });

  it('is completed in the file once the user clicks Done', async () => {
    await commands.executeCommand('claudeQueue.markDone', 2);
    await until('the row says completed', () =>
      readFileSync(queueFile(), 'utf8').includes('in two parts",completed,'),
    );
    await until('its lens says so', async () => (await titles(queueFile())).includes('Completed'));
  });
});
