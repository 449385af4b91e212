import assert from 'node:assert/strict';
import type { Attempt } from '../../../../src/domain/task/attempt';
import {
  canContinue,
  folderOfAttempt,
  renderParts,
  renderUnread,
  type KnownAttempt,
} from '../../../../src/editor/attempt/page/pageParts';
import { NOW, paint, runByWorker, type Row } from '../../../support/queue/viewModels';

const context = {
  moment: { now: NOW, timeZone: 'UTC' },
  isTrusted: true,
  listed: new Map(),
  hasExtension: false,
  now: '',
  notes: [],
};

function knownOf(row: Row, more: Partial<Attempt> = {}): KnownAttempt {
  const { tasks } = paint([row]);
  const [shown] = tasks;
  assert.ok(shown !== undefined);
  const attempt: Attempt = {
    id: 1,
    number: 1,
    power: shown.task.state.power,
    session: 's',
    startedAt: NOW - 60_000,
    endedAt: NOW,
    outcome: 'review',
    reason: 'denied',
    message: 'Refused <b>.',
    code: 3,
    ...more,
  };
  const claim = shown.task.claim ?? null;
  return { id: 1, number: 1, numbers: [1], shown, attempt: claim === null ? attempt : null, claim };
}

const REVIEW: Row = { state: { status: 'review', lastOutcome: 'review', refused: true } };

describe('The head of the page of an attempt', () => {
  it('says how the attempt ended, and offers the actions of its task', () => {
    const { verdict, actions } = renderParts(knownOf(REVIEW), context);
    assert.match(verdict, /Attempt 1 ended.*Refused &lt;b&gt;\./);
    assert.match(actions, /class="primary".*data-command="allowTools".*data-continue="terminal"/s);
  });

  it('asks for a review only until the user has decided or another attempt was made', () => {
    const pages: [KnownAttempt, RegExp][] = [
      [knownOf(REVIEW), /class="warning">Attempt 1 ended and needs your review\./],
      [{ ...knownOf(REVIEW), numbers: [2, 1] }, /class="dim">Attempt 1 ended in review\./],
      [knownOf({ state: { status: 'completed', lastOutcome: 'review' } }), /Attempt 1 ended in review\./],
      [knownOf({ state: { lastOutcome: 'review' } }), /Attempt 1 ended in review\./],
      [{ ...knownOf(REVIEW), shown: null }, /Attempt 1 ended in review\./],
    ];
    for (const [known, words] of pages) assert.match(renderParts(known, context).verdict, words);
  });

  it('has no buttons in an untrusted workspace', () => {
    const { actions } = renderParts(knownOf(REVIEW), { ...context, isTrusted: false });
    assert.doesNotMatch(actions, /<button/);
  });

  it('offers no action of the task on an earlier attempt', () => {
    const { actions, attempts } = renderParts({ ...knownOf(REVIEW), numbers: [2, 1] }, context);
    assert.doesNotMatch(actions, /data-command="accept"/);
    assert.match(attempts, /<option value="1" selected>/);
  });

  it('continues a session only if nothing runs it, and its row is the same', () => {
    assert.equal(canContinue(knownOf(REVIEW)), true);
    assert.equal(canContinue(knownOf(REVIEW, { session: null })), false);
    assert.equal(canContinue(knownOf(REVIEW, { power: 'other' })), false);
    assert.equal(canContinue(knownOf(runByWorker)), false);
  });

  it('says why its queue cannot be read', () => {
    const { title, verdict } = renderUnread(3, 'Redis <is> away.');
    assert.equal(title, 'Task 3');
    assert.match(verdict ?? '', /class="warning">Redis &lt;is&gt; away\.</);
  });

  it('says what a running attempt does now', () => {
    const { verdict, actions } = renderParts(knownOf(runByWorker), { ...context, now: 'Bash <x>' });
    assert.match(verdict, /Running for .*Bash &lt;x&gt;/);
    assert.doesNotMatch(actions, /primary|data-continue/);
  });

  it('names the folder in which the attempt ran, whatever its row names now', () => {
    const link = { folder: '/real', through: '/link' };
    const [ended, before] = [knownOf(REVIEW, { place: link }), knownOf(REVIEW)];
    assert.match(renderParts(ended, context).prompt, /medium priority · in \/real \(through \/link\)/);
    const running = knownOf(runByWorker);
    assert.ok(running.claim !== null);
    const started = { ...running, claim: { ...running.claim, place: link } };
    assert.deepEqual([ended, started, before, { ...before, shown: null }].map(folderOfAttempt), [
      '/real',
      '/real',
      '/place/1',
      null,
    ]);
  });

  it('folds the rest of a long prompt, and escapes it', () => {
    const prompt = Array.from({ length: 9 }, (_, line) => `<i>${String(line)}`).join('\n');
    const html = renderParts(knownOf({ ...REVIEW, fields: { prompt } }), context).prompt;
    assert.match(html, /Show 3 more lines/);
    assert.doesNotMatch(html, /<i>/);
  });
});
