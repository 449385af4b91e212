import assert from 'node:assert/strict';
import { findTranslated, findUntranslated } from '../../../../scripts/texts/translated';

const textsOf = (found: readonly { readonly text: string }[]): string[] => found.map(({ text }) => text);

describe('The search for texts that are to be translated', () => {
  it('finds the literals in t(), also sums of some', () => {
    const code = "a(t('No task.'), t('Task {0} ' + 'failed.', id), 'Other words');";
    assert.deepEqual(textsOf(findTranslated('file.ts', code)), ['No task.', 'Task {0} failed.']);
  });

  it('knows which are made when the module loads', () => {
    const code =
      "const A = { a: t('Early.') }; const b = () => t('Late.'); function c() { return t('Late.'); }";
    const early = findTranslated('file.ts', code).filter(({ isMadeAtLoad }) => isMadeAtLoad);
    assert.deepEqual(textsOf(early), ['Early.']);
  });

  it('refuses what is put together while the program runs', () => {
    for (const code of ['t(text);', 't(`Task ${id} failed.`);', "t('Task ' + id);"])
      assert.throws(() => findTranslated('file.ts', code), /file\.ts:1/, code);
  });

  it('finds the texts for people outside of t()', () => {
    const code = "a(t('No task.', 'one more'), `Task ${id} failed.`, 'a-key');";
    assert.deepEqual(textsOf(findUntranslated('file.ts', code)), ['Task {id} failed.']);
  });

  it('leaves out the log and faults of the program', () => {
    const code = "this.services.log.warn('Not read: no file'); throw new RangeError('There is no cell');";
    assert.deepEqual(findUntranslated('file.ts', code), []);
  });
});
