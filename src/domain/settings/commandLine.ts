import { readWhole, show, type Checked, WrongPart } from './settingShape';

const EXAMPLE = '["notify-send", "{title}", "{message}"]';

/** A program with its arguments, as a setting names it: no shell takes it apart. Empty: none. */
export function readCommandLine(value: unknown): Checked<readonly string[]> {
  return readWhole(() => {
    if (Array.isArray(value)) return value.map((word: unknown, index) => readWord(word, index));
    throw new WrongPart(
      `must be a list of a program and its arguments, such as ${EXAMPLE}; it is ${show(value)}.`,
    );
  });
}

function readWord(value: unknown, index: number): string {
  if (typeof value === 'string' && (index > 0 || value.trim() !== '') && !value.includes('\0')) return value;
  throw new WrongPart(`must be a list of texts, such as ${EXAMPLE}; one is ${show(value)}.`);
}
