import { FIELD_STYLE, PAGE_STYLE } from '../pageStyle';

/** Style of the page of a schedule. It starts with that of every page. */
export const SCHEDULE_STYLE = `${PAGE_STYLE}${FIELD_STYLE}
.sentence { font-size: 1.3em; margin: 0 0 6px; }
.sentence:focus { outline: none; }
.note { padding: 6px 10px; border-inline-start: 3px solid var(--vscode-focusBorder); }
.tools { display: flex; flex-wrap: wrap; gap: 6px 12px; align-items: center; margin: 8px 0 14px; }
.tools label { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; }
h3 { margin: 14px 0 4px; font-weight: normal; }
pre { padding: 8px 10px; background: var(--vscode-textCodeBlock-background); border: 1px solid var(--vscode-contrastBorder, transparent); }
button.main { margin-block-start: 10px; }
`;
