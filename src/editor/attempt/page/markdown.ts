import MarkdownIt from 'markdown-it';
import { t } from '../../../platform/text/translate';
import { escapeHtml } from '../../pages/html';
import { cutMiddle, fileButton, type FindFile, type PageFile } from './html';

/** Maximum characters of one text. */
const LONGEST_TEXT = 20_000;

/** Headings of the page itself are h1 to h3. */
const HEADINGS_BELOW = 3;

/** Parts of the state of one rendering. */
interface Rendering {
  readonly findFile: FindFile;
  /** Links that are open, innermost last. */
  readonly links: { readonly href: string; readonly file: PageFile | null; readonly from: number }[];
}

/**
 * Returns Markdown from outside as HTML. It has no link, no picture and no attribute of the text: an address is shown
 * as text, and a file of the working directory is a button.
 */
export function renderMarkdown(text: string, findFile: FindFile): string {
  const rendering: Rendering = { findFile, links: [] };
  return MARKDOWN.render(cutMiddle(text, LONGEST_TEXT), rendering);
}

const MARKDOWN = createMarkdown();

function createMarkdown(): MarkdownIt {
  const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
  // Every address is shown, and none is followed.
  markdown.validateLink = () => true;
  const { renderer } = markdown;
  renderer.renderAttrs = (token) => {
    const start = Number((token.tag === 'ol' ? token.attrGet('start') : null) ?? NaN);
    return Number.isInteger(start) ? ` start="${String(start)}"` : '';
  };
  renderer.rules.code_inline = (tokens, index, _, env: Rendering) =>
    renderCode(tokens[index]?.content ?? '', env);
  renderer.rules.image = (tokens, index) => {
    const token = tokens[index];
    return escapeHtml(t('[picture: {0}] ({1})', token?.content ?? '', token?.attrGet('src') ?? ''));
  };
  renderer.rules['link_open'] = (tokens, index, _, env: Rendering) =>
    openLink(tokens[index]?.attrGet('href') ?? '', index, env);
  renderer.rules['link_close'] = (tokens, index, _, env: Rendering) =>
    closeLink((from) => textBetween(tokens, from, index), env);
  const lower: NonNullable<(typeof renderer.rules)[string]> = (tokens, index, options, _, self) => {
    const token = tokens[index];
    if (token !== undefined)
      token.tag = `h${String(Math.min(6, Number(token.tag.slice(1)) + HEADINGS_BELOW))}`;
    return self.renderToken(tokens, index, options);
  };
  renderer.rules['heading_open'] = lower;
  renderer.rules['heading_close'] = lower;
  return markdown;
}

function renderCode(content: string, { findFile, links }: Rendering): string {
  const code = `<code>${escapeHtml(content)}</code>`;
  // No button inside a button.
  const file = links.some((link) => link.file !== null) ? null : findFile(content);
  return file === null ? code : fileButton(file, code);
}

function openLink(href: string, from: number, { findFile, links }: Rendering): string {
  const isInside = links.some((link) => link.file !== null);
  const file = isInside ? null : findFile(decode(href));
  links.push({ href, file, from });
  return file === null ? '' : fileButton(file, '').replace(/<\/button>$/, '');
}

function closeLink(textFrom: (from: number) => string, { links }: Rendering): string {
  const link = links.pop();
  if (link === undefined) return '';
  if (link.file !== null) return '</button>';
  return textFrom(link.from) === link.href ? '' : ` <span class="address">(${escapeHtml(link.href)})</span>`;
}

function textBetween(tokens: readonly { readonly content: string }[], from: number, to: number): string {
  return tokens
    .slice(from + 1, to)
    .map(({ content }) => content)
    .join('');
}

/** Returns an address as its author wrote it. */
function decode(href: string): string {
  try {
    return decodeURI(href);
  } catch {
    // Not encoded in the usual way, so it names no file.
    return href;
  }
}
