import { formatShare } from '../../../app/present/reasons/amounts';
import type { UsageHistory, UsagePoint } from '../../../app/viewModel/usageHistory';
import type { EpochMs } from '../../../domain/time/epoch';
import { formatMinute, wallTimeOf } from '../../../domain/time/localTime';
import { t } from '../../../platform/text/translate';
import type { Figure } from './chart';
import { COMMA } from '../../../app/present/text';

const SECOND_MS = 1000;

const NAMES = { five_hour: t('5-hour window'), seven_day: t('weekly window') } as const;

/** Returns the picture of both usage windows; null if no attempt has reported them. */
export function drawUsage({ points, limits }: UsageHistory, timeZone: string): Figure | null {
  const windows = [points.five_hour, points.seven_day];
  const times = [...new Set([...windows.flat().map(({ at }) => at), ...limits])].sort(
    (one, other) => one - other,
  );
  const [five, seven] = windows.map((one) => valuesAt(one, times));
  if (five === undefined || seven === undefined || windows.every((one) => one.length === 0)) return null;
  const limited = new Set(limits);
  const rows = times.map((at, index) => [
    formatMinute(at, timeZone),
    formatValue(five[index]),
    formatValue(seven[index]),
    limited.has(at) ? t('limit reached') : '',
  ]);
  return {
    title: t('Usage windows'),
    note: t(
      'The last figures that attempts of this queue reported. After its reset a window counts as empty. ' +
        'Use on other devices shows with the next report.',
    ),
    chart: {
      kind: 'steps',
      unit: 'share',
      times: times.map((at) => toClock(at, timeZone)),
      series: [
        { label: NAMES.five_hour, colour: 'charts-purple', values: five },
        { label: NAMES.seven_day, colour: 'charts-green', values: seven },
      ],
      marks: limits.map((at) => toClock(at, timeZone)),
      words: rows.map(([at = '', one = '', other = '', limit = '']) =>
        [`${at}: ${NAMES.five_hour} ${one || '?'}`, `${NAMES.seven_day} ${other || '?'}`, limit]
          .filter((text) => text !== '')
          .join(COMMA),
      ),
    },
    head: [t('Time'), NAMES.five_hour, NAMES.seven_day, ''],
    rows: [...rows].reverse(),
  };
}

function toClock(at: EpochMs, timeZone: string): number {
  return wallTimeOf(at, timeZone) / SECOND_MS;
}

/** Returns the last value known at each time; null before the first one. Both are sorted. */
function valuesAt(points: readonly UsagePoint[], times: readonly EpochMs[]): readonly (number | null)[] {
  let next = 0;
  let value: number | null = null;
  return times.map((at) => {
    for (let point = points[next]; point !== undefined && point.at <= at; point = points[next]) {
      value = point.utilization;
      next += 1;
    }
    return value;
  });
}

function formatValue(value: number | null | undefined): string {
  return value === null || value === undefined ? '' : formatShare(value);
}
