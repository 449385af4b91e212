import assert from 'node:assert/strict';
import { drawAxisLabels } from '../../../../src/editor/pages/axisLabels';
import { HOUR, MINUTE, NOW } from '../../../support/queue/viewModels';

describe('The labels of a time axis', () => {
  const labelsOver = (ms: number): string[] =>
    drawAxisLabels(NOW - ms, NOW, { now: NOW, timeZone: 'UTC' }).map(({ source }) => source);

  it('are five over hours', () => {
    const times = ['14:00', '15:00', '16:00', '17:00', '18:00'];
    assert.deepEqual(
      labelsOver(4 * HOUR),
      times.map((time) => `<span>${time}</span>`),
    );
  });

  it('are those of its ends over minutes in which others repeat, and one over less than a minute', () => {
    assert.deepEqual(labelsOver(2 * MINUTE), ['<span>17:58</span>', '<span>18:00</span>']);
    assert.deepEqual(labelsOver(0), ['<span>18:00</span>']);
  });
});
