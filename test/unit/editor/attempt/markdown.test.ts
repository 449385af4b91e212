import assert from 'node:assert/strict';
import { renderMarkdown } from '../../../../src/editor/attempt/page/markdown';
import type { FindFile } from '../../../../src/editor/attempt/page/html';

const find: FindFile = (text) => (text.startsWith('src/') ? { path: text } : null);
const none: FindFile = () => null;

const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '[a](javascript:alert(1))',
  '[a](command:workbench.action.closeWindow)',
  '[a](data:text/html,<script>)',
  '![p](https://example.com/p.png "t")',
  '![p](javascript:alert(1))',
  '<https://example.com/"onclick="x>',
  '[a](x "><script>alert(1)</script>")',
  '`<b onclick=x>`',
  '```"><script>\n<iframe src=x>\n```',
  '| a | b |\n|:-|-:|\n| <i> | [x](y) |',
  '&lt;script&gt; &#60;b&#62;',
  '[r]\n\n[r]: javascript:alert(1) "><img>"',
];

describe('Markdown on the page of an attempt', () => {
  it('has no link, picture, attribute or element of its author', () => {
    for (const text of HOSTILE) {
      const html = renderMarkdown(text, none);
      const tags = html.match(/<[^>]*>/g) ?? [];
      for (const tag of tags)
        assert.match(
          tag,
          /^<\/?(?:p|code|pre|table|thead|tbody|tr|th|td|em|strong)>$|^<span class="address">$|^<\/span>$/,
          `${tag} of ${text}`,
        );
    }
  });

  it('shows where a link leads as text', () => {
    assert.equal(
      renderMarkdown('[docs](https://example.com/a)', none).trim(),
      '<p>docs <span class="address">(https://example.com/a)</span></p>',
    );
    assert.equal(renderMarkdown('<https://example.com/a>', none).trim(), '<p>https://example.com/a</p>');
  });

  it('makes a file of the working directory a button, also inside a link', () => {
    const button = '<button type="button" class="file" data-path="src/a.ts">';
    assert.equal(renderMarkdown('`src/a.ts`', find).trim(), `<p>${button}<code>src/a.ts</code></button></p>`);
    assert.equal(
      renderMarkdown('[a `src/b`](src/a.ts)', find).trim(),
      `<p>${button}a <code>src/b</code></button></p>`,
    );
  });

  it('keeps the headings of the page above those of the text', () => {
    assert.equal(renderMarkdown('# One\n\n##### Five', none), '<h4>One</h4>\n<h6>Five</h6>\n');
  });

  it('keeps lists, and where their numbers start', () => {
    assert.equal(renderMarkdown('3. a\n4. b', none), '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>\n');
    assert.equal(renderMarkdown('0. a', none), '<ol start="0">\n<li>a</li>\n</ol>\n');
    assert.equal(renderMarkdown('1. a', none), '<ol>\n<li>a</li>\n</ol>\n');
  });

  it('cuts a huge text and says so', () => {
    const html = renderMarkdown('word '.repeat(1_000_000), none);
    assert.ok(html.length < 50_000);
    assert.match(html, /\d+ characters are not shown/);
  });

  it('cuts a huge text between two characters', () => {
    for (const start of ['', 'a', 'ab'])
      assert.doesNotMatch(renderMarkdown(start + '😀'.repeat(20_000), none), /\p{Surrogate}/u);
  });

  it('is quick with a text that nests deeply', () => {
    for (const part of ['[', '*a_', '> ', '`', '![', '<', '- '])
      assert.ok(renderMarkdown(part.repeat(20_000), none).length > 0);
  });
});
