import { PRIORITIES } from '../../../src/domain/task/priority';
import type { Audit } from '../audit/audit';
import type { NoticeAudit } from '../audit/noticeAudit';
import { rowKey, type Wishes } from '../audit/promptAudit';
import type { Kernel } from '../machine/kernel';
import type { ProcessTable, SimProcess } from '../machine/process';
import type { Random } from '../machine/random';
import { SETTINGS_FILE, type Answer, type Command, type WorkerOptions } from '../program/host';
import type { Claude } from './claude';
import type { HandOwner } from './handOwner';
import type { Machine } from './machine';
import type { Move } from './moves';
import { drawCommand } from './commandDraw';
import { drawSettings } from './setup';
import { Violation } from './violation';

interface Parts {
  readonly kernel: Kernel;
  readonly processes: ProcessTable;
  readonly claude: Claude;
  readonly machine: Machine;
  readonly owner: HandOwner;
  readonly audit: Audit;
  readonly notices: NoticeAudit;
  readonly wishes: Wishes;
  readonly random: Random;
}

type RunUntil = (at: number, isDone: () => boolean) => Promise<void>;

const SECOND = 1_000;
const MINUTE = 60_000;
const MOST_WORKERS = 3;
/** Commands that open the account's gate. */
const OPENING: readonly string[] = ['reopen', 'probe'];
/** Commands whose rows the user approves by them. */
const APPROVING: readonly string[] = ['approve', 'add', 'edit'];

/** Makes the moves of a history. */
export class Mover {
  private commandStartedAt = new Map<Command, number>();

  constructor(private readonly parts: Parts) {}

  async make({ kind, index }: Move): Promise<void> {
    const random = this.parts.random.stream(`move ${String(index)}`);
    const makers: Readonly<Record<Move['kind'], () => void | Promise<void>>> = {
      worker: () => this.startWorker(random),
      kill: () => this.kill(random),
      'kill at a write': () => this.lightFuse(random),
      freeze: () => this.freeze(random),
      'power cut': () => this.cutPower(random),
      'disk full': () => this.fillDisk(random),
      'set clock': () => this.setClock(random),
      sleep: () => this.step('sleep', random.between(1, 180) * MINUTE),
      'edit by hand': () => this.editByHand(random),
      'edit in a window': () => this.editInWindow(random),
      command: () =>
        void this.command(drawCommand(random, this.parts.audit.shownStates(), this.parts.kernel.wall())),
      account: () => this.changeAccount(random),
      settings: () => this.changeSettings(random),
      'stop worker': () => this.stopWorker(random),
    };
    await makers[kind]();
  }

  private startWorker(random: Random): void {
    const { machine } = this.parts;
    if (machine.livingWorkers().length >= MOST_WORKERS) return;
    const options: WorkerOptions = {
      untilEmpty: random.oneIn(4),
      alone: random.oneIn(4),
      slots: random.pick([1, 1, 2, 3]),
      lookAgainMs: random.pick([5, 10, 30]) * SECOND,
      ...(random.oneIn(4) ? { maxTasks: random.between(1, 3) } : {}),
      ...(random.oneIn(8) ? { priorities: [random.pick(PRIORITIES), random.pick(PRIORITIES)] } : {}),
    };
    machine.startWorker(options);
  }

  private kill(random: Random): void {
    const { machine, audit, notices } = this.parts;
    const living = machine.livingWorkers();
    if (living.length === 0) return;
    random.pick(living).process.kill();
    notices.noteFault();
    audit.sources.noteFault();
    audit.meet('crash');
  }

  private lightFuse(random: Random): void {
    const { processes, audit, notices } = this.parts;
    const living = processes.living().filter(({ name }) => name !== 'claude');
    if (living.length === 0) return;
    const process = random.pick(living);
    process.fuse = random.between(0, 40);
    const { ended } = process;
    process.ended = () => {
      ended();
      notices.noteFault();
      audit.sources.noteFault();
    };
    audit.meet('crash');
  }

