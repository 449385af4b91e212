import assert from 'node:assert/strict';
import type { Attempt } from '../../../../../src/domain/task/attempt';
import { composeRows, filterRows, kindOfEnd } from '../../../../../src/editor/pages/history/attemptRows';
import { drawTable, PAGE_ROWS } from '../../../../../src/editor/pages/history/attemptTable';
import { drawContent } from '../../../../../src/editor/pages/history/historyHtml';
import { attempt, HOUR, MINUTE, NOW } from '../../../../support/queue/attempts';

const HOSTILE = `</td><script>alert(1)</script>" onfocus="x`;
const PROMPTS = new Map([
  [1, 'Count the stars'],
  [2, HOSTILE],
]);

const rowsOf = (...attempts: readonly Attempt[]) => composeRows(attempts, PROMPTS, 'UTC');
const idsOf = (rows: ReturnType<typeof rowsOf>): number[] => rows.map((row) => row.attempt.id);

describe('The table of attempts', () => {
  it('shows a prompt as text, and says where a row was removed', () => {
    const html = drawTable(rowsOf(attempt({ id: 2 }), attempt({ id: 9 })), PAGE_ROWS).source;
    assert.doesNotMatch(html, /<script/);
    assert.match(html, /&lt;script&gt;/);
    assert.match(html, /9 \(row removed\)/);
  });

  it('links every attempt, and its changes only if it has some', () => {
    const diff = { files: 2, insertions: 12, deletions: 3 };
    const html = drawTable(rowsOf(attempt({ number: 3, diff }), attempt({ id: 2 })), PAGE_ROWS).source;
    assert.equal(html.match(/data-action="attempt"/g)?.length, 2);
    assert.match(html, /data-action="changes" data-value="1 3"[^>]*>\+12 -3 in 2 files</);
    assert.equal(html.match(/data-action="changes"/g)?.length, 1);
  });

  it('has a column for users only if a task has one', () => {
    assert.doesNotMatch(drawTable(rowsOf(attempt({})), PAGE_ROWS).source, />User</);
    assert.match(drawTable(rowsOf(attempt({ user: 'aiko' })), PAGE_ROWS).source, /<td>aiko<\/td>/);
  });

  it('has a column for what was billed only if that differs', () => {
    const [one, other] = [attempt({ billing: 'subscription' }), attempt({ billing: 'api-key' })];
    assert.doesNotMatch(drawTable(rowsOf(one, one), PAGE_ROWS).source, /Billed to/);
    assert.match(drawTable(rowsOf(one, other), PAGE_ROWS).source, /<td>an API key<\/td>/);
  });

  it('shows at most one hundred rows at once, and a button for the rest', () => {
    const many = Array.from({ length: PAGE_ROWS + 20 }, (_, index) => attempt({ number: index + 1 }));
    const first = drawTable(rowsOf(...many), PAGE_ROWS).source;
    assert.equal(first.match(/data-action="attempt"/g)?.length, PAGE_ROWS);
    assert.match(first, /100 attempts of 120, newest first/);
    assert.match(first, /data-action="more" data-value="200">Show 20 More</);
    assert.doesNotMatch(drawTable(rowsOf(...many), 2 * PAGE_ROWS).source, /data-action="more"/);
  });
});

describe('The filter of attempts', () => {
  const rows = rowsOf(
    attempt({ id: 1 }),
    attempt({ id: 3, outcome: 'limit', reason: 'five_hour', message: 'Resets at 22:10.' }),
    attempt({ id: 4, user: 'aiko' }),
  );

  it('finds words of the prompt, the outcome, the message and the user, in any case', () => {
    assert.deepEqual(idsOf(filterRows(rows, 'STARS')), [1]);
    assert.deepEqual(idsOf(filterRows(rows, 'five_hour')), [3]);
    assert.deepEqual(idsOf(filterRows(rows, 'resets')), [3]);
    assert.deepEqual(idsOf(filterRows(rows, 'aiko')), [4]);
  });

  it('wants every word, and nothing without words', () => {
    assert.deepEqual(idsOf(filterRows(rows, 'limit resets')), [3]);
    assert.deepEqual(idsOf(filterRows(rows, 'limit stars')), []);
    assert.deepEqual(idsOf(filterRows(rows, '  ')), [1, 3, 4]);
  });
});

describe('The content of the history', () => {
  it('says how long attempts waited and ran, and what they cost', () => {
    const all = [5, 10, 60].map((minutes) =>
      attempt({ endedAt: NOW + minutes * MINUTE, waitedMs: minutes * MINUTE, costUsd: 1 }),
    );
    const text = drawContent(rowsOf(...all), PAGE_ROWS, 'UTC').source.replaceAll(/<[^>]+>/g, ' ');
    assert.match(text, /3 attempts: 3 success\./);
    assert.match(text, /Waited, p50\s+10 min\s+p95 1 h/);
    assert.match(text, /Ran, p50\s+10 min\s+p95 1 h/);
    assert.match(text, /Cost\s+\$3\.00\s+\$1\.00 an attempt/);
  });

  it('counts no attempt as free that did not report its cost', () => {
    const text = (...costs: readonly object[]): string =>
      drawContent(rowsOf(...costs.map((cost) => attempt(cost))), PAGE_ROWS, 'UTC').source.replaceAll(
        /<[^>]+>/g,
        ' ',
      );
    assert.match(text({ costUsd: 2 }, { costUsd: 1 }, {}), /Cost\s+at least \$3\.00\s+\$1\.50 an attempt/);
    assert.match(text({}, {}), /Cost\s+unknown/);
    assert.doesNotMatch(text({}, {}), /an attempt/);
  });

  it('has pictures only of two days or more, each with its table', () => {
    const today = attempt({});
    const before = attempt({ startedAt: NOW - 48 * HOUR, endedAt: NOW - 47 * HOUR, outcome: 'error' });
    assert.doesNotMatch(drawContent(rowsOf(today), PAGE_ROWS, 'UTC').source, /data-chart/);
    const { source } = drawContent(rowsOf(today, before), PAGE_ROWS, 'UTC');
    assert.equal(source.match(/data-chart/g)?.length, 2);
    assert.equal(source.match(/<summary>Table of/g)?.length, 2);
    assert.match(source, /<td>2026-11-18<\/td><td>1<\/td><td>1 error<\/td><td>1 h<\/td>/);
  });

  it('says when nothing ran', () => {
    assert.match(drawContent([], PAGE_ROWS, 'UTC').source, /No attempts\./);
  });

  it('sorts every outcome into a kind', () => {
    assert.deepEqual(
      (['success', 'review', 'limit', 'blocked', 'error', 'permanent', 'lost'] as const).map(kindOfEnd),
      ['success', 'review', 'limit', 'limit', 'error', 'error', 'other'],
    );
  });
});
