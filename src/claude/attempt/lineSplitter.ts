import { StringDecoder } from 'node:string_decoder';

/**
 * Characters of the longest line. A longer one is passed on in pieces, so that output without line ends cannot
 * fill the memory.
 */
const LONGEST_LINE = 32 * 1024 * 1024;

/** Splits the bytes of a pipe into lines, whatever pieces they come in. */
interface LineSplitter {
  /** Returns the lines that this piece completes, without their line ends (LF or CRLF). */
  push(bytes: Buffer): string[];
  /** Returns the rest after the last line end. */
  end(): string[];
}

/** Creates a splitter for UTF-8. Characters that are cut at the end of a piece stay whole. */
export function createLineSplitter(longest = LONGEST_LINE): LineSplitter {
  const decoder = new StringDecoder('utf8');
  let pieces: string[] = [];
  let length = 0;

  const take = (): string => {
    const line = pieces.join('');
    pieces = [];
    length = 0;
    return line.endsWith('\r') ? line.slice(0, -1) : line;
  };
  const keep = (piece: string): void => {
    if (piece === '') return;
    pieces.push(piece);
    length += piece.length;
  };
  const split = (text: string): string[] => {
    const lines: string[] = [];
    const parts = text.split('\n');
    const rest = parts.pop() ?? '';
    for (const part of parts) {
      keep(part);
      lines.push(take());
    }
    keep(rest);
    if (length > longest) lines.push(take());
    return lines;
  };
  return {
    push: (bytes) => split(decoder.write(bytes)),
    end() {
      const lines = split(decoder.end());
      return length > 0 ? [...lines, take()] : lines;
    },
  };
}
