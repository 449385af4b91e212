import { formatShortTime } from '../../app/present/reasons/amounts';
import type { EpochMs } from '../../domain/time/epoch';
import type { Moment } from '../../domain/time/moment';
import { type Html, markup } from './html';

/** Parts of a time axis that have a label. */
const PARTS = 4;

/** Draws the labels of a time axis. One of a few minutes has those of its ends alone: others would repeat them. */
export function drawAxisLabels(from: EpochMs, to: EpochMs, moment: Moment): Html[] {
  const times = Array.from({ length: PARTS + 1 }, (_, part) => from + ((to - from) * part) / PARTS);
  const labels = times.map((at) => formatShortTime(at, moment));
  const [first = '', last = ''] = [labels[0], labels.at(-1)];
  const ends = first === last ? [first] : [first, last];
  const shown = new Set(labels).size === labels.length ? labels : ends;
  return shown.map((label) => markup`<span>${label}</span>`);
}
