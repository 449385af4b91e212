import { isDeepStrictEqual } from 'node:util';
import type { Gate } from '../../account/gate';
import type { Installation } from '../../claude/installation/installation';
import { withoutUser } from '../../claude/installation/installationMemory';
import { phaseOf } from '../../domain/gate/gateOpening';
import type { AttemptReport } from '../../domain/gate/gateReport';
import { isForAll, needsUser, type GateView, type Starter } from '../../domain/gate/gate';
import type { EpochMs } from '../../domain/time/epoch';
import type { TaskId } from '../../domain/task/task';
import type { WorkerGate } from '../../worker/workerDeps';
import { describePayer, requireVersion, whyUnpaid } from '../present/installation';
import { closeForPayer } from './payerGate';
import type { QueueContext } from './queueContext';

/** Claude Code with which attempts start, and the gate to which they report. */
export interface Account {
  readonly claude: Installation;
  readonly flags: ReadonlySet<string>;
  readonly gate: Gate;
}

/** Called when the account changed; `why`: nothing starts with the new one. */
type Changed = (claude: Installation, why: string | null) => void;

/** Thrown if the account that a worker assumed is not confirmed. Nothing was sent for it; ask who pays and start anew. */
export class AccountNotConfirmed extends Error {}

/**
 * Interval of sign-in checks while the gate waits for the user: the user may fix it, also with another account, without
 * notifying the worker.
 */
const LOOK_WHILE_CLOSED_MS = 30_000;
/** Interval of other sign-in checks: the sign-in may change at any time. A check takes 0.2 s. */
const LOOK_MS = 10 * 60_000;

/**
 * Account of a worker. It is checked before each claim if its settings changed, if an attempt hit what the user has to
 * fix, and at intervals. An attempt reports to the gate with which it started.
 */
export class WorkerAccount implements WorkerGate {
  private readonly startedWith = new Map<TaskId, Account>();
  /** Payer to which the user last agreed, by the settings or by starting the worker. */
  private agreed: Installation;
  private lookedAt: EpochMs;
  private isDoubtful = false;
  private isClosedForUser = false;
  private looking: Promise<void> | null = null;
  private isConfirmed = false;
  private readonly confirming: Promise<void>;

  private constructor(
    private readonly queueContext: QueueContext,
    private current: Account,
    answer: Promise<Installation>,
    private readonly changed: Changed,
  ) {
    this.agreed = current.claude;
    this.lookedAt = queueContext.host.clock.now();
    this.confirming = this.compare(answer);
    // `confirm` throws it.
    this.confirming.catch(() => undefined);
  }

  /** Opens the account of `claude`, which may be assumed until Claude Code gives its `answer`. */
  static async open(
    queueContext: QueueContext,
    claude: Installation,
    answer: Promise<Installation>,
    changed: Changed,
  ): Promise<WorkerAccount> {
    const { flags } = await claude.readOffers();
    return new WorkerAccount(
      queueContext,
      { claude, flags, gate: await queueContext.openGateOf(claude) },
      answer,
      changed,
    );
  }

  /** @throws AccountNotConfirmed */
  confirm(): Promise<void> {
    return this.confirming;
  }

  private async compare(answer: Promise<Installation>): Promise<void> {
    const claude = await answer.catch((cause: unknown) => {
      throw new AccountNotConfirmed('Claude Code did not answer.', { cause });
    });
    if (!isSame(claude, this.current.claude)) throw new AccountNotConfirmed('Claude Code has changed.');
    this.isConfirmed = true;
  }

  async view(): Promise<GateView> {
    if (this.isConfirmed) {
      // Several slots may ask at once: they share one check, and a change is reported once.
      this.looking ??= this.lookAgain().finally(() => {
        this.looking = null;
      });
      await this.looking;
    }
    const view = await this.current.gate.view();
    this.isClosedForUser = this.isForUser(view);
    return view;
  }

  report(report: AttemptReport): Promise<GateView> {
    if (report.signal !== null && needsUser(report.signal.kind)) this.isDoubtful = true;
    const account = report.task === undefined ? this.current : this.of(report.task.id);
    return account.gate.report(report);
  }

  admit(starter: Starter): Promise<boolean> {
    this.startedWith.set(starter.task.id, this.current);
    return this.current.gate.admit(starter);
  }

  /** Returns the account with which an admitted task runs. */
  of(id: TaskId): Account {
    return this.startedWith.get(id) ?? this.current;
  }

  /** Whether the gate waits for the user. Not after the user let a probe try: its result says more than the sign-in. */
  private isForUser({ closures }: GateView): boolean {
    const { clock } = this.queueContext.host;
    const { settings } = this.queueContext.configuration.last;
    const phases = closures.filter(isForAll).map((block) => phaseOf(block, clock.now(), settings));
    return phases.some((phase) => phase.kind === 'closed' && phase.opensAt === null);
  }

  private async lookAgain(): Promise<void> {
    const now = this.queueContext.host.clock.now();
    const every = this.isClosedForUser ? LOOK_WHILE_CLOSED_MS : LOOK_MS;
    // Checks also if the clock was set back.
    const isDue = this.isDoubtful || Math.abs(now - this.lookedAt) >= every;
    if (isDue) {
      this.lookedAt = now;
      this.isDoubtful = false;
    }
    const claude = await this.queueContext.findClaude({ anew: isDue });
    if (!isSame(claude, this.current.claude)) await this.take(claude);
  }

  /**
   * Switches to another installation.
   * @throws Problem `claude-missing` if it is too old: then nothing starts, with the previous one neither
   */
  private async take(claude: Installation): Promise<void> {
    // Until it passes the checks, the user has to fix it.
    this.isClosedForUser = true;
    requireVersion(claude);
    const { flags } = await claude.readOffers();
    const now = this.queueContext.host.clock.now();
    const open = await this.queueContext.openGateOf(claude, now);
    const dearer = this.whyDearer(claude);
    const why = whyUnpaid(claude) ?? dearer;
    if (why === null && claude.billing !== 'none') this.agreed = claude;
    const gate = dearer === null ? open : closeForPayer(open, dearer, now);
    this.current = { claude, flags, gate };
    this.changed(claude, why);
  }

  /**
   * Returns why an account costs more than agreed: a run that started on a subscription does not switch to another
   * payer because its sign-in was lost.
   */
  private whyDearer(claude: Installation): string | null {
    const { billing, billingChoice } = this.agreed;
    const isOwnChoice = billingChoice !== 'auto' || claude.billingChoice !== 'auto';
    if (isOwnChoice || billing !== 'subscription') return null;
    if (claude.billing === 'subscription' || claude.billing === 'none') return null;
    return `This worker started on a subscription and would now be ${describePayer(claude)}. No task starts that way. Sign in again ("claude", then /login), set billing to api-key, or restart the worker.`;
  }
}

/** Whether attempts are the same with both, however they were found. */
function isSame(one: Installation, other: Installation): boolean {
  const { readOffers: _one, ...facts } = one;
  const { readOffers: _other, ...others } = other;
  return isDeepStrictEqual(withoutUser(facts), withoutUser(others));
}
