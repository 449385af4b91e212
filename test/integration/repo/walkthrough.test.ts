import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import japanese from '../../../l10n/bundle.l10n.ja.json';
import russian from '../../../l10n/bundle.l10n.ru.json';
import english from '../../../package.nls.json';
import { localize } from '../../../scripts/texts/manifest';
import { EXAMPLE_PROMPT } from '../../../src/app/actions/queue/newQueue';

interface Step {
  readonly description: string;
  readonly media: { readonly markdown: string };
  readonly completionEvents: readonly string[];
}

interface Manifest {
  readonly publisher: string;
  readonly name: string;
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly walkthroughs: readonly { readonly id: string; readonly steps: readonly Step[] }[];
    readonly viewsWelcome: readonly { readonly contents: string }[];
  };
}

const read = (name: string): string => readFileSync(resolve(__dirname, '../../..', name), 'utf8');
const { publisher, name, contributes } = localize(JSON.parse(read('package.json')) as Manifest, english);
const { commands, walkthroughs, viewsWelcome } = contributes;
const ids = commands.map(({ command }) => command);

describe('The walkthrough', () => {
  const steps = walkthroughs.flatMap((walkthrough) => walkthrough.steps);

  it('has four steps, each with a button for a command and a page', () => {
    assert.equal(steps.length, 4);
    for (const { description, media } of steps) {
      const [, command = ''] = /\]\(command:([\w.]+)\)$/.exec(description) ?? [];
      assert.ok(ids.includes(command), description);
      assert.ok(read(media.markdown).startsWith('## '), media.markdown);
    }
  });

  for (const [language, attention] of [
    ['', 'Needs Attention'],
    ['.nls.ja', japanese['Needs Attention']],
    ['.nls.ru', russian['Needs Attention']],
  ] as const) {
    it(`shows the example row as it is created and names the group as the view does (${language === '' ? 'English' : language})`, () => {
      assert.match(
        read(`media/walkthrough/queue${language}.md`),
        new RegExp(`^1,medium,\\.,${EXAMPLE_PROMPT},`, 'm'),
      );
      assert.ok(read(`media/walkthrough/start${language}.md`).includes(attention), attention);
    });
  }

  it('is opened by the view of a folder without a queue', () => {
    const links = viewsWelcome.flatMap(
      ({ contents }) => /openWalkthrough\?([^)]+)/.exec(contents)?.[1] ?? [],
    );
    const ids = walkthroughs.map(({ id }) => [`${publisher}.${name}#${id}`]);
    assert.deepEqual(
      links.map((link) => JSON.parse(decodeURIComponent(link)) as unknown),
      ids,
    );
  });

  it('counts a step as done by its command, or once there is a queue', () => {
    for (const { completionEvents } of steps)
      for (const event of completionEvents) {
        const [, command] = /^onCommand:([\w.]+)$/.exec(event) ?? [];
        assert.ok(event === "onContext:claudeQueue.state == 'ready'" || ids.includes(command ?? ''), event);
      }
  });
});
