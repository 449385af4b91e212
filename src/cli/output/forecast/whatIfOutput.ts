import { titleOf } from '../../../app/present/text';
import {
  describeAssumedWorker,
  describeBasis,
  describeRisks,
} from '../../../app/present/tonight/forecastTexts';
import {
  describeDifferences,
  describeStart,
  listDifferences,
  listSums,
} from '../../../app/present/tonight/whatIfTexts';
import type { Comparison } from '../../../app/simulate/whatIf';
import type { Moment } from '../../../domain/time/moment';
import { formatJson } from '../../options/parseArguments';
import { cutToWidth } from '../displayWidth';
import { toPlainForecast } from './forecastOutput';
import { layOut } from '../table';
import { layToFit, type LayTable } from './layToFit';

const TITLE_WIDTH = 30;

/**
 * Lays out as text what a change would do: in sentences, the figures side by side, then the tasks that differ. `columns`
 * as in `layToFit`.
 */
export function layWhatIfOut(comparison: Comparison, moment: Moment, columns: number | null): string {
  return layToFit((table) => layWithTables(comparison, moment, table), columns);
}

function layWithTables(comparison: Comparison, moment: Moment, table: LayTable): readonly string[] {
  const { now, then } = comparison;
  const differing = listDifferences(comparison);
  return [
    ...describeDifferences(comparison, moment),
    '',
    ...layOut(
      ['', 'now', 'changed'],
      listSums(comparison, moment).map((sum) => [sum.label, sum.now, sum.then]),
    ),
    ...(differing.length === 0
      ? ['', now.isTimeKnown ? 'No task starts at another time.' : 'No task has another place.']
      : []),
    ...table(
      ['id', 'prompt', 'starts now', 'starts then', 'risk then'],
      differing.map((task) => [
        String(task.now.id),
        cutToWidth(titleOf(task.now.prompt), TITLE_WIDTH),
        describeStart(task.now, now, moment),
        describeStart(task.then, then, moment),
        describeRisks(task.then),
      ]),
      4,
    ),
    '',
    ...describeAssumedWorker(then, moment),
    ...describeBasis(then),
  ];
}

/** JSON of a comparison: the contract of `simulate --set --json`. */
export function whatIfJson({ now, then, assumedSlots }: Comparison): string {
  return formatJson({
    assumedWorkers: assumedSlots ?? null,
    now: toPlainForecast(now),
    changed: toPlainForecast(then),
  });
}
