/** HTML whose texts are escaped. Only `markup` makes it. */
export class Html {
  constructor(readonly source: string) {}
}

/** Part of a page: HTML, a text that is escaped, a list of parts; null for nothing. */
export type HtmlPart = Html | string | number | null | readonly HtmlPart[];

/** Makes HTML from a template. Every text in it is escaped, also in an attribute, which needs double quotes. */
export function markup(sources: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  const pieces = sources.map((source, index) => `${source}${render(parts[index] ?? null)}`);
  return new Html(pieces.join(''));
}

/** Returns a text of `t()` without values as HTML: its `{0}`, `{1}` and so on are these parts, and the rest is escaped. */
export function fill(text: string, ...parts: readonly HtmlPart[]): Html {
  const pieces = text.split(/\{(\d+)\}/);
  return markup`${pieces.map((piece, at) => (at % 2 === 0 ? piece : (parts[Number(piece)] ?? null)))}`;
}

function render(part: HtmlPart): string {
  if (part === null) return '';
  if (part instanceof Html) return part.source;
  if (typeof part === 'object') return part.map(render).join('');
  return escapeHtml(String(part));
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text, for content and for an attribute in quotes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}
