/** Item of a Markdown check-list. */
export interface CheckItem {
  /** Text of the item, with the indented lines below it. */
  readonly text: string;
  readonly isDone: boolean;
  /** Line on which it starts, from 1. */
  readonly line: number;
}

/** Items of a Markdown text, in order. */
export interface CheckList {
  readonly items: readonly CheckItem[];
  /** Lines with a box that is neither open nor done, such as `- [-] text` or `- [] text`. */
  readonly unclear: readonly number[];
}

const ITEM = /^(\s*)([-*+]|\d+[.)])\s+\[([ xX])\](?:\s+(.*))?$/;
const UNCLEAR = /^\s*(?:[-*+]|\d+[.)])\s+\[(?:[^\w\s\]]?\]\s|\s+\][^\s(:[])/;
const FENCE = /^\s*(?:(`{3,})([^`]*)|(~{3,})(.*))$/;

interface OpenItem {
  readonly indent: number;
  /** Width of its mark with the blank after it: `- `, `10. `. */
  readonly markWidth: number;
  readonly isDone: boolean;
  readonly line: number;
  readonly lines: string[];
}

/**
 * Returns the items `- [ ] text` of a Markdown text, in order. Indented lines below an item belong to it, but nested
 * items are items of their own, with the lines that are indented below them. What is inside a code block is no item.
 */
export function readCheckList(markdown: string): CheckList {
  const items: OpenItem[] = [];
  const unclear: number[] = [];
  /** Items to which lines may be added: each is nested in the one before it. */
  let open: readonly OpenItem[] = [];
  let fence: string | null = null;
  for (const [index, text] of markdown
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .entries()) {
    const line = index + 1;
    const item = fence === null ? openItem(text, line) : null;
    const isUnclear = item === null && fence === null && UNCLEAR.test(text);
    fence = fenceAfter(text, fence);
    if (isUnclear) unclear.push(line);
    if (item !== null) {
      open = [...open.filter(({ indent }) => indent < item.indent), item];
      items.push(item);
    } else {
      open = isUnclear ? [] : open.filter((one) => belongsTo(one, text));
      addLine(open, text);
    }
  }
  return {
    items: items.map(({ isDone, line, lines }) => ({ isDone, line, text: lines.join('\n').trim() })),
    unclear,
  };
}

/** Adds a line to the innermost item. A blank line is kept in each: the next line may belong to any of them. */
function addLine(open: readonly OpenItem[], text: string): void {
  for (const item of text.trim() === '' ? open : open.slice(-1)) item.lines.push(dedent(text, item));
}

function openItem(text: string, line: number): OpenItem | null {
  const [whole, indent = '', mark = '', box = ' ', rest = ''] = ITEM.exec(text) ?? [];
  if (whole === undefined) return null;
  return { indent: indent.length, markWidth: mark.length + 1, isDone: box !== ' ', line, lines: [rest] };
}

/** Returns the fence of the code block that is open after a line, as CommonMark has it; null: none is. */
function fenceAfter(line: string, open: string | null): string | null {
  const [, ticks, info, tildes, rest] = FENCE.exec(line) ?? [];
  const fence = ticks ?? tildes;
  if (fence === undefined || open === null) return fence ?? open;
  const isClosed = fence.startsWith(open) && (info ?? rest ?? '').trim() === '';
  return isClosed ? null : open;
}

function belongsTo({ indent }: OpenItem, line: string): boolean {
  return line.trim() === '' || indentOf(line) > indent;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function dedent(line: string, { indent, markWidth }: OpenItem): string {
  return line.slice(Math.min(indentOf(line), indent + markWidth));
}
