/** Moves to the start of the line and clears it. */
const CLEAR = '\r\u001b[2K';

/** Turn line wrap off and on: the terminal cuts a long line, because it knows its characters' widths best. */
const [NO_WRAP, WRAP] = ['\u001b[?7l', '\u001b[?7h'];

/** Bottom of a terminal: permanent lines, and below them one that is replaced in place. */
export class Screen {
  private passing = '';

  constructor(private readonly write: (text: string) => void) {}

  /** Prints a permanent line with `writeLine`; the replaceable line stays below it. */
  add(writeLine: () => void): void {
    if (this.passing !== '') this.write(CLEAR);
    writeLine();
    this.draw();
  }

  /** Replaces the replaceable line; an empty text removes it. */
  pass(text: string): void {
    if (text === this.passing) return;
    if (this.passing !== '') this.write(CLEAR);
    this.passing = text;
    this.draw();
  }

  private draw(): void {
    if (this.passing !== '') this.write(`${NO_WRAP}${this.passing}${WRAP}`);
  }
}
