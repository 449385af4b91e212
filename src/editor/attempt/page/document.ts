import { escapeHtml } from './html';

/** Addresses of the page's own files, and what its policy names. */
export interface PageSources {
  readonly script: string;
  readonly style: string;
  /** Source of the style in the page's policy. */
  readonly styleSource: string;
  readonly nonce: string;
}

/** Returns the empty page: its script asks for the rest. It loads nothing but its own script and style. */
export function composeDocument({ script, style, styleSource, nonce }: PageSources): string {
  const policy = [
    "default-src 'none'",
    `style-src ${styleSource}`,
    `script-src 'nonce-${nonce}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${escapeHtml(style)}">
<title>Attempt</title>
</head>
<body>
<header>
<div class="line"><h1 id="title"></h1><div id="attempts"></div></div>
<p id="verdict"></p>
<div id="actions"></div>
</header>
<main>
<section aria-labelledby="prompt-heading" class="prompt"><h2 id="prompt-heading">Prompt</h2><div id="prompt"></div></section>
<section aria-labelledby="steps-heading"><h2 id="steps-heading">Steps</h2><div id="notes"></div><div id="steps"></div></section>
</main>
<aside aria-labelledby="facts-heading"><h2 id="facts-heading">Facts</h2><dl id="facts"></dl></aside>
<button type="button" id="newer" hidden></button>
<div id="spoken" aria-live="polite"></div>
<script nonce="${escapeHtml(nonce)}" src="${escapeHtml(script)}"></script>
</body>
</html>`;
}
