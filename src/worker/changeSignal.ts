/** Wakes the caller that waits. A ring while nobody waits is kept for the next call. */
export class ChangeSignal {
  private isRung = false;
  private wake: (() => void) | null = null;

  ring(): void {
    this.isRung = true;
    this.wake?.();
  }

  /** Resolves at a ring, at once if one came since the last call, or when the signal is aborted. */
  next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.isRung = false;
        this.wake = null;
        resolve();
      };
      this.wake = wake;
      if (this.isRung || signal.aborted) wake();
      else signal.addEventListener('abort', wake, { once: true });
    });
  }
}
