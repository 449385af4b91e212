import assert from 'node:assert/strict';
import { renderBlocks } from '../../../../src/editor/attempt/page/blocks';
import { readMessage, SentPage } from '../../../../src/editor/attempt/page/messages';
import type { PageParts } from '../../../../src/editor/attempt/page/pageParts';
import type { Step, ToolStep } from '../../../../src/editor/attempt/steps';

const context = { findFile: () => null, isRunning: false, ruleFor: () => null };
const toolStep = (name: string, more: Partial<ToolStep> = {}, input: object = {}): Step => ({
  kind: 'tool',
  call: { name, input: { ...input } },
  state: 'done',
  output: '',
  ...more,
});

const htmlOf = (steps: readonly Step[], more: Partial<typeof context> = {}): string =>
  renderBlocks(steps, { ...context, ...more }, 100)
    .map(({ html }) => html)
    .join('\n');

describe('The steps on the page of an attempt', () => {
  it('have calls in a row that only read in one line', () => {
    const read = toolStep('Read', {}, { file_path: 'a' });
    const blocks = renderBlocks([read, read, toolStep('Grep'), toolStep('Bash'), read], context, 100);
    assert.deepEqual(
      blocks.map(({ key }) => key),
      [0, 3, 4],
    );
    assert.match(blocks[0]?.html ?? '', /and 2 more/);
  });

  it('have failed calls open and others folded', () => {
    assert.match(htmlOf([toolStep('Bash', { state: 'failed' })]), /<details class="tool" open>/);
    assert.doesNotMatch(htmlOf([toolStep('Bash')]), / open>/);
  });

  it('have a button for a refused action only if a rule would allow it', () => {
    const refused = [toolStep('Bash', { state: 'refused' }, { command: 'make' })];
    assert.doesNotMatch(htmlOf(refused), /<button/);
    const allowed = renderBlocks(refused, { ...context, ruleFor: () => 'Bash(make:*)' }, 100);
    assert.match(allowed[0]?.html ?? '', /data-command="allowTools".*Bash\(make:\*\)/);
  });

  it('escape names, inputs and results', () => {
    const hostile = '"><script>alert(1)</script>';
    const html = htmlOf([
      toolStep(hostile, { output: hostile }, { command: hostile }),
      toolStep('Edit', { output: hostile }, { old_string: hostile, new_string: hostile, file_path: hostile }),
      toolStep('Other', {}, { [hostile]: [hostile] }),
      toolStep('Bash', { state: 'refused', output: hostile }, { command: hostile }),
      { kind: 'note', text: hostile, isWarning: true },
      { kind: 'check', title: hostile, hasPassed: false, output: hostile },
      { kind: 'end', text: hostile, hasFailed: true },
    ]);
    assert.doesNotMatch(html, /<script/);
  });

  it('cut huge inputs and results, and say so', () => {
    const huge = 'x'.repeat(5_000_000);
    const html = htmlOf([toolStep('Write', { output: huge }, { content: huge })]);
    assert.ok(html.length < 60_000);
    assert.equal(html.match(/characters are not shown/g)?.length, 2);
  });

  it('are limited to the newest', () => {
    const note: Step = { kind: 'note', text: 'n', isWarning: false };
    const keys = renderBlocks([note, note, note], context, 2).map(({ key }) => key);
    assert.deepEqual(keys, [1, 2]);
  });
});

describe('The messages of the page of an attempt', () => {
  const parts: PageParts = {
    title: 't',
    verdict: 'v',
    actions: '',
    attempts: '',
    prompt: '',
    notes: '',
    facts: '',
  };

  it('send only what changed', () => {
    const sent = new SentPage();
    const [one, two] = [0, 1].map((key) => ({ key, html: `b${String(key)}`, spoken: '' }));
    assert.ok(one !== undefined && two !== undefined);
    assert.equal(sent.update(parts, [one], true).gone, null);
    const second = sent.update({ ...parts, verdict: 'w' }, [one, two], true);
    assert.deepEqual(second, { parts: { verdict: 'w' }, blocks: [two], gone: [], isRunning: true });
    sent.clear();
    assert.deepEqual(sent.update(parts, [one], false).blocks, [one]);
  });

  it('remove a call from its own place once it is in one line with others', () => {
    const sent = new SentPage();
    const update = (steps: readonly Step[]): ReturnType<SentPage['update']> =>
      sent.update(parts, renderBlocks(steps, { ...context, isRunning: true }, 2), true);
    const open = toolStep('Read', { state: 'open' });
    const done = toolStep('Read');
    assert.deepEqual(update([open, open]).gone, null);
    const joined = update([done, done]);
    assert.deepEqual([joined.blocks.map(({ key }) => key), joined.gone], [[0], [1]]);
    const parted = update([done, toolStep('Read', { state: 'refused' }), toolStep('Bash')]);
    assert.deepEqual([parted.blocks.map(({ key }) => key), parted.gone], [[1, 2], [0]]);
  });

  it('are read only in their exact form', () => {
    assert.deepEqual(readMessage({ kind: 'file', path: 'a', line: Number.NaN }), { kind: 'file', path: 'a' });
    assert.deepEqual(readMessage({ kind: 'attempt', number: 2 }), { kind: 'attempt', number: 2 });
    for (const wrong of [null, 1, {}, { kind: 'file' }, { kind: 'attempt', number: -1 }, { kind: 'x' }])
      assert.equal(readMessage(wrong), null);
  });
});
