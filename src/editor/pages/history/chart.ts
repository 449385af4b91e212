import { t } from '../../../platform/text/translate';
import { type Html, markup } from '../html';

/** Line or column of a chart. */
export interface ChartSeries {
  readonly label: string;
  /** Name of the theme's colour, without `--vscode-`. */
  readonly colour: string;
  /** Values at the places of `Chart.times`; null where nothing is known. */
  readonly values: readonly (number | null)[];
}

/** Chart over time, as the page's script draws it. */
export interface Chart {
  /** Columns are drawn one over the other: the values of each series contain those before it. */
  readonly kind: 'columns' | 'steps';
  readonly unit: 'count' | 'usd' | 'share';
  /** Readings of the queue's clocks as if they were UTC, in seconds. */
  readonly times: readonly number[];
  readonly series: readonly ChartSeries[];
  /** Times with a mark on top, in seconds. */
  readonly marks: readonly number[];
  /** Words for each time, which the pointer shows. */
  readonly words: readonly string[];
}

/** Figure: a picture, and a table with the same content. */
export interface Figure {
  readonly title: string;
  readonly note?: string;
  readonly chart: Chart;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Draws a figure. The picture is hidden from screen readers, which get the table. */
export function drawFigure({ title, note, chart, head, rows }: Figure): Html {
  const { series, marks } = chart;
  return markup`<figure><figcaption><h2>${title}</h2> <span class="legend" aria-hidden="true">${series.map(
    ({ label, colour }) => markup`<span class="swatch" data-colour="${colour}">${label}</span>`,
  )}${marks.length === 0 ? null : markup`<span>${t('▼ limit reached')}</span>`}</span></figcaption>
${note === undefined ? null : markup`<p><small>${note}</small></p>`}
<div class="chart" aria-hidden="true" data-chart="${JSON.stringify(chart)}"></div><p class="readout" aria-hidden="true"></p>
<details><summary>${t('Table of {0}', title.toLowerCase())}</summary>${drawRows(head, rows)}</details></figure>`;
}

/** Maximum number of rows of a table: more would freeze the page. */
const MOST_ROWS = 1000;

function drawRows(head: readonly string[], rows: readonly (readonly string[])[]): Html {
  const left = rows.length - MOST_ROWS;
  return markup`<div class="scroll"><table><thead><tr>${head.map((name) => markup`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.slice(0, MOST_ROWS).map((row) => markup`<tr>${row.map((cell) => markup`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>
${left > 0 ? markup`<p>${t('And {0} older ones, which only the picture shows.', left)}</p>` : null}`;
}

/** Adds the values of each series to those of the one before it. */
export function stack(series: readonly ChartSeries[]): readonly ChartSeries[] {
  const sums: number[] = [];
  return series.map(({ label, colour, values }) => ({
    label,
    colour,
    values: values.map((value, index) => {
      sums[index] = (sums[index] ?? 0) + (value ?? 0);
      return sums[index];
    }),
  }));
}
