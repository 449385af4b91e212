import type { DiffMeasure, MeasureDiff } from '../../platform/git/changeMeasure';

/**
 * Measures the changes of attempts that follow each other. The look after an attempt is also the look before the next
 * one, if that starts at once in the same directory.
 */
export class DiffChain {
  private last: DiffMeasure | undefined;

  constructor(private readonly measureDiff: MeasureDiff | undefined) {}

  /** Starts to measure a directory; undefined: it is not measured. */
  async start(workingDir: string, stop: AbortSignal): Promise<DiffMeasure | undefined> {
    const { last } = this;
    this.last = undefined;
    if ((await last?.isCurrent(workingDir)) === true) return last;
    last?.drop();
    return this.measureDiff?.(workingDir, stop);
  }

  /** Keeps a measurement that has just ended for the next attempt. */
  keep(measure: DiffMeasure): void {
    this.last = measure;
  }

  /** Ends the chain. */
  drop(): void {
    this.last?.drop();
    this.last = undefined;
  }
}
