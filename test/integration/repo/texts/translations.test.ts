import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { listSources } from '../../../../scripts/texts/collect';
import { findTranslated, findUntranslated } from '../../../../scripts/texts/translated';

const ROOT = resolve(__dirname, '../../../..');

/** Folders and files of src/ whose texts the editor shows. */
const SHOWN: readonly string[] = [
  ...['src/account/', 'src/app/', 'src/editor/'],
  ...['folder/', 'installation/', 'interactive/'].map((name) => `src/claude/${name}`),
  ...['files/', 'git/', 'lock/', 'processes/'].map((name) => `src/platform/${name}`),
  ...['csv/', 'file/', 'redis/', 'row/'].map((name) => `src/queue/${name}`),
];

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/**
 * Texts by file that look like words for people and are none, or stay English: names, formats, what is stored or sent to
 * Claude, and what only the command prints.
 */
const ENGLISH = JSON.parse(read('test/integration/repo/texts/english.json')) as Readonly<
  Record<string, readonly string[]>
>;

/** The values that a text is filled with. */
const valuesOf = (text: string): string[] => [...new Set(text.match(/\{\d+\}/g))].sort();

describe('The texts of the extension', () => {
  const translated = listSources().flatMap((file) => findTranslated(file, read(file)));
  const texts = new Set(translated.map(({ text }) => text));

  it('that name a command are made when they are shown, so that they name the queue as the user does', () => {
    const early = translated.filter(
      ({ text, isMadeAtLoad }) => isMadeAtLoad && text.includes('"claude-queue '),
    );
    assert.deepEqual(
      early.map(({ where, text }) => `${where} ${text}`),
      [],
    );
  });

  for (const language of ['ja', 'ru']) {
    const bundle = JSON.parse(read(`l10n/bundle.l10n.${language}.json`)) as Readonly<Record<string, string>>;

    it(`are all in ${language}, and nothing else is`, () => {
      assert.deepEqual(
        [...texts].filter((text) => !Object.hasOwn(bundle, text)),
        [],
        'without a translation',
      );
      assert.deepEqual(
        Object.keys(bundle).filter((text) => !texts.has(text)),
        [],
        'of no text',
      );
    });

    it(`have the same values in ${language}`, () => {
      for (const [text, translation] of Object.entries(bundle))
        assert.deepEqual(valuesOf(translation), valuesOf(text), text);
    });

    it(`are in the order of their English texts in ${language}, so that changes are easy to merge`, () => {
      assert.deepEqual(Object.keys(bundle), Object.keys(bundle).sort());
    });
  }

  it('have one spelling in ru: е in the place of ё', () => {
    const mixed = ['l10n/bundle.l10n.ru.json', 'package.nls.ru.json'].filter((file) =>
      /ё/iu.test(read(file)),
    );
    assert.deepEqual(mixed, []);
  });

  describe('that stay English', () => {
    const found = listSources()
      .filter((file) => SHOWN.some((start) => file.startsWith(start)))
      .flatMap((file) => findUntranslated(file, read(file)).map((one) => ({ file, ...one })));

    it('are listed: all others that the editor shows are given to be translated', () => {
      const left = found.filter(({ file, text }) => ENGLISH[file]?.includes(text) !== true);
      assert.deepEqual(
        left.map(({ where, text }) => `${where} ${text}`),
        [],
      );
    });

    it('are all still there', () => {
      const gone = Object.entries(ENGLISH).flatMap(([file, texts]) =>
        texts.filter((text) => !found.some((one) => one.file === file && one.text === text)),
      );
      assert.deepEqual(gone, []);
    });
  });
});
