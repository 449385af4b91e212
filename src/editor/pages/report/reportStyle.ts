import { END_KINDS } from '../history/attemptRows';
import { FIELD_STYLE, LEGEND_STYLE, PAGE_STYLE } from '../pageStyle';

/** Style of the report. It starts with that of every page. */
export const REPORT_STYLE = `${PAGE_STYLE}${FIELD_STYLE}${LEGEND_STYLE}
.period { opacity: .8; margin: -6px 0 4px; }
.needs { border-block-end: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder)); }
.needs > li { display: flex; flex-wrap: wrap; gap: 4px 16px; align-items: center; padding: 7px 0; border-block-start: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder)); }
.what { flex: 1 1 240px; min-width: 0; }
.what button { display: inline; }
.details { margin: 0; opacity: .8; }
.details:empty { display: none; }
.risk { margin-inline-end: 6px; white-space: nowrap; color: var(--vscode-editorWarning-foreground); }
.risk.failed, .risk.stuck, .state.failed, .state.stuck { color: var(--vscode-errorForeground); }
.risk.unchecked, .risk.unapproved { color: inherit; opacity: .8; }
.vscode-high-contrast .risk, .vscode-high-contrast-light .risk { color: inherit; opacity: 1; font-weight: bold; }
.buttons { display: flex; flex-wrap: wrap; gap: 4px 8px; }
@media (max-width: 420px) { main { padding: 12px 14px; } h1 { font-size: 1.25em; } }
.tools { display: flex; flex-wrap: wrap; gap: 4px 14px; align-items: center; margin: 20px 0 0; }
section > ul:not(.needs) > li { padding: 1px 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: start; padding: 3px 10px 3px 0; white-space: nowrap; vertical-align: middle; }
thead th { font-weight: normal; opacity: .8; border-block-end: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder)); }
td.task { max-width: 200px; overflow: hidden; text-overflow: ellipsis; }
td.task button { display: block; max-width: 100%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.cause { overflow: hidden; text-overflow: ellipsis; opacity: .8; }
td.words { min-width: 72px; white-space: normal; overflow-wrap: normal; }
td.end, th.end { text-align: end; }
.time { width: 35%; min-width: 170px; padding-inline-end: 16px; }
.hours { display: flex; justify-content: space-between; gap: 8px; }
.hours span:nth-child(even):not(:last-child) { display: none; }
svg { display: block; width: 100%; height: 16px; }
.gap { stroke: var(--vscode-descriptionForeground); stroke-width: 2px; stroke-dasharray: 1 5; vector-effect: non-scaling-stroke; }
${END_KINDS.map(({ kind, colour }) => `.${kind} { --colour: var(--vscode-${colour}); }`).join('\n')}
.running { --colour: var(--vscode-charts-blue); }
svg rect { fill: var(--colour); }
svg .ground { fill: transparent; }
section > .legend { margin: 8px 0 0; }
.swatch.gap::before { width: 18px; height: 0; outline: 0; vertical-align: middle; border-block-start: 2px dotted var(--vscode-descriptionForeground); }
`;
