/** Item of a Markdown check-list. */
export interface CheckItem {
  /** Text of the item, with the indented lines below it. */
  readonly text: string;
  readonly isDone: boolean;
}

const ITEM = /^(\s*)(?:[-*+]|\d+[.)])\s+\[([ xX])\](?:\s+(.*))?$/;
const FENCE = /^\s*(?:(`{3,})([^`]*)|(~{3,})(.*))$/;

interface OpenItem {
  readonly indent: number;
  readonly isDone: boolean;
  readonly lines: string[];
}

/**
 * Returns the items `- [ ] text` of a Markdown text, in order. Indented lines below an item belong to it, but nested
 * items are items of their own. What is inside a code block is no item.
 */
export function readCheckList(markdown: string): readonly CheckItem[] {
  const items: OpenItem[] = [];
  let current: OpenItem | null = null;
  let fence: string | null = null;
  for (const line of markdown.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const [, indent = '', mark = ' ', text = ''] = (fence === null ? ITEM.exec(line) : null) ?? [];
    const isItem = fence === null && ITEM.test(line);
    fence = fenceAfter(line, fence);
    if (isItem) {
      current = { indent: indent.length, isDone: mark !== ' ', lines: [text] };
      items.push(current);
    } else if (current !== null && belongsTo(current, line)) {
      current.lines.push(dedent(line, current.indent));
    } else {
      current = null;
    }
  }
  return items.map(({ isDone, lines }) => ({ isDone, text: lines.join('\n').trim() }));
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

/** Width of a mark with its blank: `- `. */
const MARK_WIDTH = 2;

function dedent(line: string, indent: number): string {
  return line.slice(Math.min(indentOf(line), indent + MARK_WIDTH));
}
