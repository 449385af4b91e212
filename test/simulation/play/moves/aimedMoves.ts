import type { SimProcess } from '../../machine/process';
import type { Random } from '../../machine/random';
import type { Command } from '../../program/host';
import { SETTINGS_FILE } from '../../program/host';
import { drawSettings } from '../setup';
import type { MoverParts } from '../mover';
import type { Faults } from './faults';
import type { MoveKind } from './moves';

const SECOND = 1_000;
const MINUTE = 60_000;
const FIVE_HOURS = 5 * 60 * MINUTE;

const WORKER = { untilEmpty: false, alone: false, slots: 1, lookAgainMs: 10 * SECOND };

/** Moves of several parts that belong together: drawn one by one, they would hardly ever meet. */
export class AimedMoves {
  readonly makers: Partial<Readonly<Record<MoveKind, (random: Random) => void>>> = {
    'cancel a run': (random) => this.cancelRun(random),
    'miss runs': (random) => this.missRuns(random),
    'reset out of reach': (random) => this.moveResetAway(random),
    'distrust meanwhile': (random) => this.distrustMeanwhile(random),
    'bound and another': (random) => this.startAfterBound(random),
    'crash at a log': () => {
      this.awaitsLog = true;
    },
  };
  /** Running time until which what was started lasts. */
  lastsUntil = 0;
  private isOver = false;
  /** Whether all programs die when a log is written next. */
  private awaitsLog = false;

  constructor(
    private readonly parts: MoverParts,
    private readonly faults: Faults,
    private readonly give: (command: Command) => SimProcess,
  ) {}

  /** Notes that a file has changed. */
  noteChange(file: string): void {
    if (!this.awaitsLog || !file.endsWith('.log')) return;
    // A log that has just been created is empty, and nothing of it can be written again.
    if (this.parts.kernel.disk.read(file)?.length === 0) return;
    this.awaitsLog = false;
    this.after(0, () => {
      this.faults.killAll();
      this.after(5 * SECOND, () => this.parts.machine.startWorker(WORKER));
    });
  }

  /** Does nothing more from now on. */
  end(): void {
    this.awaitsLog = false;
    this.isOver = true;
  }

  /** Cancels a run, mostly long before its end. */
  private cancelRun(random: Random): void {
    const { audit, claude, machine } = this.parts;
    claude.longestMs = 90 * SECOND;
    this.give({ kind: 'add', fields: { working_dir: '/place/c', prompt: 'Take long' } });
    machine.startWorker(WORKER);
    this.after(random.between(8, 20) * SECOND, () => {
      const [claim] = audit.state.queue.claims.values();
      if (claim !== undefined) this.give({ kind: 'verb', id: claim.id, verb: 'cancel' });
    });
    this.last(3 * MINUTE);
  }

  /** The machine sleeps while times of repeating tasks pass that are to be made up for. */
  private missRuns(random: Random): void {
    const { machine, audit } = this.parts;
    const once = drawSettings(random).replace(
      /missedRuns: \w+\nmissedAfter: \w+/,
      'missedRuns: all\nmissedAfter: 0s',
    );
    machine.writeFile(SETTINGS_FILE, once);
    audit.meet('settings');
    const every = { repeat: 'yes', repeat_interval: random.pick(['10m', '*/5 * * * *']) };
    this.give({ kind: 'add', fields: { working_dir: '/place/c', prompt: 'Again and again', ...every } });
    machine.startWorker(WORKER);
    this.last(2 * MINUTE);
    this.after(random.between(20, 60) * SECOND, () =>
      this.faults.step('sleep', random.between(5, 200) * MINUTE),
    );
  }

  /**
   * A limit is met again right after its stated reset, and the clock is set back to about its start: then the new reset is
   * farther ahead than the usage window is long. The account accepts requests again, which only a try shows.
   */
  private moveResetAway(random: Random): void {
    const away = random.between(63, 75) * MINUTE;
    this.meetLimit(away - 2 * MINUTE);
    this.after(2 * SECOND, () => {
      this.faults.step('sleep', away);
      this.meetLimit(FIVE_HOURS - random.between(2, 20) * SECOND);
    });
    this.after(random.between(4, 10) * SECOND, () => {
      this.faults.step('clock back', -away);
      this.parts.claude.account.closedUntil = 0;
      this.give({ kind: 'add', fields: { working_dir: '/place/c', prompt: 'Do not wait' } });
      this.parts.machine.startWorker(WORKER);
    });
    this.last(5 * MINUTE);
  }

  /** Another queue meets the account's limit, as all do from now on. */
  private meetLimit(resetInMs: number): void {
    const { kernel, claude } = this.parts;
    const now = Math.floor(kernel.wall());
    claude.account.closedUntil = now + 2 * FIVE_HOURS;
    claude.account.statedReset = now + resetInMs;
    this.give({ kind: 'limit elsewhere', resetAt: now + resetInMs });
  }

  /** Takes the trust back while other commands write approvals, and stop in the middle of that for a moment. */
  private distrustMeanwhile(random: Random): void {
    this.give({ kind: 'trust' });
    this.after(2 * SECOND, () => {
      for (const prompt of ['One more', 'And one more']) {
        const adding = this.give({ kind: 'add', fields: { working_dir: '/place/a', prompt } });
        adding.frost = { after: random.between(5, 25), forMs: 200, started: () => undefined };
      }
      this.after(random.between(20, 60), () => void this.give({ kind: 'distrust' }));
    });
  }

  /** A worker with a bound ends, and another one starts. */
  private startAfterBound(random: Random): void {
    const { machine } = this.parts;
    machine.startWorker({ ...WORKER, maxTasks: 1 });
    this.after(random.between(20, 90) * SECOND, () => machine.startWorker(WORKER));
    this.last(4 * MINUTE);
  }

  private after(ms: number, work: () => void): void {
    this.parts.kernel.after(null, ms, () => {
      if (!this.isOver) work();
    });
  }

  private last(ms: number): void {
    this.lastsUntil = Math.max(this.lastsUntil, this.parts.kernel.now + ms);
  }
}
