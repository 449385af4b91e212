import { composeNightReport, type NightReport } from '../../../src/app/viewModel/report/nightReport';
import type { Attempt } from '../../../src/domain/task/attempt';
import { attempt, HOUR, MINUTE, NOW } from '../queue/attempts';
import { paint, type Around, type Row } from '../queue/viewModels';

const DAY = 24 * HOUR;

/** The report of the day before `NOW`; attempts oldest first. */
export const reportOf = (
  rows: readonly Row[],
  attempts: readonly Attempt[],
  around: Around = {},
): NightReport => composeNightReport(paint(rows, around), attempts.toReversed(), NOW - DAY);

/** An attempt of a row as it is, `from` to `to` minutes before `NOW`. */
export const ran = (from: number, to: number, more: Partial<Attempt> = {}): Attempt =>
  attempt({ power: 'p', startedAt: NOW - from * MINUTE, endedAt: NOW - to * MINUTE, ...more });
