import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CliHarness } from '../../cliHarness';

describe('The review of prompts', () => {
  let cli: CliHarness;
  beforeEach(() => {
    cli = new CliHarness();
  });
  afterEach(() => cli.remove());

  for (const command of ['check', 'simulate'])
    it(`names in \`${command}\` an action that the machine’s mode refuses, unless Claude Code’s settings allow it`, async () => {
      cli.write('1,low,.,Run npm test,pending,,,no,,0,3');
      await cli.call('trust');
      const review = /asks for an action \("Run npm test"\) that permission mode acceptEdits may refuse\./;
      assert.match((await cli.call(command)).out, review);
      const settings = join(cli.env['HOME'] ?? '', '.claude', 'settings.json');
      mkdirSync(dirname(settings), { recursive: true });
      writeFileSync(settings, '{"permissions":{"allow":["Bash(npm test)"]}}');
      assert.doesNotMatch((await cli.call(command)).out, review);
    });
});
