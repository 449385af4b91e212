import { isoOrNull, titleOf } from '../../../app/present/text';
import type { Backtest } from '../../../app/simulate/backtest';
import { LEAST_ATTEMPTS } from '../../../app/simulate/pastAttempts';
import type { Held } from '../../../app/viewModel/report/forecastAccuracy';
import { formatDuration } from '../../../domain/time/duration';
import { formatMinute } from '../../../domain/time/localTime';
import type { Moment } from '../../../domain/time/moment';
import { formatJson } from '../../options/parseArguments';
import { cutToWidth } from '../displayWidth';
import { layOutSection } from '../table';
import { layToFit, type LayTable } from './layToFit';

const TITLE_WIDTH = 40;

/** Lays out as text how often the forecasts of past nights held: in all, by night, and by task. `columns` as in `layToFit`. */
export function layBacktestOut(backtest: Backtest, moment: Moment, columns: number | null): string {
  return layToFit((table) => layWithTables(backtest, moment, table), columns);
}

function layWithTables(backtest: Backtest, { timeZone }: Moment, table: LayTable): readonly string[] {
  const { nights, tasks, start, end, leftOut } = backtest;
  const known = nights.filter(({ isKnown }) => isKnown);
  return [
    `${String(known.length)} of ${String(nights.length)} nights compared, each with the forecast from the attempts before it.`,
    `Started by the time given for 80 %: ${describeHeld(start)}.`,
    `Completed by the time given for 80 %: ${describeHeld(end)}.`,
    ...layOutSection(
      ['night from', 'tasks', 'starts held', 'ends held'],
      nights.map(({ from, tasks: count, isKnown, ...held }) => [
        formatMinute(from, timeZone),
        String(count),
        isKnown ? formatHeld(held.start) : 'unknown',
        isKnown ? formatHeld(held.end) : 'unknown',
      ]),
    ),
    ...table(
      ['id', 'prompt', 'starts held', 'ends held'],
      tasks.map(({ id, prompt, ...held }) => [
        String(id),
        cutToWidth(titleOf(prompt), TITLE_WIDTH),
        formatHeld(held.start),
        formatHeld(held.end),
      ]),
      4,
    ),
    '',
    'A night lasts from noon to noon. It is simulated with the rows, settings and workers of now, without limits on starts and cost.',
    ...(known.length === nights.length
      ? []
      : [
          `Unknown: fewer than ${String(LEAST_ATTEMPTS)} attempts had ended before that night, or none of its tasks is left.`,
        ]),
    ...(leftOut === 0
      ? []
      : [
          `Left out: tasks whose row is gone, or that came or were due later in their night (${String(leftOut)}).`,
        ]),
  ];
}

/** Formats a count, with its share where there are enough to name one, and how far off the forecast was. */
function describeHeld(held: Held): string {
  if (held.of === 0) return 'unknown';
  const share =
    held.of < LEAST_ATTEMPTS ? 'too few for a share' : `${String(Math.round((held.held / held.of) * 100))} %`;
  const off = held.offMs === null ? '' : `; half of them at most ${formatDuration(held.offMs)} off`;
  return `${formatHeld(held)} (${share})${off}`;
}

const formatHeld = ({ held, of }: Held): string =>
  of === 0 ? 'unknown' : `${String(held)} of ${String(of)}`;

/** JSON of a backtest: the contract of `simulate --backtest --json`. */
export function backtestJson({ nights, ...rest }: Backtest): string {
  return formatJson({
    ...rest,
    nights: nights.map(({ from, isKnown, start, end, tasks }) => ({
      from: isoOrNull(from),
      tasks,
      start: isKnown ? start : null,
      end: isKnown ? end : null,
    })),
  });
}
