import assert from 'node:assert/strict';
import { setTranslations, t } from '../../../../src/platform/text/translate';

describe('A text in the language of the user', () => {
  afterEach(() => {
    setTranslations({});
  });

  it('has the values in the places that the translation has', () => {
    setTranslations({ '{0} of {1}': '{1} の {0}' });
    assert.equal(t('{0} of {1}', 2, 'three'), 'three の 2');
  });

  it('is English where there is no translation', () => {
    assert.equal(t('Task {0} failed.', 7), 'Task 7 failed.');
    assert.equal(t('toString'), 'toString');
  });

  it('fills nothing into the values', () => {
    assert.equal(t('{0}: {1}', 'a {1} of the user', 'b'), 'a {1} of the user: b');
  });
});
