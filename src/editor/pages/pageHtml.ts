import { escapeHtml, type Html } from './html';
import { PAGE_SCRIPT } from './pageScript';
import { PAGE_STYLE } from './pageStyle';

/** Content of a page. */
export interface PageContent {
  readonly title: string;
  /** Content of `body`: `main`, and what follows it. */
  readonly body: Html;
  /** Style in place of that of every page; only colours of the theme. */
  readonly style?: string;
  /** Script in place of the one of every page. */
  readonly script?: string;
}

/**
 * Returns the document of a page. It loads nothing and runs only its own script; `nonce` must be new for each document.
 */
export function composePage(
  { title, body, style = PAGE_STYLE, script = PAGE_SCRIPT }: PageContent,
  nonce: string,
): string {
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1.0">
<title>${escapeHtml(title)}</title>
<style nonce="${nonce}">${style}</style>
</head>
<body>
${body.source}
<script nonce="${nonce}">${script}</script>
</body>
</html>`;
}
