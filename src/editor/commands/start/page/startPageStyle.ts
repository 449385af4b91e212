import { PAGE_STYLE } from '../../../pages/pageStyle';

/** Style of the page. It starts with that of every page. */
export const START_PAGE_STYLE = `${PAGE_STYLE}
body { display: flex; flex-direction: column; min-height: 100vh; }
main { flex: 1; }
.sentence { font-size: 1.3em; line-height: 1.5; padding: 10px 14px; border-inline-start: 4px solid var(--vscode-focusBorder); background: var(--vscode-textBlockQuote-background); }
.sentence:focus { outline: 1px solid var(--vscode-contrastBorder, transparent); }
.sentence + .buttons { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 14px; }
.note { padding: 6px 10px; border: 1px solid var(--vscode-focusBorder); }
.columns { display: grid; grid-template-columns: 1fr 1fr; gap: 0 40px; }
@media (max-width: 760px) { .columns { grid-template-columns: 1fr; } }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 6px 18px; margin: 0; }
dd { margin: 0; }
.line { display: grid; grid-template-columns: minmax(3.5em, max-content) 1fr max-content; gap: 4px 10px; }
.line li { display: grid; grid-column: 1 / -1; grid-template-columns: subgrid; }
.line small { display: block; }
details { margin-top: 6px; }
summary { cursor: pointer; color: var(--vscode-textLink-foreground); }
.changed { border: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder)); }
.changed > li + li { border-top: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder)); }
.head { display: grid; grid-template-columns: max-content 1fr max-content; gap: 10px; padding: 6px 10px; align-items: start; }
.head input { margin: 3px 0 0; width: 16px; height: 16px; accent-color: var(--vscode-button-background); }
.head input { outline: 1px solid var(--vscode-contrastBorder, transparent); }
.head input:focus-visible { outline-color: var(--vscode-focusBorder); }
.head .warning { display: block; }
.changed h3 { padding: 0 10px 0 36px; font-weight: normal; opacity: .8; }
.diff { max-height: 24em; overflow: auto; margin-bottom: 6px; }
.diff pre { padding: 1px 10px 1px 36px; }
.added { background: var(--vscode-diffEditor-insertedLineBackground, var(--vscode-diffEditor-insertedTextBackground)); }
.removed { background: var(--vscode-diffEditor-removedLineBackground, var(--vscode-diffEditor-removedTextBackground)); }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
footer { position: sticky; bottom: 0; display: flex; flex-wrap: wrap; gap: 8px 24px; align-items: center; justify-content: space-between; padding: 10px 28px; background: var(--vscode-editor-background); border-top: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder)); }
footer div { display: flex; flex-wrap: wrap; gap: 8px; }
`;
