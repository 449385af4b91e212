import { PRIORITIES } from '../../../src/domain/task/priority';
import type { Audit } from '../audit/audit';
import type { NoticeAudit } from '../audit/noticeAudit';
import { rowKey, type Wishes } from '../audit/promptAudit';
import type { Kernel } from '../machine/kernel';
import type { ProcessTable, SimProcess } from '../machine/process';
import type { Random } from '../machine/random';
import { FOLDER, SETTINGS_FILE, type Answer, type Command, type WorkerOptions } from '../program/host';
import type { CallbackReceiver } from './callbackReceiver';
import type { Claude } from './claude';
import type { HandOwner } from './handOwner';
import type { Machine } from './machine';
import type { MachineTimer } from '../machine/machineTimer';
import type { Move } from './moves/moves';
import { drawCommand } from './commandDraw';
import { drawEdit, pickRow } from './editDraw';
import { Faults } from './moves/faults';
import { AimedMoves } from './moves/aimedMoves';
import { ExtraMoves } from './moves/extraMoves';
import { RareMoves } from './moves/rareMoves';
import { drawSettings } from './setup';
import type { Size } from './size';
import { editInWindow } from './windowEdit';

/** Everything that moves work on. */
export interface MoverParts {
  readonly kernel: Kernel;
  readonly processes: ProcessTable;
  readonly claude: Claude;
  readonly machine: Machine;
  readonly owner: HandOwner;
  readonly audit: Audit;
  readonly notices: NoticeAudit;
  readonly receiver: CallbackReceiver;
  readonly wishes: Wishes;
  readonly random: Random;
  readonly timer: MachineTimer;
  readonly size: Size;
}

const SECOND = 1_000;
const MOST_WORKERS = 3;
/** Commands that open the account's gate. */
const OPENING: readonly string[] = ['reopen', 'probe'];
/** Commands whose rows the user approves by them. */
const APPROVING: readonly string[] = ['approve', 'add', 'edit'];

/** Makes the moves of a history. */
export class Mover {
  private commandStartedAt = new Map<Command, number>();
  private readonly faults: Faults;
  private readonly rare: RareMoves;
  private readonly extra: ExtraMoves;
  private readonly aimed: AimedMoves;
  /** Edit of the user after a number of further changes in the queue's folder; null: none. */
  private editAtWrite: { after: number; readonly edit: () => void } | null = null;

  constructor(private readonly parts: MoverParts) {
    this.faults = new Faults(parts);
    this.rare = new RareMoves(parts, (command) => void this.command(command));
    this.aimed = new AimedMoves(parts, this.faults, (command) => this.command(command));
    this.extra = new ExtraMoves(parts, (command, answered) => void this.command(command, answered));
  }

  async make({ kind, index }: Move): Promise<void> {
    const random = this.parts.random.stream(`move ${String(index)}`);
    const { audit } = this.parts;
    const makers: Partial<Readonly<Record<Move['kind'], (random: Random) => void | Promise<void>>>> = {
      ...this.faults.makers,
      ...this.rare.makers,
      ...this.extra.makers,
      ...this.aimed.makers,
      worker: () => this.startWorker(random),
      'edit by hand': () => this.editByHand(random),
      'edit at a write': () => {
        this.editAtWrite = { after: random.between(0, 12), edit: () => this.editByHand(random) };
      },
      'edit in a window': () => {
        audit.meet('window edit');
        editInWindow(this.parts, random);
      },
      command: () => void this.command(this.drawCommand(random)),
      account: () => this.changeAccount(random),
      settings: () => this.changeSettings(random),
      'stop worker': () => this.stopWorker(random),
    };
    await makers[kind]?.(random);
  }

  /** Notes that a process changed a file: the user may save the queue file right then. */
  noteChange(file: string): void {
    this.rare.noteChange(file);
    this.extra.noteChange(file);
    this.aimed.noteChange(file);
    const { editAtWrite } = this;
    if (editAtWrite === null || !file.startsWith(FOLDER)) return;
    editAtWrite.after -= 1;
    if (editAtWrite.after >= 0) return;
    this.editAtWrite = null;
    // Calls that are one step for the program stay one.
    this.parts.kernel.after(null, 0, editAtWrite.edit);
  }

  /** Running time until which moves last that were made. */
  get lastsUntil(): number {
    return this.aimed.lastsUntil;
  }

  /** Lets the user edit nothing more at a later write. */
  endEdits(): void {
    this.rare.end();
    this.extra.end();
    this.aimed.end();
    this.editAtWrite = null;
  }

  private drawCommand(random: Random): Command {
    const { audit, kernel, size } = this.parts;
    return drawCommand(random, audit.shownStates(), { wall: kernel.wall(), size });
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

  private editByHand(random: Random): void {
    const { owner, audit, kernel, size } = this.parts;
    const states = audit.shownStates();
    owner.edit(random, (sheet) => drawEdit(random, kernel.wall(), pickRow(sheet, random, { states, size })));
    audit.meet('hand edit');
    // Mostly the user approves what was written.
    if (!random.oneIn(3))
      kernel.after(null, random.between(100, 20 * SECOND), () => void this.command({ kind: 'approve' }));
  }

  /** Gives a command. Returns its process. */
  command(command: Command, answered: (answer: Answer | null) => void = () => undefined): SimProcess {
    const { machine, owner, kernel } = this.parts;
    if (APPROVING.includes(command.kind)) this.parts.wishes.approving += 1;
    if (command.kind === 'trust') this.noteTrust();
    let edited = (): void => undefined;
    if (['add', 'edit', 'move', 'remove', 'restore'].includes(command.kind)) {
      owner.check();
      edited = owner.letOthersEdit();
    }
    if ('id' in command) owner.touch(command.id);
    if (command.kind === 'resume') this.parts.wishes.pausedSince = null;
    if (OPENING.includes(command.kind)) this.noteOpening();
    this.commandStartedAt.set(command, kernel.now);
    return machine.command(command, (_, answer) => {
      edited();
      this.noteAnswer(command, answer);
      answered(answer);
    });
  }

  /** Notes what the user knows when a command has ended; null: it died. */
  private noteAnswer(command: Command, answer: Answer | null): void {
    const { owner, wishes, kernel } = this.parts;
    const startedAt = this.commandStartedAt.get(command) ?? 0;
    if ('id' in command) owner.touch(command.id);
    if (APPROVING.includes(command.kind)) {
      wishes.approving -= 1;
      this.noteApproved(kernel.now - startedAt + 8 * SECOND);
    }
    this.noteTrustAnswer(command, answer);
    if (command.kind === 'hold' && command.priorities === undefined && answer?.kind === 'done')
      wishes.pausedSince = kernel.now;
    if (command.kind === 'resume') wishes.pausedSince = null;
    if (OPENING.includes(command.kind)) this.noteOpening();
    if (answer !== null) owner.accept();
  }

  private noteTrust(): void {
    this.parts.wishes.isTrusted = true;
    this.parts.wishes.trusting += 1;
  }

  private noteTrustAnswer({ kind }: Command, answer: Answer | null): void {
    const { wishes, kernel } = this.parts;
    if (kind === 'trust') wishes.trusting -= 1;
    // Two commands at once: either may be the last.
    if (kind !== 'distrust' || answer?.kind !== 'done' || wishes.trusting > 0) return;
    wishes.isTrusted = false;
    wishes.distrustedAt = kernel.now;
  }

  private noteOpening(): void {
    const { wishes, audit, kernel } = this.parts;
    wishes.gateOpened = { place: audit.places + 1, at: kernel.now };
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
}
