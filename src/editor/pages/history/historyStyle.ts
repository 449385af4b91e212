import { FIELD_STYLE, LEGEND_STYLE, PAGE_STYLE } from '../pageStyle';

/** Style of pages with pictures and tables. It starts with that of every page. */
export const HISTORY_STYLE = `${PAGE_STYLE}
${FIELD_STYLE}${LEGEND_STYLE}main { max-width: none; }
.tools { display: flex; flex-wrap: wrap; gap: 6px 10px; align-items: center; margin: 8px 0 14px; }
input { width: 22em; max-width: 100%; box-sizing: border-box; }
.sentence { font-size: 1.3em; }
.sentence:focus { outline: none; }
.numbers { display: flex; flex-wrap: wrap; border-block: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder)); margin: 0 0 18px; padding: 8px 0; row-gap: 8px; }
.numbers > div { display: flex; flex-direction: column; padding: 0 16px; border-inline-start: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder)); }
.numbers > div:first-child { padding-inline-start: 0; border: 0; }
.numbers dt { opacity: .8; }
.numbers dd { margin: 0; }
.numbers dd:first-of-type { font-size: 1.2em; font-weight: bold; }
.numbers small { order: 3; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(380px, 100%), 1fr)); gap: 10px 32px; }
figure { margin: 14px 0 10px; min-width: 0; }
figcaption { display: flex; flex-wrap: wrap; gap: 2px 16px; align-items: baseline; justify-content: space-between; }
figcaption h2 { margin: 0; }
.chart { min-height: 170px; overflow: hidden; }
.uplot, .uplot * { box-sizing: border-box; }
.u-wrap { position: relative; }
.u-over, .u-under, .u-axis { position: absolute; }
.uplot canvas { display: block; width: 100%; height: 100%; }
.u-select, .u-off { display: none; }
.u-cursor-x { position: absolute; inset-block: 0; left: 0; pointer-events: none; border-inline-end: 1px dashed var(--vscode-foreground); }
.readout { min-height: 1.5em; }
details > .scroll { max-height: 24em; overflow: auto; }
summary { cursor: pointer; color: var(--vscode-textLink-foreground); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; overflow-wrap: normal; }
th { text-align: start; white-space: nowrap; border-block-end: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder)); }
th, td { padding: 3px 14px 3px 0; vertical-align: top; }
td { white-space: nowrap; }
td.outcome { white-space: normal; min-width: 8em; }
td.task { white-space: normal; min-width: 12em; }
.end { text-align: end; font-variant-numeric: tabular-nums; }
tbody tr:nth-child(even) { background: var(--vscode-keybindingTable-rowsBackground); }
tbody tr:hover { background: var(--vscode-list-hoverBackground); outline: 1px dashed var(--vscode-contrastActiveBorder, transparent); outline-offset: -1px; }
.mark { display: inline-block; width: 1.2em; font-weight: bold; text-align: center; }
.mark.success { color: var(--vscode-charts-green); }
.mark.review { color: var(--vscode-charts-purple); }
.mark.error { color: var(--vscode-charts-red); }
.vscode-high-contrast .mark, .vscode-high-contrast-light .mark { color: inherit; }
`;
