import { clean } from '../platform/text/plainText';

/** Words of what a screen reader would spell or leave out, in the order in which it is replaced. */
const WORDS: readonly (readonly [mark: RegExp, words: string])[] = [
  [/\$\u2060?\((?:[\w-]+(?:~\w+)?\))?/g, ' '],
  [/\b(\d+)(?:st|nd|rd|th) in line\b/g, 'position $1'],
  [/\(?\+(\d+)\)?(?!\w)/g, 'and $1 more'],
  [/\u2060/g, ''],
  [/…/g, ' '],
  [/\s*[·•|–—]\s*/g, ', '],
  [/≥/g, ' at least '],
  [/≤/g, ' at most '],
  [/[→⇒]/g, ' to '],
  [/×/g, ' times '],
  [/[←⇐]/g, ' from '],
  [/(\d)\s*%/g, '$1 percent'],
];

const UNITS: readonly (readonly [unit: string, word: string])[] = [
  ['ms', 'millisecond'],
  ['s', 'second'],
  ['min', 'minute'],
  ['h', 'hour'],
  ['d', 'day'],
];

/** Returns a text in words: without icons, and with words for symbols and units. */
export function toWords(text: string): string {
  const worded = WORDS.reduce((before, [mark, words]) => before.replaceAll(mark, words), clean(text));
  const spoken = UNITS.reduce(
    (before, [unit, word]) =>
      before.replaceAll(
        new RegExp(String.raw`\b(\d+) ${unit}(?![\w'])`, 'g'),
        (_, amount: string) => `${amount} ${word}${amount === '1' ? '' : 's'}`,
      ),
    worded,
  );
  return spoken
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[,.;:!?]+(?:\s|$))/g, '')
    .trim();
}

/** Returns a text in words as a sentence: with a capital letter and a full stop. */
export function toSpokenSentence(text: string): string {
  const words = toWords(text).replace(/[,;:\s]+$/, '');
  const started = `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
  return /[.!?。！？]$/.test(started) ? started : `${started}.`;
}

/** Cuts a text between two words. */
export function cutWords(text: string, width: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= width
    ? line
    : line.slice(0, width + 1).replace(/\s*\S*$/, '') || line.slice(0, width);
}
