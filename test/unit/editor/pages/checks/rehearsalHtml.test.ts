import assert from 'node:assert/strict';
import type { Rehearsed } from '../../../../../src/app/checks/rehearsal';
import { drawRehearsal } from '../../../../../src/editor/pages/checks/rehearsalHtml';
import { paint } from '../../../../support/queue/viewModels';

function rehearsed(more: Partial<Rehearsed> = {}): Rehearsed {
  const [shown] = paint([{ fields: { prompt: 'Count <b>stars</b>' } }]).tasks;
  assert.ok(shown);
  return {
    shown,
    permissions: { mode: 'acceptEdits', tools: [] },
    isApproved: true,
    isTrusted: true,
    hasRun: true,
    refused: [],
    lacks: [],
    ...more,
  };
}

const draw = (...all: readonly Rehearsed[]): string => drawRehearsal(all, '22:10').source;
const buttons = (html: string): string[] =>
  [...html.matchAll(/<button class="other" data-action="(\w+)"/g)].map(([, action]) => action ?? '');

describe('The page of a dry run', () => {
  it('says that nothing was run', () => {
    assert.match(draw(), /0 tasks may run in the next 24 hours\. Nothing was run\./);
  });

  it('only names a task that ran and was refused nothing, as a link to its row', () => {
    const html = draw(rehearsed());
    assert.match(html, /nothing refused<\/h2>/);
    assert.match(html, /data-action="row" data-value="1">1 {2}Count &lt;b&gt;stars/);
    assert.doesNotMatch(html, /Claude may/);
    assert.deepEqual(buttons(html), ['refresh']);
  });

  it('has a button for each thing that can be done about a task', () => {
    const refused = [{ tool: 'Bash', detail: 'npm publish' }];
    assert.deepEqual(buttons(draw(rehearsed({ refused }))), ['refresh', 'allow']);
    assert.deepEqual(buttons(draw(rehearsed({ hasRun: false, isApproved: false, isTrusted: false }))), [
      'refresh',
      'approve',
      'trust',
    ]);
    assert.deepEqual(buttons(draw(rehearsed({ lacks: ['It lacks a folder.'] }))), ['refresh', 'edit']);
  });
});
