import * as vscode from 'vscode';
import { countWaiting, isWorthForecasting, type Starts } from '../../../app/simulate/worthForecasting';
import type { QueueViewModel } from '../../../app/viewModel/queueViewModel';
import type { EpochMs } from '../../../domain/time/epoch';
import { systemClock } from '../../../platform/clock';
import type { QueueModel } from '../../state/queueModel';
import { viewModelOf } from '../../state/queueState';

/** Pause after a change: several often come together. */
const SETTLE_MS = 3_000;
/** Shortest pause between two forecasts, and the shortest in multiples of how long one took. */
const PAUSE_MS = 30_000;
const PAUSE_PER_FORECAST = 20;
/** Greatest age of a forecast that is shown. It is made again in time. */
const AGE_MS = 5 * 60_000;
const OLDEST_MS = 2 * AGE_MS;

/** Forecast of a queue, as it was then. */
interface Found {
  readonly starts: Starts;
  readonly at: EpochMs;
  readonly revision: number;
}

/** Starts that a forecast expects, made in the background while a worker runs and the tree is visible. */
export class ExpectedStarts implements vscode.Disposable {
  private found: Found | null = null;
  private isVisible = false;
  private timer: NodeJS.Timeout | null = null;
  private isBusy = false;
  /** Earliest time of the next forecast. */
  private notBefore = 0;
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  private readonly subscription: vscode.Disposable;

  constructor(
    private readonly queueModel: QueueModel,
    private readonly log: Pick<vscode.LogOutputChannel, 'warn'>,
  ) {
    this.subscription = queueModel.onDidChange(() => {
      this.plan();
    });
  }

  /** The forecast; empty while there is none that is recent. */
  get starts(): Starts {
    const { found } = this;
    return found === null || systemClock.now() - found.at > OLDEST_MS ? new Map() : found.starts;
  }

  /** Starts or stops forecasting. */
  show(isVisible: boolean): void {
    if (isVisible === this.isVisible) return;
    this.isVisible = isVisible;
    this.plan();
  }

  dispose(): void {
    // A forecast that is still being made plans none after it.
    this.isVisible = false;
    this.stop();
    vscode.Disposable.from(this.subscription, this.changed).dispose();
  }

  private plan(): void {
    this.stop();
    const viewModel = viewModelOf(this.queueModel.state);
    if (viewModel === null || !isWorthForecasting(viewModel)) this.found = null;
    else if (this.isVisible && !this.isBusy) {
      const { found } = this;
      const now = systemClock.now();
      const isNew = found?.revision === viewModel.snapshot.revision;
      const at = isNew ? found.at + AGE_MS : now + SETTLE_MS;
      this.timer = setTimeout(() => void this.forecast(viewModel), Math.max(at, this.notBefore) - now);
    }
  }

  private stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private async forecast(viewModel: QueueViewModel): Promise<void> {
    const startedAt = systemClock.now();
    this.isBusy = true;
    try {
      const starts = await this.simulate(countWaiting(viewModel));
      this.found = { starts, at: startedAt, revision: viewModel.snapshot.revision };
      this.changed.fire();
    } catch (error) {
      this.found = null;
      this.log.warn(`The starts of tasks could not be forecast: ${String(error)}`);
    } finally {
      this.isBusy = false;
      const now = systemClock.now();
      this.notBefore = now + Math.max(PAUSE_MS, (now - startedAt) * PAUSE_PER_FORECAST);
    }
    this.plan();
  }

  private async simulate(waiting: number): Promise<Starts> {
    const { forecastStarts } = await import('../../../app/simulate/forecastStarts');
    const session = await this.queueModel.useQueue();
    const { queueContext, queue } = session;
    return session.use(() => forecastStarts(queueContext, queue, waiting));
  }
}
