/** Back to the line's start, and nothing is left of it. */
const CLEAR = '\r\u001b[2K';

/** Between these a line that is too long is cut by the terminal, which knows best how wide its characters are. */
const [NO_WRAP, WRAP] = ['\u001b[?7l', '\u001b[?7h'];

/** The end of a terminal: lines as they come, and below them one that is replaced in place. */
export class Screen {
  private passing = '';

  constructor(private readonly write: (text: string) => void) {}

  /** A line, by anyone who writes it: the passing one stays below it. */
  add(writeLine: () => void): void {
    if (this.passing !== '') this.write(CLEAR);
    writeLine();
    this.draw();
  }

  /** Shows this in the place of what was shown last; nothing, where it is empty. */
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
