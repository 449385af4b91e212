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

const TITLE_WIDTH = 30;

/** Lays out as text what a change would do: in sentences, the figures side by side, then the tasks that differ. */
export function layWhatIfOut(comparison: Comparison, moment: Moment): string {
  const { now, then } = comparison;
  const differing = listDifferences(comparison);
  return [
    ...describeDifferences(comparison, moment),
    '',
    ...layOut(
      ['', 'now', 'changed'],
      listSums(comparison, moment).map((sum) => [sum.label, sum.now, sum.then]),
    ),
    '',
    ...(differing.length === 0
      ? ['No task starts at another time.']
      : layOut(
          ['id', 'prompt', 'starts now', 'starts then', 'risk then'],
          differing.map((task) => [
            String(task.now.id),
            cutToWidth(titleOf(task.now.prompt), TITLE_WIDTH),
            describeStart(task.now, now, moment),
            describeStart(task.then, then, moment),
            describeRisks(task.then),
          ]),
        )),
    '',
    ...describeAssumedWorker(then, moment),
    ...describeBasis(then),
  ].join('\n');
}

/** JSON of a comparison: the contract of `simulate --set --json`. */
export function whatIfJson({ now, then, assumedSlots }: Comparison): string {
  return formatJson({
    assumedWorkers: assumedSlots ?? null,
    now: toPlainForecast(now),
    changed: toPlainForecast(then),
  });
}
