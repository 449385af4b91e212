import { systemClock, type Clock } from '../../platform/clock';

/**
 * Milliseconds between two redraws. VS Code draws a tree at once if it was quiet for 200 ms, else only after it was: a
 * tree that changes more often would not be drawn at all.
 */
const APART_MS = 205;

/** Redraws a tree at once, and at most once in `APART_MS`: all changes meanwhile are drawn together. */
export class RedrawPace {
  private readonly over = new AbortController();
  private isDue = false;
  private isWaiting = false;

  constructor(
    private readonly redraw: () => void,
    private readonly clock: Pick<Clock, 'sleep'> = systemClock,
  ) {}

  /** Redraws now or soon. */
  request(): void {
    this.isDue = true;
    if (!this.isWaiting) void this.redrawWhileDue();
  }

  dispose(): void {
    this.over.abort();
  }

  private async redrawWhileDue(): Promise<void> {
    const { signal } = this.over;
    this.isWaiting = true;
    while (this.isDue && !signal.aborted) {
      this.isDue = false;
      this.redraw();
      await this.clock.sleep(APART_MS, signal);
    }
    this.isWaiting = false;
  }
}
