import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extensions, commands, languages, Range, Uri, window, workspace } from 'vscode';
import type { Extension } from 'vscode';
import { until } from '../../support/until';

const ID = 'claude-task-queue.claude-task-queue';

interface Manifest {
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
}

function findExtension(): Extension<unknown> {
  const found = extensions.getExtension(ID);
  assert.ok(found, `${ID} is not among the editor's extensions`);
  return found;
}

describe('The extension in a folder with a queue', () => {
  it('is active as soon as the folder is open', async () => {
    await until('it is active', () => findExtension().isActive);
  });

  it('has every command of its manifest', async () => {
    const { contributes } = findExtension().packageJSON as Manifest;
    const promised = contributes.commands.map(({ command }) => command);
    const present = await commands.getCommands(true);
    assert.ok(promised.length > 0);
    assert.deepEqual(
      promised.filter((command) => !present.includes(command)),
      [],
    );
  });

  it('lists an invalid row among the problems, at its cell, although the file is not open', async () => {
    const [folder] = workspace.workspaceFolders ?? [];
    assert.ok(folder, 'no folder is open');
    const file = Uri.joinPath(folder.uri, 'claude_queue', 'prompts.csv');
    await until('the problem is listed', () => languages.getDiagnostics(file).length > 0);
    assert.deepEqual(
      workspace.textDocuments.filter(({ uri }) => uri.fsPath === file.fsPath),
      [],
    );
    const [problem] = languages.getDiagnostics(file);
    assert.match(problem?.message ?? '', /priority "urgent" is not known/);
    assert.deepEqual(problem?.range, new Range(5, 2, 5, 8));
  });

  it('has its command in a new terminal', async () => {
    // Removed with the run's temporary folder: the terminal may still write a last answer into it.
    const folder = mkdtempSync(join(tmpdir(), 'terminal-'));
    const file = join(folder, 'version');
    await until('it is active', () => findExtension().isActive);
    const { version } = findExtension().packageJSON as { readonly version: string };
    // The collection is taken over by terminals that are opened after it was filled.
    const terminal = window.createTerminal({ shellPath: '/bin/sh' });
    try {
      await until('the command has answered', () => {
        terminal.sendText(`claude-queue --version > '${file}.new' 2>&1 && mv '${file}.new' '${file}'`);
        return existsSync(file);
      });
      assert.equal(readFileSync(file, 'utf8').trim(), version);
    } finally {
      terminal.dispose();
    }
  });
});
