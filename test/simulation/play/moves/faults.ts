import type { EventName } from '../../audit/coverage';
import type { SimProcess } from '../../machine/process';
import type { Random } from '../../machine/random';
import type { Move } from './moves';
import type { MoverParts } from '../mover';

const SECOND = 1_000;
const MINUTE = 60_000;

type Faults_ = Partial<Readonly<Record<Move['kind'], (random: Random) => void | Promise<void>>>>;

/** Faults that befall the machine. */
export class Faults {
  readonly makers: Faults_ = {
    kill: (random) => this.kill(random),
    'kill at a write': (random) => this.lightFuse(random),
    'kill and set clock': (random) => this.killAndSetClock(random),
    freeze: (random) => this.freeze(random),
    'freeze at a write': (random) => this.freezeAtWrite(random),
    'power cut': (random) => this.cutPower(random),
    'disk full': (random) => this.fillDisk(random),
    'set clock': (random) => this.setClock(random),
    sleep: (random) => this.step('sleep', random.between(1, 180) * MINUTE),
  };

  constructor(private readonly parts: MoverParts) {}

  private kill(random: Random): void {
    const living = this.parts.machine.livingWorkers();
    if (living.length === 0) return;
    random.pick(living).process.kill();
    this.noteDeath();
    this.parts.audit.meet('crash');
  }

  /** Ends all programs but Claude. */
  killAll(): void {
    for (const process of this.parts.processes.living()) if (process.name !== 'claude') process.kill();
    this.noteDeath();
    this.parts.audit.meet('crash');
  }

  private noteDeath(): void {
    this.parts.notices.noteFault();
    this.parts.audit.sources.noteFault();
  }

  private lightFuse(random: Random, mostChanges = 40, died: () => void = () => undefined): void {
    const process = this.pickProcess(random);
    if (process === null) return;
    process.fuse = random.between(0, mostChanges);
    const { ended } = process;
    process.ended = () => {
      ended();
      this.noteDeath();
      if (process.fuse !== null && process.fuse < 0) died();
    };
    this.parts.audit.meet('crash');
  }

  /** The clock is set back right after a crash, before anybody has cleared up. */
  private killAndSetClock(random: Random): void {
    this.lightFuse(random, 12, () => {
      this.parts.kernel.after(null, random.next() * 2 * SECOND, () => {
        this.step('clock back', -random.between(1, 60) * MINUTE);
      });
    });
  }

  private pickProcess(random: Random): SimProcess | null {
    const living = this.parts.processes.living().filter(({ name }) => name !== 'claude');
    return living.length === 0 ? null : random.pick(living);
  }

  private freeze(random: Random): void {
    const process = this.pickProcess(random);
    if (process === null) return;
    process.frozenUntil = this.parts.kernel.now + random.between(20, 40_000);
    this.parts.audit.sources.noteFault();
    this.parts.audit.meet('freeze');
  }

  /** Stops a process in the middle of its work, mostly for longer than a lock lives. */
  private freezeAtWrite(random: Random): void {
    const process = this.pickProcess(random);
    if (process === null) return;
    process.frost = {
      after: random.between(0, 15),
      forMs: random.between(8, 45) * SECOND,
      started: () => {
        this.parts.audit.sources.noteFault();
      },
    };
    this.parts.audit.meet('freeze');
  }

  /** All processes die, and the disk has only what was synced for sure. */
  private async cutPower(random: Random): Promise<void> {
    const { processes, kernel, audit, owner } = this.parts;
    audit.meet('power cut');
    for (const process of processes.living()) process.kill();
    const before = owner.read();
    kernel.disk.losePower(random);
    this.parts.notices.noteFault();
    owner.losePower(before);
    await audit.update();
    audit.restart();
  }

  private fillDisk(random: Random): void {
    const { kernel, audit, notices } = this.parts;
    kernel.disk.isFull = true;
    const lastsMs = random.between(100, 90 * SECOND);
    notices.noteFault(lastsMs);
    audit.meet('disk full');
    kernel.after(null, lastsMs, () => {
      kernel.disk.isFull = false;
      audit.sources.noteFault();
    });
  }

  private setClock(random: Random): void {
    const byMs = random.pick([SECOND, MINUTE, 10 * MINUTE, 3 * 60 * MINUTE]) * (0.5 + random.next());
    const isAhead = random.oneIn(2);
    this.step(isAhead ? 'clock ahead' : 'clock back', isAhead ? byMs : -byMs);
  }

  /** Moves the clock on the wall. */
  step(event: EventName, byMs: number): void {
    const { kernel, owner, audit, wishes } = this.parts;
    audit.meet(event);
    owner.noteStep(byMs);
    kernel.step(Math.round(byMs));
    audit.noteStep();
    wishes.gateOpened = { place: audit.places + 1, at: kernel.now };
  }
}
