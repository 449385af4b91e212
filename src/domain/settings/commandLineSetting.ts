import { readWhole, wrongWhole, type Checked } from './structuredSettings';

/** Reads a program with its arguments from a setting. No shell parses it. Empty: none. */
export function readCommandLine(value: unknown): Checked<readonly string[]> {
  return readWhole(() => {
    if (Array.isArray(value)) return value.map((word: unknown, index) => readWord(word, index));
    throw wrongWhole('command-line', value);
  });
}

function readWord(value: unknown, index: number): string {
  if (typeof value === 'string' && (index > 0 || value.trim() !== '') && !value.includes('\0')) return value;
  throw wrongWhole('command-word', value);
}
