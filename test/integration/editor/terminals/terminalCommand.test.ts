import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { nameQueue, offerCommand } from '../../../../src/editor/terminals/terminalCommand';

describe('The command in the editor’s terminals', () => {
  it('runs the extension’s own program, behind one that the user has installed', async () => {
    const folder = mkdtempSync(join(tmpdir(), "terminal 'command' "));
    try {
      const program = join(folder, 'cli.js');
      writeFileSync(program, 'console.log(JSON.stringify(process.argv.slice(2)))');
      const appended: string[] = [];
      const environmentVariableCollection = {
        description: '',
        append: (name: string, value: string) => appended.push(name, value),
      };
      const ground = { environmentVariableCollection, globalStorageUri: { fsPath: folder } };
      await offerCommand(ground as unknown as Parameters<typeof offerCommand>[0], program);
      assert.deepEqual(appended, ['PATH', delimiter + join(folder, 'bin')]);
      const { stdout, stderr } = spawnSync('claude-queue', ['add', 'two words', '$HOME'], {
        encoding: 'utf8',
        env: { PATH: ['/usr/bin', '/bin'].join(delimiter) + (appended[1] ?? '') },
      });
      assert.equal(stdout, '["add","two words","$HOME"]\n', stderr);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('uses the queue in Redis that the window shows', () => {
    const variables = new Map<string, string>();
    const environmentVariableCollection = {
      description: '',
      replace: (name: string, value: string) => variables.set(name, value),
      delete: (name: string) => variables.delete(name),
    };
    const ground = { environmentVariableCollection } as unknown as Parameters<typeof nameQueue>[0];
    nameQueue(ground, 'rediss://me@redis.example/0?queue=team');
    assert.deepEqual([...variables], [['CLAUDE_QUEUE_REDIS', 'rediss://me@redis.example/0?queue=team']]);
    nameQueue(ground, '');
    assert.deepEqual([...variables], []);
  });
});
