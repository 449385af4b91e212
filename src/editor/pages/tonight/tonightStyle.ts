import { FIELD_STYLE, PAGE_STYLE } from '../pageStyle';

/** Style of the page of the forecast. It starts with that of every page. */
export const TONIGHT_STYLE = `${PAGE_STYLE}${FIELD_STYLE}
main { max-width: none; }
.tools { display: flex; flex-wrap: wrap; gap: 4px 14px; align-items: center; margin: 8px 0 16px; }
.settle > li { display: flex; flex-wrap: wrap; gap: 4px 10px; align-items: baseline; padding: 4px 0; }
.settle p { flex: 1 1 240px; min-width: 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: start; padding: 3px 10px 3px 0; white-space: nowrap; vertical-align: middle; }
thead th { font-weight: normal; opacity: .8; border-block-end: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder)); }
.task { max-width: min(220px, 45vw); overflow: hidden; text-overflow: ellipsis; }
.task button { display: block; max-width: 100%; overflow: hidden; text-overflow: ellipsis; }
td.words { white-space: normal; overflow-wrap: normal; min-width: 90px; }
td.risk { white-space: normal; overflow-wrap: normal; min-width: 150px; }
td.end, th.end { text-align: end; }
.time { width: 40%; min-width: 230px; padding-inline-end: 16px; }
.hours { display: flex; justify-content: space-between; gap: 8px; }
td.time { padding-block: 0; }
svg { display: block; width: 100%; height: 20px; }
.limit { fill: var(--vscode-charts-yellow); opacity: .25; }
.likely { fill: var(--vscode-charts-blue); }
.tail { fill: var(--vscode-charts-blue); opacity: .45; }
.deadline { stroke: var(--vscode-charts-red); stroke-width: 2px; vector-effect: non-scaling-stroke; }
.risky .likely, .risky .tail { fill: var(--vscode-charts-yellow); }
th { font-weight: normal; }
.whatif { margin-bottom: 20px; }
.whatif .tools { margin: 4px 0; }
.whatif select { max-width: min(280px, 75vw); }
.whatif input { width: 200px; }
.sentence { font-size: 1.15em; }
.changes { display: flex; flex-wrap: wrap; gap: 4px 20px; margin: 6px 0; }
.sums { width: auto; margin: 10px 0; }
.sums th, .sums td { padding-inline-end: 28px; }
.differs { font-weight: bold; }
.compared tbody tr:first-child > * { border-block-start: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder)); }
.compared .task { max-width: 190px; }
.compared .time { width: 32%; min-width: 190px; }
.compared .hours span:nth-child(even):not(:last-child) { display: none; }
.compared th[scope="row"] { opacity: .8; }
.then th[scope="row"] { opacity: 1; }
.compared tr:not(.then) .likely, .compared tr:not(.then) .tail { fill: var(--vscode-descriptionForeground, var(--vscode-foreground)); }
.vscode-high-contrast .tail, .vscode-high-contrast-light .tail { opacity: 1; }
@media (max-width: 1100px) {
.timeline, .timeline :is(thead, tbody, td, th) { display: block; }
.timeline tr { display: flex; flex-wrap: wrap; }
.timeline :is(td, th) { box-sizing: border-box; padding-block: 0; }
.timeline thead :is(td, th):not(.time) { position: absolute; clip-path: inset(50%); }
.timeline thead .time { margin-inline-start: auto; }
.timeline .time { flex: 0 0 60%; width: auto; min-width: 0; }
.timeline :is(td.task, tbody th) { flex: 0 0 40%; max-width: none; }
.timeline th.task { flex: 0 0 100%; max-width: none; }
.timeline:not(.compared) tbody tr, .compared tbody { padding: 5px 0; border-block-end: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder)); }
.compared tbody tr:first-child > * { border: 0; }
.timeline td:empty { display: none; }
.timeline td[data-name]::before { content: attr(data-name) ": " / ""; opacity: .8; }
}
@media (max-width: 480px) { .hours span:nth-child(even):not(:last-child) { display: none; } }
`;
