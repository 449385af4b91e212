import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

interface Step {
  readonly description: string;
  readonly media: { readonly markdown: string };
  readonly completionEvents: readonly string[];
}

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly walkthroughs: readonly { readonly steps: readonly Step[] }[];
  };
}

const read = (name: string): string => readFileSync(resolve(__dirname, '../../..', name), 'utf8');
const { commands, walkthroughs } = (JSON.parse(read('package.json')) as Manifest).contributes;
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

  it('counts a step as done by its command, or once there is a queue', () => {
    for (const { completionEvents } of steps)
      for (const event of completionEvents) {
        const [, command] = /^onCommand:([\w.]+)$/.exec(event) ?? [];
        assert.ok(event === "onContext:claudeQueue.state == 'ready'" || ids.includes(command ?? ''), event);
      }
  });
});
