import type { Claim, RegisteredWorker } from '../../../src/domain/queue/view';
import type { IsAlive } from '../../../src/domain/gate/probe';
import type { Kernel } from '../machine/kernel';
import { Violation } from '../play/violation';
import type { Audit } from './audit';

/** Time in ms after which a living worker must have noticed that another died: it looks every 30 s at the latest. */
const LONGEST_UNNOTICED_MS = 90_000;

/** Finds dead workers that hold a task or a registration, and living ones that hold a task and do not start it. */
export class DeathAudit {
  /** Running time since which somebody could have noticed each fact. */
  private readonly since = new Map<string, number>();

  constructor(
    private readonly kernel: Kernel,
    private readonly isAlive: IsAlive,
  ) {}

  /** `isWatched`: a worker could notice. @throws Violation if something stays unnoticed for too long */
  look(isWatched: boolean, { state }: Audit): void {
    if (!isWatched) {
      this.since.clear();
      return;
    }
    const found = new Map<string, string>();
    for (const claim of state.queue.claims.values()) this.judgeClaim(claim, found);
    for (const worker of state.queue.workers) this.judgeWorker(worker, found);
    for (const key of this.since.keys()) if (!found.has(key)) this.since.delete(key);
    for (const [key, what] of found) this.judge(key, what);
  }

  private judge(key: string, what: string): void {
    const { now } = this.kernel;
    const since = this.since.get(key) ?? now;
    this.since.set(key, since);
    if (now - since > LONGEST_UNNOTICED_MS)
      throw new Violation('the dead noticed', `${what} for ${String(now - since)} ms`);
  }

  private judgeClaim({ id, mark, owner, run }: Claim, found: Map<string, string>): void {
    if (owner.kind !== 'process') return;
    const name = `worker ${String(owner.process.pid)}`;
    if (!this.isAlive(owner.process))
      found.set(mark, `task ${String(id)} is claimed by ${name}, which died,`);
    else if (run === undefined)
      found.set(mark, `task ${String(id)} is claimed by ${name} and does not start`);
  }

  private judgeWorker({ owner }: RegisteredWorker, found: Map<string, string>): void {
    if (this.isAlive(owner.process)) return;
    const { pid, startedAt } = owner.process;
    found.set(`${String(pid)}/${startedAt}`, `worker ${String(pid)} died and counts as running`);
  }
}
