import assert from 'node:assert/strict';
import { fill, markup } from '../../../../src/editor/pages/html';
import { composePage } from '../../../../src/editor/pages/pageHtml';
import { readMessage } from '../../../../src/editor/pages/pageMessage';
import { PAGE_STYLE } from '../../../../src/editor/pages/pageStyle';

const HOSTILE = `</script><img src=x onerror="alert('1')">&amp;`;

describe('HTML of a page', () => {
  it('escapes every text, in content and in an attribute', () => {
    const { source } = markup`<p title="${HOSTILE}">${HOSTILE}</p>`;
    const escaped = '&lt;/script&gt;&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;amp;';
    assert.equal(source, `<p title="${escaped}">${escaped}</p>`);
  });

  it('contains other HTML, lists and numbers as they are, and nothing for null', () => {
    const items = [1, 2].map((n) => markup`<li>${n}</li>`);
    assert.equal(markup`<ul>${items}</ul>${null}`.source, '<ul><li>1</li><li>2</li></ul>');
  });

  it('has parts in a text, in the order of the text, and escapes the text', () => {
    const parts = [markup`<b>1</b>`, '<2>'];
    assert.equal(fill('{1} & {0}, {2}', ...parts).source, '&lt;2&gt; &amp; <b>1</b>, ');
    assert.equal(fill('as it is').source, 'as it is');
  });

  it('loads nothing, and runs only the script with its nonce', () => {
    const page = composePage(
      { title: HOSTILE, body: markup`<main>x</main>` },
      { queue: HOSTILE, nonce: 'n0nce' },
    );
    assert.match(page, /content="default-src 'none'; style-src 'nonce-n0nce'; script-src 'nonce-n0nce'/);
    assert.equal(page.match(/<script/g)?.length, 1);
    assert.match(page, /<script nonce="n0nce">/);
    assert.doesNotMatch(page, /https?:|<img|style="/);
  });

  it('has only colours of the theme', () => {
    assert.doesNotMatch(PAGE_STYLE, /#[0-9a-f]{3,8}\b|rgba?\(/i);
  });
});

describe('A message of a page', () => {
  it('is read if its shape is right', () => {
    const message = { action: 'start', value: '', ticked: ['1'] };
    assert.deepEqual(readMessage(message), message);
  });

  for (const wrong of [
    null,
    'start',
    {},
    { action: 'start', value: 1, ticked: [] },
    { action: 'a', value: '', ticked: [1] },
  ])
    it(`is not read: ${JSON.stringify(wrong)}`, () => {
      assert.equal(readMessage(wrong), null);
    });
});
