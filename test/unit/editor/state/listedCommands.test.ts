import assert from 'node:assert/strict';
import { describeCommand, listCommands } from '../../../../src/editor/state/listedCommands';

const manifestWith = (title: unknown): unknown => ({
  contributes: { commands: [{ command: 'claudeQueue.start', title, icon: '$(play)' }] },
});

describe('A command of the manifest', () => {
  it('has the title in the language that VS Code shows', () => {
    for (const title of ['開始…', { value: '開始…', original: 'Start…' }])
      assert.deepEqual(describeCommand('start', listCommands(manifestWith(title))), {
        title: '開始…',
        icon: 'play',
      });
  });

  it('that is not listed has its id as its title', () => {
    assert.deepEqual(describeCommand('stop', listCommands(manifestWith('Start…'))), {
      title: 'claudeQueue.stop',
      icon: null,
    });
  });
});
