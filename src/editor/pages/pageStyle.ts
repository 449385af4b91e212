/** Style of every page: only the colours of the theme. */
export const PAGE_STYLE = `
body { margin: 0; padding: 0; font: var(--vscode-font-size)/1.5 var(--vscode-font-family); color: var(--vscode-foreground); background: var(--vscode-editor-background); }
main { padding: 16px 28px 24px; max-width: 1100px; overflow-wrap: anywhere; }
h1 { font-size: 1.5em; margin: 0 0 10px; }
h1:focus { outline: none; }
h2 { font-size: 1em; margin: 22px 0 6px; }
h2 small { font-weight: normal; margin-left: 8px; }
h3 { font-size: 1em; margin: 0; }
p { margin: 4px 0; }
small { font-size: 1em; opacity: .8; }
ul, ol { margin: 0; padding: 0; list-style: none; }
code, pre { font-family: var(--vscode-editor-font-family); font-size: var(--vscode-editor-font-size); }
pre { margin: 0; white-space: pre-wrap; }
button { font: inherit; border: 1px solid var(--vscode-contrastBorder, transparent); cursor: pointer; }
button.link { padding: 0; border: 0; background: none; color: var(--vscode-textLink-foreground); text-align: start; overflow-wrap: anywhere; }
button.link:hover { text-decoration: underline; color: var(--vscode-textLink-activeForeground); }
button.main, button.other { padding: 4px 14px; border-radius: 2px; color: var(--vscode-button-foreground); background: var(--vscode-button-background); }
button.main:hover { background: var(--vscode-button-hoverBackground); }
button.other { border-color: var(--vscode-button-secondaryBorder, var(--vscode-button-border, var(--vscode-contrastBorder, transparent))); color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground); }
button.other:hover { background: var(--vscode-button-secondaryHoverBackground); }
.vscode-high-contrast button.link, .vscode-high-contrast-light button.link { text-decoration: underline; }
:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: 2px; }
[hidden] { display: none !important; }
.warning::before { content: "⚠ "; }
.warning { color: var(--vscode-editorWarning-foreground); }
.vscode-high-contrast .warning, .vscode-high-contrast-light .warning { color: inherit; font-weight: bold; }
`;

/** Style of fields, for pages that have some. */
export const FIELD_STYLE = `
input, select { font: inherit; padding: 3px 6px; color: var(--vscode-input-foreground); background: var(--vscode-input-background); border: 1px solid var(--vscode-input-border, var(--vscode-contrastBorder, transparent)); border-radius: 2px; }
select { color: var(--vscode-dropdown-foreground); background: var(--vscode-dropdown-background); border-color: var(--vscode-dropdown-border, var(--vscode-contrastBorder)); }
`;

/** Style of the names of colours, for pages that have some. Each colour is set as `--colour`. */
export const LEGEND_STYLE = `
.legend { display: flex; flex-wrap: wrap; gap: 2px 12px; }
.swatch::before { content: ""; display: inline-block; width: 10px; height: 10px; margin-inline-end: 5px; background: var(--colour); outline: 1px solid var(--vscode-contrastBorder, transparent); }
`;
