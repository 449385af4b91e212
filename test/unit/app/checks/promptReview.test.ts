import assert from 'node:assert/strict';
import { findNamedPaths, findRequestToAsk } from '../../../../src/app/checks/promptReview';

/** Prompts as people write them, none of which deserves a warning. */
const ORDINARY = [
  'Add rate limiting to POST /login and test it',
  'READMEのインストール手順を日本語に翻訳する',
  'Summarise the commits of the day in docs/daily.md',
  'Write contract tests for /invoices in test/contract/invoices.test.ts',
  '毎日の脆弱性レポートを docs/security.md に書く',
  'Обновить зависимости и починить линтер',
  'Can you fix the failing tests?',
  'Why is the build slow? Find out and fix it.',
  'Make the API ask users for their time zone',
  'See https://example.com/docs/guide.html and follow it',
  'Format src/**/*.ts with prettier',
  'Upgrade @types/node to 22.1.0 and node.js to 24',
  'Support the formats and/or dates 24/11/2026 and application/json',
  'Use import { x } from "../lib/x.js" everywhere',
  'Extract the parser into src/parser/parse.ts',
  'Show AskUserQuestion calls in the log',
  'Let users choose a theme; confirm with a dialog',
  'Напиши тесты в test/money.test.ts',
];

describe('The review of a prompt', () => {
  for (const prompt of ORDINARY)
    it(`has nothing to say about "${prompt}"`, () => {
      assert.deepEqual([findNamedPaths(prompt), findRequestToAsk(prompt)], [[], null]);
    });

  it('finds the files that a prompt names', () => {
    const named = (prompt: string): readonly string[] => findNamedPaths(prompt);
    assert.deepEqual(named('Fix the race in `src/session/refresh.ts`, see src/app.test.ts.'), [
      'src/session/refresh.ts',
      'src/app.test.ts',
    ]);
    assert.deepEqual(named('Fix ./lib/money.py and ./lib/money.py'), ['./lib/money.py']);
  });

  it('finds a request for an answer', () => {
    for (const prompt of [
      'Refactor the parser; ask me before you delete anything',
      'Plan the migration and wait for my approval',
      'List three names and let me choose',
      'Use the `AskUserQuestion` tool before each step',
      '変更する前に私に確認してください',
      'Перед удалением спроси меня',
    ])
      assert.notEqual(findRequestToAsk(prompt), null, prompt);
  });
});
