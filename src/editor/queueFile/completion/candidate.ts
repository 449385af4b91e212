/** Text that can be written into a cell, or into a part of it. */
export interface Candidate {
  /** Text of the part once it is chosen, without quotes around it. */
  readonly text: string;
  /** Name in the list; the text itself if it is absent. */
  readonly label?: string;
  /** Meaning, right behind the name. */
  readonly detail?: string;
  /** State or distance, at the right edge. */
  readonly description?: string;
  /** Words by which it is found; the label if they are absent. */
  readonly words?: string;
  readonly kind: 'word' | 'task' | 'time' | 'folder' | 'file' | 'column';
}

/** Candidates for a part of a cell. */
export interface Candidates {
  /** Offset in the cell's text at which the part starts; it ends at the cursor. */
  readonly from: number;
  /** Offset at which the part ends, if that is behind the cursor. */
  readonly to: number;
  readonly list: readonly Candidate[];
}

/** Returns words as candidates, each with its meaning. */
export function toWords(meanings: Readonly<Record<string, string>>): Candidate[] {
  return Object.entries(meanings).map(([text, detail]) => ({ text, detail, kind: 'word' }));
}
