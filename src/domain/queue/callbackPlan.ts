/** Callbacks that the end of an attempt causes, as they were when it was claimed. */
export interface CallbackPlan {
  /** Address in the row; absent: none, or the same as the machine's. */
  readonly url?: string;
  /** The machine's own address is called too. It stays in the machine's settings. */
  readonly queue?: true;
  /** Cells of the row that the callback repeats. */
  readonly requestId?: string;
  readonly metadata?: string;
}
