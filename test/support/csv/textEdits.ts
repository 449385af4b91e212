import assert from 'node:assert/strict';
import type { TextEdit } from '../../../src/queue/csv/textEdits';

/** The text with these edits, as an editor applies them: in order, apart from each other, by characters. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const [index, { start, end, text: inserted }] of edits.entries()) {
    assert.ok(start <= end && end <= text.length && (index === 0 || start > at), 'edits touch or overlap');
    parts.push(text.slice(at, start), inserted);
    at = end;
  }
  return [...parts, text.slice(at)].join('');
}
