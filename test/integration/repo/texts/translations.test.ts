import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { listSources } from '../../../../scripts/texts/collect';
import { findTranslated, findUntranslated } from '../../../../scripts/texts/translated';

const ROOT = resolve(__dirname, '../../../..');

/** Folders and files of src/ whose texts the editor shows. */
const SHOWN: readonly string[] = [];

/** Texts that look like words for people and are none, or stay English: names, formats, and what others read. */
const ENGLISH: Readonly<Record<string, readonly string[]>> = {};

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** The values that a text is filled with. */
const valuesOf = (text: string): string[] => [...new Set(text.match(/\{\d+\}/g))].sort();

describe('The texts of the extension', () => {
  const texts = new Set(
    listSources().flatMap((file) => findTranslated(file, read(file)).map(({ text }) => text)),
  );

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

  it('are given to be translated wherever the editor shows them', () => {
    const left = listSources()
      .filter((file) => SHOWN.some((start) => file.startsWith(start)))
      .flatMap((file) => findUntranslated(file, read(file)))
      .filter(({ where, text }) => ENGLISH[where.replace(/:\d+$/, '')]?.includes(text) !== true);
    assert.deepEqual(
      left.map(({ where, text }) => `${where} ${text}`),
      [],
    );
  });
});
