/** Finds out whether an answer is that of the latest question: a later one may be answered sooner. */
export class Latest {
  private asked = 0;

  /** Counts a question. Returns whether it is still the latest one. */
  ask(): () => boolean {
    this.asked += 1;
    const mine = this.asked;
    return () => mine === this.asked;
  }
}
