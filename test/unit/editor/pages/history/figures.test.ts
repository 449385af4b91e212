import assert from 'node:assert/strict';
import { composeDays } from '../../../../../src/app/viewModel/ledger';
import { readUsageHistory } from '../../../../../src/app/viewModel/usageHistory';
import { drawFigure, stack } from '../../../../../src/editor/pages/history/chart';
import { drawDays } from '../../../../../src/editor/pages/history/dayFigures';
import { drawUsage } from '../../../../../src/editor/pages/history/usageFigure';
import { attempt, HOUR, NOW } from '../../../../support/queue/attempts';

const windows = (five: number, week: number) =>
  [
    { window: 'five_hour', utilization: five, resetAt: NOW + 5 * HOUR },
    { window: 'seven_day', utilization: week, resetAt: NOW + 90 * HOUR },
  ] as const;

describe('The pictures of days', () => {
  it('stack the kinds of ends that occur, from good to bad', () => {
    const days = composeDays(
      [attempt({}), attempt({}), attempt({ outcome: 'error' }), attempt({ startedAt: NOW - 24 * HOUR })],
      'UTC',
    );
    const [attempts] = drawDays(days);
    assert.deepEqual(
      attempts?.chart.series.map(({ label, values }) => [label, values]),
      [
        ['success', [1, 2]],
        ['error', [1, 3]],
      ],
    );
    assert.deepEqual(attempts.chart.words, ['2026-11-19: 1 success', '2026-11-20: 2 success, 1 error']);
  });

  it('say in words that nothing ran on a day, and leave it out of the table', () => {
    const days = composeDays([attempt({}), attempt({ startedAt: NOW - 48 * HOUR, costUsd: 2 })], 'UTC');
    const [attempts, cost] = drawDays(days);
    assert.equal(attempts?.chart.words[1], '2026-11-19: no attempts');
    assert.deepEqual(cost?.rows, [
      ['2026-11-20', 'unknown'],
      ['2026-11-18', '$2.00'],
    ]);
  });

  it('add each series to the one before', () => {
    const series = [
      { label: 'a', colour: 'x', values: [1, null] },
      { label: 'b', colour: 'y', values: [2, 3] },
    ];
    assert.deepEqual(
      stack(series).map(({ values }) => values),
      [
        [1, 0],
        [3, 3],
      ],
    );
  });
});

describe('The picture of the usage windows', () => {
  it('is missing if nothing was reported', () => {
    assert.equal(drawUsage(readUsageHistory([attempt({})], [], NOW + HOUR), 'UTC'), null);
  });

  it('carries each figure on until the next one, and knows nothing before the first', () => {
    const first = attempt({ endedAt: NOW, usage: [windows(0.2, 0.3)[0]] });
    const second = attempt({ endedAt: NOW + HOUR, usage: [windows(0.2, 0.3)[1]] });
    const figure = drawUsage(readUsageHistory([second, first], [], NOW + 6 * HOUR), 'UTC');
    assert.deepEqual(
      figure?.chart.series.map(({ values }) => values),
      [
        [0.2, 0.2, 0],
        [null, 0.3, 0.3],
      ],
    );
    assert.deepEqual(figure.rows[0], ['2026-11-20 23:00', '0 %', '30 %', '']);
    assert.match(figure.chart.words[0] ?? '', /5-hour window 20 %, weekly window \?/);
  });

  it('marks a reached limit, in the picture and in the table', () => {
    const limited = attempt({ outcome: 'limit', endedAt: NOW + HOUR, usage: windows(1, 0.5) });
    const figure = drawUsage(readUsageHistory([limited], [], NOW + 2 * HOUR), 'UTC');
    assert.deepEqual(figure?.chart.marks, [(NOW + HOUR) / 1000]);
    assert.deepEqual(figure.rows[0], ['2026-11-20 19:00', '100 %', '50 %', 'limit reached']);
  });

  it("has the readings of the queue's clocks", () => {
    const figure = drawUsage(
      readUsageHistory([attempt({ usage: windows(0.2, 0.3) })], [], NOW),
      'Asia/Tokyo',
    );
    assert.deepEqual(figure?.chart.times, [(NOW + 10 * 60_000 + 9 * HOUR) / 1000]);
  });

  it('is hidden from screen readers, which get the table', () => {
    const figure = drawUsage(readUsageHistory([attempt({ usage: windows(0.2, 0.3) })], [], NOW), 'UTC');
    assert.ok(figure);
    const html = drawFigure(figure).source;
    assert.match(html, /<div class="chart" aria-hidden="true" data-chart="\{&quot;kind&quot;/);
    assert.match(html, /<details><summary>Table of usage windows<\/summary>/);
  });
});
