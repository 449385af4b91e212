import assert from 'node:assert/strict';
import { findRefusedAction } from '../../../src/app/checks/refusedActions';
import { text, tool } from '../../support/claude/replies';
import { openPlace } from '../../support/queue/queuePlace';

/** Actions that a prompt may ask for, with the call that Claude makes of it. */
const ACTIONS = [
  ['Run npm test', tool('Bash', { command: 'npm test', description: 'Test' })],
  ['Run docker ps', tool('Bash', { command: 'docker ps', description: 'List' })],
  ['Search the web for news', tool('WebSearch', { query: 'the news' })],
  ['Write it to docs/new.md', tool('Write', { file_path: 'docs/new.md', content: 'It.' })],
] as const;

interface Rehearsal {
  readonly tasks: readonly { readonly id: number; readonly refused: readonly { readonly tool: string }[] }[];
}

describe('The review of a prompt', () => {
  for (const mode of ['default', 'dontAsk', 'acceptEdits'] as const)
    it(`names the actions that the real Claude Code refuses in mode ${mode}`, async () => {
      const place = await openPlace({
        respond: (turn) => {
          const [, call] = ACTIONS.find(([prompt]) => turn.lastUserText.includes(prompt)) ?? [];
          return turn.toolResults > 0 || call === undefined ? text('Done.') : call;
        },
      });
      const { queue } = place;
      const daily = { repeat: 'yes', repeat_interval: 'daily', permission_mode: mode };
      await queue.trust(ACTIONS.map(([prompt], index) => ({ id: index + 1, prompt, ...daily })));
      await queue.run('work --until-empty');
      const { tasks } = JSON.parse((await queue.run('rehearse --json')).stdout) as Rehearsal;
      const foreseen = ACTIONS.map(([prompt]) => findRefusedAction(prompt, { mode, tools: [] }) !== null);
      assert.deepEqual(
        tasks.map(({ refused }) => refused.length > 0),
        foreseen,
      );
    });
});