  private freeze(random: Random): void {
    const { processes, kernel, audit } = this.parts;
    const living = processes.living().filter(({ name }) => name !== 'claude');
    if (living.length === 0) return;
    random.pick(living).frozenUntil = kernel.now + random.between(20, 40_000);
    audit.sources.noteFault();
    audit.meet('freeze');
  }

  /** All processes die, and the disk has only what was synced for sure. */
  private async cutPower(random: Random): Promise<void> {
    const { processes, kernel, audit, notices, owner } = this.parts;
    audit.meet('power cut');
    for (const process of processes.living()) process.kill();
    kernel.disk.losePower(random);
    notices.noteFault();
    owner.forgetSave();
    await audit.update();
    audit.restart();
  }

  private fillDisk(random: Random): void {
    const { kernel, audit, notices } = this.parts;
    kernel.disk.isFull = true;
    notices.noteFault();
    audit.meet('disk full');
    kernel.after(null, random.between(100, 90 * SECOND), () => {
      kernel.disk.isFull = false;
      notices.noteFault();
      audit.sources.noteFault();
    });
  }

  private setClock(random: Random): void {
    const byMs = random.pick([SECOND, MINUTE, 10 * MINUTE, 3 * 60 * MINUTE]) * (0.5 + random.next());
    const isAhead = random.oneIn(2);
    this.step(isAhead ? 'clock ahead' : 'clock back', isAhead ? byMs : -byMs);
  }

  private step(event: string, byMs: number): void {
    const { kernel, owner, audit, wishes } = this.parts;
    audit.meet(event);
    owner.noteStep(byMs);
    kernel.step(Math.round(byMs));
    wishes.gateOpenedAt = audit.places + 1;
  }

  private editByHand(random: Random): void {
    const { owner, audit } = this.parts;
    owner.edit(random);
    audit.meet('hand edit');
    // Mostly the user approves what was written.
    if (!random.oneIn(3))
      this.parts.kernel.after(
        null,
        random.between(100, 20 * SECOND),
        () => void this.command({ kind: 'approve' }),
      );
  }

  private editInWindow(random: Random): void {
    const { machine, audit, kernel, owner } = this.parts;
    audit.meet('window edit');
    const { process, window } = machine.openWindow();
    let isSaving = false;
    const { ended } = process;
    process.ended = () => {
      ended();
      if (isSaving) owner.forgetSave();
    };
    const pause = (ms: number): Promise<void> =>
      new Promise((resolve) => {
        kernel.after(process, ms, resolve);
      });
    const work = async (): Promise<void> => {
      await window.open();
      const opened = window.text();
      const text = owner.draftIn(opened, random);
      if (text !== null) {
        await untilDone(() => window.type(text), pause);
        await pause(random.between(100, 60 * SECOND));
        isSaving = true;
        await untilDone(() => owner.saveWindow(window, opened, text), pause);
        isSaving = false;
      }
      await window.close();
      // The import of what was saved continues.
      await pause(10 * SECOND);
      process.kill();
    };
    machine.follow(process, work());
  }

  /** Gives a command. Returns its process. */
  command(command: Command, answered: (answer: Answer | null) => void = () => undefined): SimProcess {
    const { machine, owner, kernel } = this.parts;
    if (APPROVING.includes(command.kind)) this.parts.wishes.approving += 1;
    if (command.kind === 'trust') this.parts.wishes.isTrusted = true;
    if (['add', 'edit', 'move', 'remove'].includes(command.kind)) {
      owner.check();
      owner.letOthersEdit();
    }
    if ('id' in command) owner.touch(command.id);
    if (command.kind === 'resume') this.parts.wishes.pausedSince = null;
    if (OPENING.includes(command.kind)) this.parts.wishes.gateOpenedAt = this.parts.audit.places + 1;
    this.commandStartedAt.set(command, kernel.now);
    return machine.command(command, (_, answer) => {
      this.noteAnswer(command, answer);
      answered(answer);
    });
  }

