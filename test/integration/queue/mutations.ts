import fc from 'fast-check';
import { corpusFiles } from './hostileFiles';

/** A change to a file, by somebody or something that knows nothing of what is in it. Places wrap around. */
export type Mutation =
  | { readonly kind: 'flip'; readonly at: number; readonly bit: number }
  | { readonly kind: 'insert'; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: 'cut'; readonly at: number; readonly length: number }
  | { readonly kind: 'copy'; readonly from: number; readonly length: number; readonly at: number }
  | { readonly kind: 'copyLine'; readonly from: number; readonly at: number }
  | { readonly kind: 'cutLine'; readonly from: number }
  | { readonly kind: 'delimiter'; readonly from: string; readonly to: string }
  | { readonly kind: 'lineEnds'; readonly to: string }
  | { readonly kind: 'word'; readonly from: string; readonly to: string };

/** Pieces that matter to a reader of CSV, and some that must not. */
const PIECES = [
  '"',
  '""',
  ',',
  ';',
  '\t',
  '\n',
  '\r\n',
  '\r',
  '\0',
  ' ',
  '\ufeff',
  'é',
  '\n"',
  '",',
  '7,/srv,new,pending,\n',
];

const piece = fc.oneof(
  fc.constantFrom(...PIECES).map((text) => Buffer.from(text)),
  fc.constant(Buffer.from([0xff])),
  fc.constant(Buffer.alloc(70_000, 'x')),
);

const WORDS = ['pending', 'completed', 'running', '0', '3', '', 'srv', '1', '2'];

export const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.record({ kind: fc.constant('flip' as const), at: fc.nat(), bit: fc.nat(7) }),
  fc.record({ kind: fc.constant('insert' as const), at: fc.nat(), bytes: piece }),
  fc.record({ kind: fc.constant('cut' as const), at: fc.nat(), length: fc.nat(60) }),
  fc.record({ kind: fc.constant('copy' as const), from: fc.nat(), length: fc.nat(200), at: fc.nat() }),
  fc.record({ kind: fc.constant('copyLine' as const), from: fc.nat(), at: fc.nat() }),
  fc.record({ kind: fc.constant('cutLine' as const), from: fc.nat() }),
  fc.record({
    kind: fc.constant('delimiter' as const),
    from: fc.constantFrom(',', ';', '\t'),
    to: fc.constantFrom(',', ';', '\t'),
  }),
  fc.record({ kind: fc.constant('lineEnds' as const), to: fc.constantFrom('\n', '\r\n', '\r') }),
  fc.record({
    kind: fc.constant('word' as const),
    from: fc.constantFrom(...WORDS.filter((word) => word !== '')),
    to: fc.constantFrom(...WORDS),
  }),
);

/** One rewrite of the whole file is rare; most changes are small. */
export const mutations = fc.array(mutation, { minLength: 1, maxLength: 4 });

/** A file to start with: one of the corpus, or one with enough rows that most of them stay as they are. */
export const anyFile = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom(...corpusFiles().values()) },
  { weight: 20, arbitrary: fc.nat(60).map((count) => manyRows(count)) },
  { weight: 1, arbitrary: fc.constant(manyRows(3_000)) },
);

function manyRows(count: number): Buffer {
  const rows = Array.from({ length: count }, (_, index) => {
    const prompt = index % 3 === 0 ? `"Do ${index},\n ""now"""` : `Do ${index}`;
    return `${index + 1},/srv/${index % 5},${prompt},pending,${index % 2 === 0 ? '' : ' 0'},mine\r\n`;
  });
  return Buffer.from(`id,working_dir,prompt,status,retry_count,note\r\n${rows.join('')}`);
}

/** The bytes after these changes, one after another. */
export function mutate(bytes: Buffer, changes: readonly Mutation[]): Buffer {
  return changes.reduce(mutateOnce, bytes);
}

function mutateOnce(bytes: Buffer, change: Mutation): Buffer {
  const place = (at: number): number => at % (bytes.length + 1);
  switch (change.kind) {
    case 'flip': {
      const flipped = Buffer.from(bytes);
      const at = place(change.at);
      if (at < bytes.length) flipped[at] = (bytes[at] ?? 0) ^ (1 << change.bit);
      return flipped;
    }
    case 'insert':
      return replace(bytes, place(change.at), 0, change.bytes);
    case 'cut':
      return replace(bytes, place(change.at), change.length, Buffer.alloc(0));
    case 'copy': {
      const from = place(change.from);
      return replace(bytes, place(change.at), 0, bytes.subarray(from, from + change.length));
    }
    case 'copyLine':
      return ofLines(bytes, (lines) =>
        lines.toSpliced(change.at % (lines.length + 1), 0, lineAt(lines, change.from)),
      );
    case 'cutLine':
      return ofLines(bytes, (lines) => lines.toSpliced(change.from % (lines.length + 1), 1));
    case 'delimiter':
      return ofText(bytes, (text) => text.replaceAll(change.from, change.to));
    case 'lineEnds':
      return ofText(bytes, (text) => text.replaceAll(/\r\n|\r|\n/g, change.to));
    case 'word':
      return ofText(bytes, (text) => text.replace(change.from, change.to));
  }
}

function replace(bytes: Buffer, at: number, length: number, by: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, at), by, bytes.subarray(at + length)]);
}

function ofText(bytes: Buffer, change: (text: string) => string): Buffer {
  return Buffer.from(change(bytes.toString('latin1')), 'latin1');
}

function ofLines(bytes: Buffer, change: (lines: readonly string[]) => readonly string[]): Buffer {
  return ofText(bytes, (text) => change(text.split(/(?<=\n)/)).join(''));
}

function lineAt(lines: readonly string[], at: number): string {
  return lines[at % lines.length] ?? '';
}
