import { t } from '../../platform/text/translate';
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

/** Surroundings of the content. */
export interface PageFrame {
  /** Key of the queue that the page shows. The script keeps it for the next window. */
  readonly queue: string;
  /** Must be new for each document. */
  readonly nonce: string;
}

/** Language of the texts: each translation gives its own. */
const LANGUAGE = t('en');

/**
 * Returns the document of a page. It loads nothing and runs only its own script.
 */
export function composePage(
  { title, body, style = PAGE_STYLE, script = PAGE_SCRIPT }: PageContent,
  { queue, nonce }: PageFrame,
): string {
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
  return `<!DOCTYPE html>
<html lang="${LANGUAGE}">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1.0">
<title>${escapeHtml(title)}</title>
<style nonce="${nonce}">${style}</style>
</head>
<body data-queue="${escapeHtml(queue)}">
${body.source}
<script nonce="${nonce}">${script}</script>
</body>
</html>`;
}
