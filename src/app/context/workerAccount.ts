import { isDeepStrictEqual } from 'node:util';
import type { Gate } from '../../account/gate';
import type { Installation } from '../../claude/installation/installation';
import { phaseOf } from '../../domain/gate/gateOpening';
import type { Met } from '../../domain/gate/gateReport';
import { isForAll, needsPerson, type GateView, type Starter } from '../../domain/gate/limits';
import type { EpochMs } from '../../domain/time/epoch';
import type { TaskId } from '../../domain/task/task';
import type { WorkerGate } from '../../worker/workerDeps';
import { describePayer, requireVersion, whyUnpaid } from '../present/account';
import { closeForPayer } from './payerGate';
import type { QueueContext } from './queueContext';

/** What a run is started with, and the gate that hears of it. */
export interface Account {
  readonly claude: Installation;
  readonly flags: ReadonlySet<string>;
  readonly gate: Gate;
}

/** Told when it has become another one; `why`: nothing is started with that. */
type Changed = (claude: Installation, why: string | null) => void;

/** Who fixes what closed the gate for the user tells no worker, and may have signed in with another account. */
const LOOK_WHILE_CLOSED_MS = 30_000;
/** So may anybody at any time. A look takes 0.2 s. */
const LOOK_MS = 10 * 60_000;

/**
 * Whose account a worker works with: looked at before the next task is claimed, where the settings that decide it
 * changed, where a run met what the user has to fix, and now and then. A run tells the gate that it was started at.
 */
export class WorkerAccount implements WorkerGate {
  private readonly begun = new Map<TaskId, Account>();
  /** What its person last agreed to pay with, by the settings or by starting it. */
  private agreed: Installation;
  private lookedAt: EpochMs;
  private isDoubtful = false;
  private isClosedForPerson = false;
  private looking: Promise<void> | null = null;

  private constructor(
    private readonly queueContext: QueueContext,
    private current: Account,
    private readonly changed: Changed,
  ) {
    this.agreed = current.claude;
    this.lookedAt = queueContext.host.clock.now();
  }

  static async open(
    queueContext: QueueContext,
    claude: Installation,
    changed: Changed,
  ): Promise<WorkerAccount> {
    const { flags } = await claude.readOffers();
    return new WorkerAccount(
      queueContext,
      { claude, flags, gate: await queueContext.openGateOf(claude) },
      changed,
    );
  }

  async view(): Promise<GateView> {
    // Several lanes may ask at once: of one look, all of them hear, and a change is told once.
    this.looking ??= this.lookAgain().finally(() => {
      this.looking = null;
    });
    await this.looking;
    const view = await this.current.gate.view();
    this.isClosedForPerson = this.isForPerson(view);
    return view;
  }

  report(met: Met): Promise<GateView> {
    if (met.signal !== null && needsPerson(met.signal.kind)) this.isDoubtful = true;
    const account = met.task === undefined ? this.current : this.of(met.task.id);
    return account.gate.report(met);
  }

  admit(starter: Starter): Promise<boolean> {
    this.begun.set(starter.task.id, this.current);
    return this.current.gate.admit(starter);
  }

  /** What the task that was admitted is run with. */
  of(id: TaskId): Account {
    return this.begun.get(id) ?? this.current;
  }

  /** Of what the user let try already, the next run tells more than a look at the sign-in. */
  private isForPerson({ closures }: GateView): boolean {
    const { clock } = this.queueContext.host;
    const { settings } = this.queueContext.configuration.last;
    const phases = closures.filter(isForAll).map((block) => phaseOf(block, clock.now(), settings));
    return phases.some((phase) => phase.kind === 'closed' && phase.until === null);
  }

  private async lookAgain(): Promise<void> {
    const now = this.queueContext.host.clock.now();
    const every = this.isClosedForPerson ? LOOK_WHILE_CLOSED_MS : LOOK_MS;
    // A clock that was set back is no reason not to look.
    const isDue = this.isDoubtful || Math.abs(now - this.lookedAt) >= every;
    if (isDue) {
      this.lookedAt = now;
      this.isDoubtful = false;
    }
    const claude = await this.queueContext.findClaude({ anew: isDue });
    if (!isSame(claude, this.current.claude)) await this.take(claude);
  }

  /** @throws Problem `claude-missing` where it is too old: nothing is started, with the one before neither */
  private async take(claude: Installation): Promise<void> {
    // Until it has passed, it is for its person to fix.
    this.isClosedForPerson = true;
    requireVersion(claude);
    const { flags } = await claude.readOffers();
    const open = await this.queueContext.openGateOf(claude);
    const dearer = this.whyDearer(claude);
    const why = whyUnpaid(claude) ?? dearer;
    if (why === null && claude.billing !== 'none') this.agreed = claude;
    const gate = dearer === null ? open : closeForPayer(open, dearer, this.queueContext.host.clock);
    this.current = { claude, flags, gate };
    this.changed(claude, why);
  }

  /** A night that started on a subscription does not continue at another's expense because its sign-in was lost. */
  private whyDearer(claude: Installation): string | null {
    const { billing, billingChoice } = this.agreed;
    const isOwnChoice = billingChoice !== 'auto' || claude.billingChoice !== 'auto';
    if (isOwnChoice || billing !== 'subscription') return null;
    if (claude.billing === 'subscription' || claude.billing === 'none') return null;
    return `This worker started on a subscription and would now be ${describePayer(claude)}. No task starts that way. Sign in again ("claude", then /login), set billing to api-key, or restart the worker.`;
  }
}

/** Whether runs are the same with it, however it was found. */
function isSame(one: Installation, other: Installation): boolean {
  const { readOffers: _one, ...facts } = one;
  const { readOffers: _other, ...others } = other;
  return isDeepStrictEqual(facts, others);
}
