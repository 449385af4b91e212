import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ManifestTexts } from '../../../../scripts/texts/manifest';

const ROOT = resolve(__dirname, '../../../..');
const readJson = (name: string): unknown => JSON.parse(readFileSync(resolve(ROOT, name), 'utf8'));
const readTexts = (name: string): ManifestTexts => readJson(name) as ManifestTexts;

const ENGLISH = readTexts('package.nls.json');
/** The script of each language: text without a letter of it is not translated. */
const LANGUAGES = {
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u,
  ru: /\p{Script=Cyrillic}/u,
};
const NAMES = ['Task Queue for Claude Code', 'Claude Queue'];

/** Fields of the manifest that VS Code shows. */
const SHOWN =
  /^(?:displayName|description|title|shortTitle|category|label|name|contextualTitle|contents|markdownDescription|enumDescriptions|userDescription)$/;

/** The strings of the manifest's shown fields: of `contributes`, of `capabilities` and at the top. */
function listShown(value: unknown, field = ''): string[] {
  if (typeof value === 'string') return SHOWN.test(field) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]: [string, unknown]) =>
    listShown(each, Array.isArray(value) ? field : name),
  );
}

interface Manifest {
  readonly displayName: string;
  readonly description: string;
  readonly capabilities: unknown;
  readonly contributes: Readonly<Record<string, unknown>> & {
    readonly languageModelTools: readonly {
      readonly displayName: string;
      readonly userDescription: string;
    }[];
  };
}

const { displayName, description, capabilities, contributes } = readJson('package.json') as Manifest;
const { languageModelTools, ...surfaces } = contributes;
// A model reads the other fields of a tool, in English.
const tools = languageModelTools.map(({ displayName: name, userDescription }) => ({ name, userDescription }));
const shown = listShown({ displayName, description, capabilities, surfaces, tools });

/** Returns the parts that a translator leaves as they are: links, code, icons, lines, and `…` at the end. */
function fixedParts(text: string): readonly unknown[] {
  const parts = (pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([part]) => part).sort();
  return [
    ...parts(/\]\([^)]+\)|`[^`]+`|\$\([\w-]+\)|\{\w+\}/g),
    text.split('\n').length,
    text.endsWith('…'),
    (text.match(/\*/g) ?? []).length,
  ];
}

describe('package.nls.json', () => {
  it('has every text of the manifest that VS Code shows', () => {
    assert.deepEqual(
      shown.filter((text) => !/^%[\w.-]+%$/.test(text)),
      [],
      'write a %key% into package.json, and its text into each package.nls*.json',
    );
    assert.ok(shown.length > 100);
  });

  it('has a text for each key, and no other', () => {
    assert.deepEqual(Object.keys(ENGLISH).sort(), [...new Set(shown)].map((key) => key.slice(1, -1)).sort());
  });

  it('has a translation into each language', () => {
    const files = readdirSync(ROOT).filter((name) => /^package\.nls\.\w+\.json$/.test(name));
    assert.deepEqual(
      files,
      Object.keys(LANGUAGES).map((language) => `package.nls.${language}.json`),
    );
  });
});

const PAGES = 'media/walkthrough';
const readPage = (name: string): string => readFileSync(resolve(ROOT, PAGES, name), 'utf8');

/** Returns what each line of a page begins with: a heading, an entry of a list, a row of a table, code, or a paragraph. */
function structureOf(page: string): string[] {
  return page
    .split('\n')
    .flatMap((line) => (line === '' ? [] : (/^(?:##|-|\||```)/.exec(line)?.[0] ?? 'text')));
}

/** Returns the code in a page: blocks and spans. */
function codeOf(page: string): string[] {
  return [...page.matchAll(/```[^`]+```|`[^`\n]+`/g)].map(([code]) => code);
}

for (const [language, script] of Object.entries(LANGUAGES)) {
  describe(`package.nls.${language}.json`, () => {
    const texts = readTexts(`package.nls.${language}.json`);

    it('has the keys of package.nls.json, in the same order', () => {
      assert.deepEqual(Object.keys(texts), Object.keys(ENGLISH));
    });

    it('has the same links, code, icons and lines in each text', () => {
      for (const [key, text] of Object.entries(texts))
        assert.deepEqual(fixedParts(text), fixedParts(ENGLISH[key] ?? ''), key);
    });

    it('has translated texts, and names as they are', () => {
      for (const [key, english] of Object.entries(ENGLISH)) {
        if (NAMES.includes(english)) assert.equal(texts[key], english, key);
        else assert.match(texts[key] ?? '', script, key);
      }
    });

    it('comes with the pages of the walkthrough, each with the same code and the same parts', () => {
      const pages = readdirSync(join(ROOT, PAGES)).filter((name) => /^\w+\.md$/.test(name));
      assert.equal(pages.length, 4);
      for (const name of pages) {
        const [english, page] = [readPage(name), readPage(name.replace('.md', `.nls.${language}.md`))];
        assert.deepEqual(structureOf(page), structureOf(english), name);
        assert.deepEqual(codeOf(page), codeOf(english), name);
        assert.match(page, script, name);
      }
    });

    it('has different titles for different commands', () => {
      const titles = (of: ManifestTexts): number =>
        new Set(Object.entries(of).flatMap(([key, text]) => (key.startsWith('command.') ? [text] : []))).size;
      assert.equal(titles(texts), titles(ENGLISH));
    });
  });
}
