import assert from 'node:assert/strict';
import { drawNight } from '../../../../../src/editor/pages/report/nightTable';
import { reportOf } from '../../../../support/night/reports';
import { HOUR, NOW, runByWorker } from '../../../../support/queue/viewModels';

describe('The timeline of a report', () => {
  it('gives the bar of a running attempt a hover', () => {
    const report = reportOf([{ ...runByWorker, at: NOW - HOUR }], []);
    assert.match(
      drawNight(report)?.source ?? '',
      /<rect class="\w+" [^>]*><title>Attempt 2: running since 17:00<\/title><\/rect>/,
    );
  });
});
