import type { Random } from './random';
import type { Kernel } from './kernel';
import type { Machine, SimWorker } from '../play/machine';

const MINUTE = 60_000;
/** Interval in ms between looks at the clock. */
const LOOK_MS = 5_000;

/** A timer of the machine that starts workers on the queue. Like systemd, it starts none while its last one runs. */
export class MachineTimer {
  private installed: { readonly everyMs: number; readonly isBroken: boolean } | null = null;
  private dueAt = Infinity;
  private worker: SimWorker | null = null;
  /** Times on the wall at which it started workers. On a full disk they end without a trace. */
  readonly starts: number[] = [];

  constructor(
    private readonly kernel: Kernel,
    private readonly machine: Machine,
  ) {}

  /** Installs it. Returns its cron expression. A broken one never fires. */
  install(random: Random): string {
    const minutes = random.between(1, 3);
    const isFirst = this.installed === null;
    this.installed = { everyMs: minutes * MINUTE, isBroken: random.oneIn(2) };
    this.planNext();
    if (isFirst) this.look();
    return `*/${String(minutes)} * * * *`;
  }

  /** Whether it is installed and never fires. */
  get isBroken(): boolean {
    return this.installed?.isBroken === true;
  }

  /** Removes it. Workers that it started run on. */
  remove(): void {
    this.installed = null;
  }

  private planNext(): void {
    const { everyMs } = this.installed ?? { everyMs: MINUTE };
    this.dueAt = (Math.floor(this.kernel.wall() / everyMs) + 1) * everyMs;
  }

  private look(): void {
    if (this.installed === null) return;
    if (this.kernel.wall() >= this.dueAt) {
      this.planNext();
      if (!this.installed.isBroken && this.worker?.process.isDead !== false) this.fire();
    }
    this.kernel.after(null, LOOK_MS, () => this.look());
  }

  private fire(): void {
    if (!this.kernel.disk.isFull) this.starts.push(this.kernel.wall());
    const options = { untilEmpty: true, alone: false, slots: 1, lookAgainMs: 10_000 };
    this.worker = this.machine.startWorker({ ...options, byTimer: true });
  }
}
