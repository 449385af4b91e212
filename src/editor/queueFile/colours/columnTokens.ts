import type { Column } from '../../../queue/row/columns';
import { rangeInCell, type DocumentCell } from '../document/documentCell';
import type { QueueDocument } from '../document/queueDocument';
import type { TextPosition, TextRange } from '../document/textRange';
import type { TokenType } from './tokenTypes';

/** Coloured part of a line. */
export interface ColumnToken {
  readonly line: number;
  readonly character: number;
  readonly length: number;
  readonly type: TokenType;
}

/** Token type of each column, by its kind. Null: the plain foreground, for the text that people read. */
const TYPE_OF: Readonly<Record<Column, TokenType | null>> = {
  id: 'number',
  priority: 'keyword',
  working_dir: 'type',
  prompt: null,
  status: 'enumMember',
  scheduled_time: 'function',
  dependencies: 'number',
  repeat: 'enumMember',
  repeat_interval: 'function',
  retry_count: 'number',
  max_retries: 'number',
  created_at: 'function',
  timeout: 'function',
  model: 'enumMember',
  permission_mode: 'enumMember',
  allowed_tools: 'type',
  max_turns: 'number',
  max_budget_usd: 'number',
  verify: 'type',
  user: 'variable',
  deadline: 'function',
  tags: 'variable',
  prompt_file: 'type',
  callback_url: 'type',
  request_id: 'variable',
  metadata: 'variable',
  append_system_prompt: null,
  unless_unchanged: 'enumMember',
};

const TYPES: ReadonlyMap<string, TokenType | null> = new Map(Object.entries(TYPE_OF));

/** Returns the tokens of the rows on these lines, the last line included, in order. Without the header. */
export function planTokens(
  document: QueueDocument,
  firstLine: number,
  lastLine: number,
): readonly ColumnToken[] {
  return document.rowsBetween(firstLine, lastLine).flatMap(({ cells }) => cells.flatMap(tokensOf));
}

/** Returns the tokens of the column's name at the cursor, which is never plain. */
export function planHeaderTokens(document: QueueDocument, cursor: TextPosition): readonly ColumnToken[] {
  const index = document.cellAt(cursor)?.cell.index ?? -1;
  const cell = document.header?.cells[index];
  return cell === undefined ? [] : tokensOfType(cell, typeOf(cell) ?? 'variable');
}

function tokensOf(cell: DocumentCell): ColumnToken[] {
  const type = typeOf(cell);
  return type === null ? [] : tokensOfType(cell, type);
}

function typeOf({ column }: DocumentCell): TokenType | null {
  return TYPES.get(column ?? '') ?? null;
}

/** A token must not span lines, so a cell has one for each of its lines. */
function tokensOfType(cell: DocumentCell, type: TokenType): ColumnToken[] {
  return splitLines(cell).flatMap(({ start: { line, character }, end }) => {
    const length = end.character - character;
    return length > 0 ? [{ line, character, length, type }] : [];
  });
}

/** Returns the part of a cell on each of its lines. */
function splitLines(cell: DocumentCell): readonly TextRange[] {
  const { text, range } = cell;
  if (range.start.line === range.end.line) return [range];
  const parts = [...text.matchAll(/[^\r\n]+/g)].map(({ 0: part, index }) =>
    rangeInCell(cell, index, index + part.length),
  );
  return parts.map(({ start, end }) => ({
    start: start.line === range.start.line ? range.start : start,
    end: end.line === range.end.line ? range.end : end,
  }));
}
