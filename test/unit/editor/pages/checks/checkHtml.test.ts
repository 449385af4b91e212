import assert from 'node:assert/strict';
import type { Checked } from '../../../../../src/app/checks/checked';
import { drawCheck } from '../../../../../src/editor/pages/checks/checkHtml';

const FINE: Checked = { state: 'fine', where: 'git', message: 'git version 2.39.5.' };
const ROW: Checked = {
  state: 'problem',
  where: '/home/ken/tidewater/prompts.csv:4:7',
  message: 'The <priority> is not known.',
  at: { file: '/home/ken/tidewater/prompts.csv', where: { kind: 'file', line: 4, column: 7 } },
};
const TASK: Checked = { ...ROW, state: 'note', remedy: { kind: 'edit-task', id: 3 } };

const draw = (all: readonly Checked[]): string =>
  drawCheck(all, { folder: '/home/ken/tidewater', time: '22:10' }).source;
const titles = (html: string): string[] => [...html.matchAll(/<h2>([^<]*)/g)].map(([, title]) => title ?? '');

describe('The page of a check', () => {
  it('says how many problems there are', () => {
    assert.match(draw([FINE]), /data-focus>No problems\.</);
    assert.match(draw([ROW, FINE, ROW]), /data-focus>2 problems\.</);
  });

  it('lists problems first, then notes, and leaves out empty sections', () => {
    assert.deepEqual(titles(draw([FINE, TASK, ROW])), ['Problems', 'Worth Knowing', 'Fine']);
    assert.deepEqual(titles(draw([FINE])), ['Fine']);
  });

  it('links a finding that has a place, by its position in the whole list', () => {
    const html = draw([FINE, ROW]);
    assert.match(html, /data-action="open" data-value="1"[^>]*>prompts\.csv:4:7</);
    assert.equal(html.match(/class="link where" data-action="open"/g)?.length, 1);
  });

  it('shows a message as text', () => {
    assert.match(draw([ROW]), /The &lt;priority&gt; is not known/);
  });

  it('offers to resume after a block of the account', () => {
    const blocked: Checked = { ...FINE, state: 'problem', where: 'account', remedy: { kind: 'resume' } };
    assert.match(draw([blocked]), /aria-label="Resume Queue \(account\)"/);
  });

  it('has a button for a remedy, named with its task or its place', () => {
    const full: Checked = {
      ...ROW,
      where: '/home/ken/.local/state',
      remedy: { kind: 'open-terminal', folder: '/' },
    };
    assert.match(draw([TASK]), /data-action="fix" data-value="0" aria-label="Edit Task… \(task 3\)"/);
    assert.match(draw([full]), /data-action="fix" data-value="0" aria-label="Open Terminal \(\/home\/ken/);
  });

  it('offers to copy a command, or the name of a variable', () => {
    const problem: Checked = { ...FINE, state: 'problem', where: 'rediss://team' };
    const command: Checked = { ...problem, remedy: { kind: 'copy-command', text: 'CONFIG SET' } };
    const name: Checked = { ...problem, remedy: { kind: 'copy-name', text: 'CLAUDE_QUEUE_NOTIFY' } };
    assert.match(draw([command]), /aria-label="Copy Command \(rediss:\/\/team\)">Copy Command</);
    assert.match(draw([name]), /data-action="fix"[^>]*>Copy Name</);
  });

  it('has a button that shows the place of a finding without a remedy', () => {
    const inRedis: Checked = {
      ...ROW,
      at: { file: 'redis', where: { kind: 'row', row: 3, field: null } },
    };
    assert.match(
      draw([ROW]),
      /<button class="other" data-action="open" data-value="0" aria-label="Show File \(/,
    );
    assert.match(draw([inRedis]), /aria-label="Show Row \(/);
    assert.doesNotMatch(draw([FINE, { ...ROW, state: 'fine' }]), /class="other" data-action="(?:open|fix)"/);
  });
});
