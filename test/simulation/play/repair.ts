import { checkFile } from '../audit/endAudit';
import type { Answer } from '../program/host';
import { SETTINGS_FILE } from '../program/host';
import type { Mover, MoverParts } from './mover';
import { Violation } from './violation';

const SECOND = 1_000;
const MINUTE = 60_000;

type RunUntil = (at: number, isDone: () => boolean) => Promise<void>;

/** End of a history: all faults end, and what is left is done. */
export class Repair {
  constructor(
    private readonly parts: MoverParts,
    private readonly mover: Mover,
    private readonly runUntil: RunUntil,
  ) {}

  /** Returns the time on the wall at which the last worker started. @throws Violation if something stays undone */
  async carryOut(): Promise<number> {
    this.endFaults();
    this.mover.endEdits();
    await this.waitUntilQuiet();
    const { kernel, machine, wishes, audit, claude } = this.parts;
    wishes.gateOpened = { place: Infinity, at: Infinity };
    // Quiet hours and small budgets would only make it last.
    machine.writeFile(SETTINGS_FILE, 'retryBackoff: 10s\nmaxPerHour: 1000\nmaxPerDay: 1000\n');
    for (const kind of ['approve', 'resume'] as const) await this.commandToEnd(kind);
    // Only a block of a sign-in needs the user: all others must end by themselves.
    if (claude.runs.some(({ verdict }) => verdict?.signal?.kind === 'sign-in'))
      await this.commandToEnd('reopen');
    const worker = { untilEmpty: true, alone: false, slots: 1, lookAgainMs: MINUTE };
    let startedAt = kernel.wall();
    for (let round = 0; round < 3; round += 1) {
      // The next try of a callback may be due only in a minute.
      if (round > 0 && audit.state.queue.callbacks.size > 0)
        await this.runUntil(kernel.now + MINUTE, () => false);
      startedAt = kernel.wall();
      const { process } = machine.startWorker(worker);
      await this.runUntil(kernel.now + 26 * 60 * MINUTE, () => process.isDead);
      if (!process.isDead) throw new Violation('carried to its end', 'a worker does not end after a day');
    }
    await audit.update();
    // A worker that ends has written everything: no command needs to do it.
    checkFile(audit);
    await this.commandToEnd('sync');
    return startedAt;
  }

  private endFaults(): void {
    const { kernel, processes, machine, claude, receiver } = this.parts;
    kernel.disk.isFull = false;
    receiver.isKind = true;
    claude.isKind = true;
    claude.longestMs = 5 * SECOND;
    Object.assign(claude.account, { closedUntil: 0, statedReset: null, isSignedOut: false });
    for (const process of processes.living()) {
      process.frozenUntil = 0;
      process.fuse = null;
      process.frost = null;
    }
    for (const { stop } of machine.livingWorkers()) stop.abort();
  }

  private async waitUntilQuiet(): Promise<void> {
    const { kernel, processes } = this.parts;
    const isQuiet = (): boolean => processes.living().every(({ name }) => name === 'claude');
    await this.runUntil(kernel.now + 10 * MINUTE, isQuiet);
    if (!isQuiet()) {
      const names = processes.living().map(({ name }) => name);
      throw new Violation('carried to its end', `still there after ten minutes: ${names.join()}`);
    }
    await this.runUntil(kernel.now + MINUTE, () => false);
  }

  private async commandToEnd(kind: 'approve' | 'reopen' | 'resume' | 'sync'): Promise<void> {
    const { kernel } = this.parts;
    let given: Answer | null = null;
    const process = this.mover.command({ kind }, (answer) => {
      given = answer;
    });
    await this.runUntil(kernel.now + 5 * MINUTE, () => process.isDead);
    const answer = given as Answer | null;
    if (answer?.kind !== 'done')
      throw new Violation(
        'carried to its end',
        `"${kind}" fails: ${answer === null ? 'no end' : answer.kind}`,
      );
  }
}
