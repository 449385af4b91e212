/** Does work one after another in the order of the calls, also after work that failed. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();

  /** Resolves or rejects as the work does, once all work before it has ended. */
  take<T>(work: () => Promise<T>): Promise<T> {
    const result = this.last.then(work);
    this.last = result.catch(() => undefined);
    return result;
  }
}
