import assert from 'node:assert/strict';
import { commandsOf, layOutHover, type HoverText } from '../../../../src/editor/hover/hoverText';

const HOSTILE = [
  '![x](https://a.example/y) <b> `c` $(bug) # d',
  '[Retry](command:claudeQueue.remove?%5B1%5D)',
  '](command:claudeQueue.start) [',
  'https://a.example www.a.example a@b.example <command:claudeQueue.start>',
  '&lt;a href="command:x"&gt; \\[x](y) \n\n[x]: command:claudeQueue.start',
];

const layOut = (text: Partial<HoverText>): string => layOutHover({ lines: [], ...text });

describe('A hover', () => {
  it('has its title, its lines, its links, and below a rule its facts and notes', () => {
    const text = layOut({
      title: '7  Sweep',
      lines: ['Needs review.', 'Due 18:00.'],
      links: [
        { title: 'Accept', command: 'accept', arguments: [7] },
        { title: 'Start…', command: 'start' },
      ],
      facts: [{ name: 'Cost', text: '5 EUR' }],
      notes: ['Note'],
    });
    assert.deepEqual(text.split('\n\n'), [
      '**7  Sweep**'.replace('  ', ' '),
      'Needs review\\.  \nDue 18\\:00\\.',
      '[Accept](command:claudeQueue.accept?%5B7%5D) \u00a0·\u00a0 [Start…](command:claudeQueue.start)',
      '---',
      '**Cost**  5 EUR  \nNote',
    ]);
    assert.equal(layOut({ lines: ['Sweep'] }), 'Sweep');
  });

  it('turns no text of others into a link, a picture, a command or an icon', () => {
    for (const text of HOSTILE) {
      const parts = { title: text, lines: [text], facts: [{ name: text, text }], notes: [text] };
      const plain = layOut(parts)
        .replaceAll('\n\n---\n\n', '\n\n')
        .replaceAll(/^\*\*|\*\*$/gm, '')
        .replaceAll('**  ', '  ');
      assert.doesNotMatch(plain, /(?<!\\)(?:\\\\)*[![\]()<>`$#:/.@&*_]/, text);
    }
  });

  it('has a link that nothing in its arguments ends', () => {
    const [link = ''] = layOut({
      links: [{ title: 'a](b', command: 'retry', arguments: ['x) [y](z) "t" \'u\''] }],
    }).split('\n');
    assert.match(link, /^\[a\\\]\\\(b\]\(command:claudeQueue\.retry\?[\w%.-]+\)$/);
  });

  it('allows the commands of its links, each once, and no others', () => {
    const links = [
      { title: 'A', command: 'retry', arguments: [1] },
      { title: 'B', command: 'retry', arguments: [2] },
      { title: 'C', command: 'start' },
    ] as const;
    assert.deepEqual(commandsOf({ links }), ['claudeQueue.retry', 'claudeQueue.start']);
    assert.deepEqual(commandsOf({}), []);
  });

  it('has a limited length, whatever was refused', () => {
    assert.ok(layOut({ facts: [{ name: 'refused', text: 'x'.repeat(9_999) }] }).length < 400);
  });
});
