import { firstLine } from '../../platform/text/plainText';
import type { ToolCall } from './message';

/** Inputs that describe a call best, in order of preference. */
const DESCRIPTIVE_INPUTS = [
  'command',
  'file_path',
  'notebook_path',
  'path',
  'pattern',
  'url',
  'query',
  'description',
];

/** Returns a short description of a tool call: its command, or the file it is about. */
export function describeCall({ input }: ToolCall): string {
  for (const name of DESCRIPTIVE_INPUTS) {
    const value = input[name];
    if (typeof value === 'string' && value !== '') return firstLine(value);
  }
  return '';
}

/** Returns a text as one line. */
export function joinLines(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
