import { PERIOD_MS } from '../../../app/viewModel/report/nightReport';
import { t } from '../../../platform/text/translate';
import { type Html, markup } from '../html';
import { drawOptions } from '../select';

const HOUR_MS = 3_600_000;
const USUAL = PERIOD_MS / HOUR_MS;

/** Lengths of the period that the user can choose, in hours. */
const HOURS = [12, USUAL, 72, 168] as const;

/** Returns the length of the period with this name, in hours; the usual one if there is none. */
export function toHours(name: string): number {
  return HOURS.find((hours) => String(hours) === name) ?? USUAL;
}

/** Draws the field in which the user chooses the length of the period. */
export function drawHours(chosen: number): Html {
  const options = HOURS.map((hours) => [String(hours), nameHours(hours)] as const);
  return markup`<select data-action="hours" aria-label="${t('Time')}">${drawOptions(options, String(chosen))}</select>`;
}

function nameHours(hours: number): string {
  return hours <= USUAL ? t('Last {0} hours', hours) : t('Last {0} days', hours / USUAL);
}
