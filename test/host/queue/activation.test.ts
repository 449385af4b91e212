import assert from 'node:assert/strict';
import { extensions, commands } from 'vscode';
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
  it('is there as soon as the folder is open', async () => {
    await until('it is active', () => findExtension().isActive);
  });

  it('has every command that it promises', async () => {
    const { contributes } = findExtension().packageJSON as Manifest;
    const promised = contributes.commands.map(({ command }) => command);
    const present = await commands.getCommands(true);
    assert.ok(promised.length > 0);
    assert.deepEqual(
      promised.filter((command) => !present.includes(command)),
      [],
    );
  });
});
