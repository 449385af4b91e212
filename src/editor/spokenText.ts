import { capitalize, clean, cutText } from '../platform/text/plainText';
import { t } from '../platform/text/translate';

/** Words of what a screen reader would spell or leave out, in the order in which it is replaced. */
const WORDS: readonly (readonly [mark: RegExp, words: string])[] = [
  [/\$\u2060?\((?:[\w-]+(?:~\w+)?\))?/g, ' '],
  [/\b(\d+)(?:st|nd|rd|th) in line\b/g, t('position {0}', '$1')],
  [/\(?\+(\d+)\)?(?!\w)/g, t('and {0} more', '$1')],
  [/\u2060/g, ''],
  [/…/g, ' '],
  [/\s*[·•|–—]\s*/g, ', '],
  [/≥/g, ` ${t('at least')} `],
  [/≤/g, ` ${t('at most')} `],
  [/[→⇒]/g, ` ${t('to')} `],
  [/×/g, ` ${t('times')} `],
  [/[←⇐]/g, ` ${t('from')} `],
  [/(\d)\s*%/g, t('{0} percent', '$1')],
];

/** Words for an amount of a unit: for one, and for any other number. */
const UNITS: readonly (readonly [unit: string, one: string, many: string])[] = [
  ['ms', t('1 millisecond'), t('{0} milliseconds', '$1')],
  ['s', t('1 second'), t('{0} seconds', '$1')],
  ['min', t('1 minute'), t('{0} minutes', '$1')],
  ['h', t('1 hour'), t('{0} hours', '$1')],
  ['d', t('1 day'), t('{0} days', '$1')],
];

/** Returns a text in words: without icons, and with words for symbols and units. */
export function toWords(text: string): string {
  const worded = WORDS.reduce((before, [mark, words]) => before.replaceAll(mark, words), clean(text));
  const spoken = UNITS.reduce(
    (before, [unit, one, many]) =>
      before.replaceAll(amountOf('1', unit), one).replaceAll(amountOf(String.raw`\d+`, unit), many),
    worded,
  );
  return spoken
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[,.;:!?]+(?:\s|$))/g, '')
    .trim();
}

function amountOf(number: string, unit: string): RegExp {
  return new RegExp(String.raw`\b(${number}) ${unit}(?![\w'])`, 'g');
}

/** Returns a text in words as a sentence: with a capital letter and a full stop. */
export function toSpokenSentence(text: string): string {
  const started = capitalize(toWords(text).replace(/[,;:\s]+$/, ''));
  return /[.!?。！？]$/.test(started) ? started : t('{0}.', started);
}

/** Cuts a text between two words. */
export function cutWords(text: string, width: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= width
    ? line
    : line.slice(0, width + 1).replace(/\s*\S*$/, '') || cutText(line, width);
}
