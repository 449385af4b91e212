import * as vscode from 'vscode';
import type { TextRange } from './textRange';

/** Converts a range of a parsed document to one of the editor. */
export function toEditorRange({ start, end }: TextRange): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}
