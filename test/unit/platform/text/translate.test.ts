import assert from 'node:assert/strict';
import { quoteCommand, setCommandName } from '../../../../src/platform/text/commandName';
import { setTranslations, t } from '../../../../src/platform/text/translate';

describe('A text in the language of the user', () => {
  afterEach(() => {
    setTranslations({});
    setCommandName('claude-queue');
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

  it('names commands as the user called the program, but not in the values', () => {
    setCommandName("claude-queue --queue 'my {0}.csv'");
    const text = t('{0}: see "claude-queue check".', 'Run "claude-queue work"');
    assert.equal(text, `Run "claude-queue work": see "claude-queue --queue 'my {0}.csv' check".`);
    assert.equal(quoteCommand('approve 3'), `"claude-queue --queue 'my {0}.csv' approve 3"`);
  });
});
