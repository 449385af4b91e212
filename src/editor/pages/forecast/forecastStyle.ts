import { PAGE_STYLE } from '../pageStyle';

/** Style of the forecast. It starts with that of every page. */
export const FORECAST_STYLE = `${PAGE_STYLE}
main { max-width: none; }
.tools { display: flex; flex-wrap: wrap; gap: 4px 14px; align-items: center; margin: 8px 0 16px; }
.settle > li { display: flex; gap: 10px; align-items: baseline; padding: 4px 0; }
.settle p { flex: 1; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: start; padding: 3px 10px 3px 0; white-space: nowrap; vertical-align: middle; }
thead th { font-weight: normal; opacity: .8; border-block-end: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder)); }
td.task { max-width: 260px; overflow: hidden; text-overflow: ellipsis; }
td.task button { display: inline; }
td.end, th.end { text-align: end; }
.time { width: 45%; min-width: 260px; padding-inline-end: 16px; }
.hours { display: flex; justify-content: space-between; }
svg { display: block; width: 100%; height: 14px; }
.likely { fill: var(--vscode-charts-blue); }
.tail { fill: var(--vscode-charts-blue); opacity: .45; }
.risky .likely, .risky .tail { fill: var(--vscode-charts-yellow); }
.vscode-high-contrast .tail, .vscode-high-contrast-light .tail { opacity: 1; }
`;
