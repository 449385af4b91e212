import assert from 'node:assert/strict';
import { describeForApproval, describeRow, excerptPrompt } from '../../../src/app/approval';
import { findChange } from '../../../src/app/approvedChanges';
import type { ShownTask } from '../../../src/app/picture';
import { paint } from '../editor/pictures';

describe('What a person reads before they approve it', () => {
  it('is the prompt in one line where it fits', () => {
    assert.deepEqual(excerptPrompt('  Do\n\tit  ', 80), { text: 'Do it', leftOut: null });
    assert.equal(excerptPrompt('x'.repeat(80), 80).leftOut, null);
  });

  it('says how much of the prompt is not shown', () => {
    assert.deepEqual(excerptPrompt('x'.repeat(81), 80), {
      text: `${'x'.repeat(79)}…`,
      leftOut: '2 more characters',
    });
    const long = `${'x'.repeat(79)}${'y'.repeat(1_234)}\none\ntwo`;
    assert.equal(excerptPrompt(long, 80).leftOut, '1,242 more characters, 2 more lines');
  });

  it('shows, and keeps to compare with, no secret that its owner wrote into a row', () => {
    const token = (end: string): string => ['gh', `p_abcdefghijklmnopqrstuvwxyz012345${end}`].join('');
    const rowWith = (end: string): ShownTask => {
      const verify = ['sh', '-c', `echo ${token(end)}`] as const;
      const [shown] = paint([{ fields: { prompt: `Log in with ${token(end)}`, verify } }]).tasks;
      assert.ok(shown);
      return shown;
    };
    const kept = describeRow(rowWith('0001').task);
    assert.equal(kept.powers.prompt, 'Log in with [redacted GitHub token]');
    const told = [
      describeForApproval(rowWith('0001')),
      JSON.stringify(kept),
      excerptPrompt(token('0001'), 80).text,
    ];
    for (const text of told) assert.ok(!text.includes('ghp'), text);
    const change = findChange(rowWith('0002'), new Map([[kept.id, kept]]));
    assert.deepEqual(change, { kind: 'new' }, 'what cannot be shown side by side is shown whole');
    const older = { ...kept, powers: { ...kept.powers, prompt: `Log out with ${token('0001')}` } };
    const changed = findChange(rowWith('0001'), new Map([[kept.id, older]]));
    assert.ok(changed.kind === 'changed' && !JSON.stringify(changed).includes('ghp'));
  });

  it('says in a terminal how much of a long line and of many lines is not shown', () => {
    const told = (prompt: string): string => {
      const [shown] = paint([{ fields: { prompt } }]).tasks;
      assert.ok(shown);
      return describeForApproval(shown);
    };
    assert.match(told('x'.repeat(501)), /x… \(2 more characters\)$/);
    assert.match(told('x'.repeat(500)), /x$/);
    assert.match(told('line\n'.repeat(22)), /\(2 more lines: read the row\)$/);
  });
});
