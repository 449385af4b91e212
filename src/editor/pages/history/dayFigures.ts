import { describeOutcomes, formatCost, formatRunTime } from '../../../app/present/counts';
import type { LedgerLine } from '../../../app/viewModel/ledger';
import { t } from '../../../platform/text/translate';
import { stack, type ChartSeries, type Figure } from './chart';
import { END_KINDS, KIND_NAMES } from './attemptRows';

const SECOND_MS = 1000;

/** Returns the pictures of attempts and cost per day; days without attempts are columns of no height. */
export function drawDays(days: readonly LedgerLine[]): readonly Figure[] {
  const times = days.map(({ key }) => Date.parse(`${key}T00:00:00Z`) / SECOND_MS);
  const chart = { kind: 'columns', times, marks: [] } as const;
  const ran = days.filter(({ sums }) => sums.attempts > 0).reverse();
  return [
    {
      title: t('Attempts per day'),
      chart: {
        ...chart,
        unit: 'count',
        series: stack(END_KINDS.map((end) => countEnds(end, days)).filter(hasValues)),
        words: days.map(({ key, sums }) => `${key}: ${describeOutcomes(sums.outcomes) || t('no attempts')}`),
      },
      head: [t('Day'), t('Attempts'), t('Ended'), t('Time')],
      rows: ran.map(({ key, sums }) => [
        key,
        String(sums.attempts),
        describeOutcomes(sums.outcomes),
        formatRunTime(sums),
      ]),
    },
    {
      title: t('Cost per day'),
      chart: {
        ...chart,
        unit: 'usd',
        series: [
          { label: t('cost'), colour: 'charts-blue', values: days.map(({ sums: { costUsd } }) => costUsd) },
        ],
        words: days.map(({ key, sums }) => `${key}: ${formatCost(sums) || t('no attempts')}`),
      },
      head: [t('Day'), t('Cost')],
      rows: ran.map(({ key, sums }) => [key, formatCost(sums)]),
    },
  ];
}

function countEnds(
  { kind, colour, outcomes }: (typeof END_KINDS)[number],
  days: readonly LedgerLine[],
): ChartSeries {
  const values = days.map(({ sums }) =>
    outcomes.reduce((sum, outcome) => sum + (sums.outcomes[outcome] ?? 0), 0),
  );
  return { label: KIND_NAMES[kind], colour, values };
}

function hasValues({ values }: ChartSeries): boolean {
  return values.some((value) => value !== null && value > 0);
}
