import { firstLine } from '../../platform/text/plainText';
import type { ToolCall } from './message';

/** The inputs that say most of a call, the telling ones first. */
const TELLING = ['command', 'file_path', 'notebook_path', 'path', 'pattern', 'url', 'query', 'description'];

/** A tool call in short: its command, or the file it is about. */
export function describeCall({ input }: ToolCall): string {
  for (const name of TELLING) {
    const value = input[name];
    if (typeof value === 'string' && value !== '') return firstLine(value);
  }
  return '';
}
