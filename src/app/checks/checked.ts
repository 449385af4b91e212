/** Result of one check. */
export interface Checked {
  /** `note` is worth knowing; with a `problem` something will not work. */
  readonly state: 'fine' | 'note' | 'problem';
  /** Path or name of what was checked. */
  readonly where: string;
  /** Result, and how to fix a problem. */
  readonly message: string;
}
