import { JOURNAL } from '../../audit/journalReader';
import type { Random } from '../../machine/random';
import type { TaskId } from '../../../../src/domain/task/task';
import type { SimWorker } from '../machine';
import type { MoverParts } from '../mover';

const SECOND = 1_000;

/** Acts on a worker that has just claimed a task, and is stopped for a while. */
type Act = (random: Random, id: TaskId, worker: SimWorker) => void;

/** Acts right after the next claim, before its worker continues. */
export class AfterClaim {
  /** Chance for what happens; null: nothing does. */
  private random: Random | null = null;

  constructor(
    private readonly parts: MoverParts,
    private readonly act: Act,
  ) {}

  /** Acts after the next claim. */
  await(random: Random): void {
    this.random = random;
  }

  /** Acts after no claim any more. */
  end(): void {
    this.random = null;
  }

  /** Notes that a file has changed: a claim may have been made. */
  noteChange(file: string): void {
    if (this.random !== null && file === JOURNAL) this.parts.kernel.after(null, 0, () => this.look());
  }

  private look(): void {
    const { random } = this;
    const { kernel, machine, audit } = this.parts;
    if (random === null) return;
    for (const { id, owner, run } of audit.state.queue.claims.values()) {
      if (owner.kind !== 'process' || run !== undefined) continue;
      const worker = machine.livingWorkers().find((one) => one.process.identity.pid === owner.process.pid);
      if (worker === undefined) continue;
      this.random = null;
      worker.process.frozenUntil = kernel.now + random.between(2, 8) * SECOND;
      audit.sources.noteFault();
      this.act(random, id, worker);
      return;
    }
  }
}
