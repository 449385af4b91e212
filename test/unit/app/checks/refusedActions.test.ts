import assert from 'node:assert/strict';
import { findRefusedAction } from '../../../../src/app/checks/refusedActions';
import type { PermissionMode } from '../../../../src/domain/task/task';

const find = (mode: PermissionMode, prompt: string, ...tools: readonly string[]): string | null =>
  findRefusedAction(prompt, { mode, tools });

/** Prompts as people write them, none of which asks for an action that is surely refused. */
const ORDINARY = [
  'Plan how to run npm test faster.',
  'Explain the bug. Do not run npm test.',
  'Run git log. Explain it.',
  'Run docker ps and tell me what is there',
  'Run npm ls. List what is old.',
  'Why does "run make all" fail?',
  'Search the web app for dead links',
  'Search the web/ folder for dead links',
  'Research why the web search is slow',
  'ウェブで検索できるようにする',
  'Write a summary of src/a.ts',
  'Explain how to fix src/a.ts',
  'Fix the grammar of this sentence: He go home.',
  'Explain src/a.ts. Write in plain words.',
];

describe('The review of the actions in a prompt', () => {
  for (const prompt of ORDINARY)
    it(`has nothing to say about "${prompt}"`, () => {
      for (const mode of ['default', 'manual', 'dontAsk', 'acceptEdits', 'plan'] as const)
        assert.equal(find(mode, prompt), null);
    });

  it('finds a command in each mode that refuses it without a rule', () => {
    const prompt = 'Fix the bug. Run `npm test` and git push.';
    for (const mode of ['default', 'manual', 'dontAsk', 'acceptEdits', 'plan'] as const)
      assert.equal(find(mode, prompt), 'Run `npm test');
    for (const mode of ['auto', 'bypassPermissions'] as const) assert.equal(find(mode, prompt), null);
    assert.equal(find('acceptEdits', prompt, 'Bash(npm test)'), null);
    assert.equal(find('acceptEdits', 'Please run docker build .', 'Edit'), 'run docker build');
  });

  it('finds a search of the web, unless a rule allows it or another way', () => {
    for (const prompt of [
      'Search the web for new releases',
      'Read the code.\nSearch the internet. Compare.',
      'Webで検索して、要約してください',
      'Найди в интернете новые версии',
    ])
      for (const mode of ['default', 'dontAsk', 'acceptEdits'] as const) {
        assert.notEqual(find(mode, prompt), null, prompt);
        for (const rule of ['WebSearch', 'WebFetch(domain:example.com)', 'Bash(curl:*)', 'mcp__search'])
          assert.equal(find(mode, prompt, rule), null);
      }
    assert.equal(find('auto', 'Search the web for new releases'), null);
  });

  it('finds a change of a file in the modes that only let Claude read', () => {
    assert.equal(
      find('default', 'Fix the race in `src/app/a.ts`, then rest'),
      'Fix the race in `src/app/a.ts',
    );
    assert.equal(find('dontAsk', 'Write the report to docs/report.md'), 'Write the report to docs/report.md');
    for (const rule of ['Edit', 'Write(//tmp/**)', 'Bash(sed:*)'])
      assert.equal(find('manual', 'Rename x in src/a.ts', rule), null);
    for (const mode of ['acceptEdits', 'auto', 'plan'] as const)
      assert.equal(find(mode, 'Fix the race in src/app/a.ts'), null);
  });

  it('takes time linear in the length of white space and quotes', () => {
    const length = 100_000;
    for (const prompt of ['\n', ' ', '\t\n', '"'].map((piece) => `Fix${piece.repeat(length)}it`)) {
      const startedAt = performance.now();
      assert.equal(find('default', prompt), null);
      assert.ok(performance.now() - startedAt < 2_000);
    }
    assert.equal(find('default', 'Read.\r\n\r\n  Please  run\tnpm  test'), 'run npm test');
  });
});
