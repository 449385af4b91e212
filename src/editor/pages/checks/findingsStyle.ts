import { PAGE_STYLE } from '../pageStyle';

/** Style of lists of findings. It starts with that of every page. */
export const FINDINGS_STYLE = `${PAGE_STYLE}
.sentence { font-size: 1.3em; margin: 0 0 6px; }
.sentence:focus { outline: none; }
.tools { display: flex; flex-wrap: wrap; gap: 4px 14px; align-items: center; margin: 8px 0 16px; }
.findings { border-block-start: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder)); }
.findings > li { display: grid; grid-template-columns: 1.4em 1fr auto; gap: 4px 8px; align-items: start; padding: 8px 0; border-block-end: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder)); }
.mark { font-weight: bold; text-align: center; }
.mark.problem { color: var(--vscode-errorForeground); }
.mark.note { color: var(--vscode-editorWarning-foreground); }
.mark.fine { color: var(--vscode-charts-green); }
.vscode-high-contrast .mark, .vscode-high-contrast-light .mark { color: inherit; }
.where { font-family: var(--vscode-editor-font-family); font-size: var(--vscode-editor-font-size); }
.buttons { display: flex; flex-wrap: wrap; gap: 6px; }
@media (max-width: 600px) { .findings > li { grid-template-columns: 1.4em 1fr; } .buttons { grid-column: 2; } }
`;
