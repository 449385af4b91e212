import type { TextRange } from '../document/textRange';

/** Change of a part of a text. */
export interface FixEdit {
  readonly range: TextRange;
  readonly text: string;
}

/** Change of a queue file after which it no longer has a problem. */
export interface Fix {
  readonly title: string;
  readonly edits: readonly FixEdit[];
}

/** Problem of a row or of the header, with what solves it. The first fix is the likely one. */
export interface FixableProblem {
  readonly range: TextRange;
  readonly fixes: readonly Fix[];
  /** Whether the first fix is surely meant. */
  readonly isSure: boolean;
}
