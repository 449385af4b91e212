import assert from 'node:assert/strict';
import { collectTexts, findMessages } from '../../../../scripts/texts/collect';

const textsOf = (code: string): string[] => findMessages('file.ts', code).map(({ text }) => text);

describe('The list of texts', () => {
  const texts = collectTexts();
  const find = (what: string): string[] => texts.filter((one) => one.what === what).map(({ where }) => where);

  for (const what of [
    'work',
    'work --workers <n>',
    'timeZone',
    'command.start.title',
    'welcome.noQueue',
    'setting.claude.description',
  ]) {
    it(`has the text of ${what}, with its line`, () => {
      assert.match(find(what)[0] ?? '', /^(?:src\/.+\.ts|package\.nls\.json):\d+$/);
    });
  }

  it('has no text twice', () => {
    const lines = texts.filter(({ what }) => what === 'message').map(({ where, text }) => `${where} ${text}`);
    assert.equal(new Set(lines).size, lines.length);
    assert.ok(lines.length > 1000);
  });

  it('has sentences, labels and templates with their line', () => {
    const code = "const a = 'Done';\nconst b = `Task ${id} failed.`;\nconst c = 'No ' + 'task.';";
    assert.deepEqual(
      findMessages('file.ts', code).map(({ where, text }) => [where, text]),
      [
        ['file.ts:1', 'Done'],
        ['file.ts:2', 'Task {id} failed.'],
        ['file.ts:3', 'No task.'],
      ],
    );
  });

  it('has no key, path, regular expression, type or import', () => {
    const code = `import x from 'some words';\ntype T = 'two words' | 'x';\nconst a = ['task-id', '/usr/bin', 'utf8', /a b/];`;
    assert.deepEqual(textsOf(code), []);
  });
});