  /** Notes what the user knows when a command has ended; null: it died. */
  private noteAnswer(command: Command, answer: Answer | null): void {
    const { owner, wishes, audit, kernel } = this.parts;
    const startedAt = this.commandStartedAt.get(command) ?? 0;
    if ('id' in command) owner.touch(command.id);
    if (APPROVING.includes(command.kind)) {
      wishes.approving -= 1;
      this.noteApproved(kernel.now - startedAt + 8 * SECOND);
    }
    if (command.kind === 'hold' && command.priorities === undefined && answer?.kind === 'done')
      wishes.pausedSince = kernel.now;
    if (command.kind === 'resume') wishes.pausedSince = null;
    if (OPENING.includes(command.kind)) wishes.gateOpenedAt = audit.places + 1;
    if (answer !== null) owner.accept();
  }

  private noteApproved(withinMs: number): void {
    const { audit, wishes, kernel } = this.parts;
    for (const { rows } of audit.sources.sheets.since(kernel.now, withinMs))
      for (const { definition } of rows.set.rows) wishes.approved.add(rowKey(definition));
    const later = this.parts.owner.readDefinitions();
    for (const definition of later) wishes.approved.add(rowKey(definition));
  }

  private changeAccount(random: Random): void {
    const { claude } = this.parts;
    claude.account.isSignedOut = random.oneIn(3);
    if (random.oneIn(3)) claude.account.closedUntil = 0;
  }

  private changeSettings(random: Random): void {
    this.parts.audit.meet('settings');
    this.parts.machine.writeFile(SETTINGS_FILE, drawSettings(random));
  }

  private stopWorker(random: Random): void {
    const living = this.parts.machine.livingWorkers();
    if (living.length > 0) random.pick(living).stop.abort();
  }

  /** Ends all faults, asks for what is left, and lets it be done. */
  async repair(runUntil: RunUntil): Promise<void> {
    const { kernel, processes, machine, claude, wishes } = this.parts;
    kernel.disk.isFull = false;
    claude.isKind = true;
    claude.longestMs = 5 * SECOND;
    Object.assign(claude.account, { closedUntil: 0, isSignedOut: false });
    for (const process of processes.living()) {
      process.frozenUntil = 0;
      process.fuse = null;
    }
    for (const { stop } of machine.livingWorkers()) stop.abort();
    const isQuiet = (): boolean => processes.living().every(({ name }) => name === 'claude');
    await runUntil(kernel.now + 10 * MINUTE, isQuiet);
    if (!isQuiet()) {
      const names = processes.living().map(({ name }) => name);
      throw new Violation('carried to its end', `still there after ten minutes: ${names.join()}`);
    }
    await runUntil(kernel.now + MINUTE, () => false);
    wishes.gateOpenedAt = Infinity;
    // Quiet hours and small budgets would only make it last.
    machine.writeFile(SETTINGS_FILE, 'retryBackoff: 10s\nmaxPerHour: 30\n');
    for (const kind of ['approve', 'reopen', 'resume'] as const) await this.commandToEnd(kind, runUntil);
    const worker = { untilEmpty: true, alone: false, slots: 1, lookAgainMs: 20 * SECOND };
    for (let round = 0; round < 3; round += 1) {
      const { process } = machine.startWorker(worker);
      await runUntil(kernel.now + 26 * 60 * MINUTE, () => process.isDead);
      if (!process.isDead) throw new Violation('carried to its end', 'a worker does not end after a day');
    }
    await this.commandToEnd('sync', runUntil);
  }

  private async commandToEnd(
    kind: 'approve' | 'reopen' | 'resume' | 'sync',
    runUntil: RunUntil,
  ): Promise<void> {
    const { kernel } = this.parts;
    let given: Answer | null = null;
    const process = this.command({ kind }, (answer) => {
      given = answer;
    });
    await runUntil(kernel.now + 5 * MINUTE, () => process.isDead);
    const answer = given as Answer | null;
    if (answer?.kind !== 'done')
      throw new Violation(
        'carried to its end',
        `"${kind}" fails: ${answer === null ? 'no end' : answer.kind}`,
      );
  }
}

/** The user tries again what the editor could not do because of the disk. */
async function untilDone(work: () => Promise<void>, pause: (ms: number) => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      await pause(2 * SECOND);
    }
  }
}
