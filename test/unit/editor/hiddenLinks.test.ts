import assert from 'node:assert/strict';
import { hideIcons, hideLinks } from '../../../src/editor/hiddenLinks';

describe('A text that others wrote', () => {
  it('has no icons where VS Code would draw them', () => {
    assert.equal(hideIcons('A $(alert) B'), 'A $\u2060(alert) B');
  });

  it('has no links where VS Code would make them run commands', () => {
    const hidden = hideLinks('Read [the plan](command:name) and [that](https://example.com) $(alert)');
    assert.equal(
      hidden,
      'Read [the plan]\u2060(command:name) and [that]\u2060(https://example.com) $\u2060(alert)',
    );
  });
});
