import type { ShownState } from '../../../src/domain/reasons/reason';
import { openQuestion } from '../../../src/domain/queue/view';
import type { TaskId } from '../../../src/domain/task/task';
import { currentTask } from '../../../src/queue/model/state/queueState';
import { JOURNAL } from '../audit/journalReader';
import type { Random } from '../machine/random';
import type { Answer, Command } from '../program/host';
import type { MoverParts } from './mover';
import type { MoveKind } from './moves';

const SECOND = 1_000;
const MINUTE = 60_000;

type Give = (command: Command, answered?: (answer: Answer | null) => void) => void;

/** Moves of a user who looks after the queue, and of other programs on the machine. */
export class ExtraMoves {
  readonly makers: Partial<Readonly<Record<MoveKind, (random: Random) => void>>> = {
    comment: (random) => this.comment(random),
    'undo changes': (random) => this.undoChanges(random),
    'undo a removal': (random) => this.removeAndRestore(random),
    timer: (random) => this.setTimer(random),
    'stop workers': (random) => this.give({ kind: 'stop', how: random.pick(['after-task', 'now'] as const) }),
    'limit elsewhere': (random) => {
      this.afterClaim = random;
    },
  };
  /** Chance for the limit that another queue meets right after the next claim; null: none does. */
  private afterClaim: Random | null = null;
  private isOver = false;

  constructor(
    private readonly parts: MoverParts,
    private readonly give: Give,
  ) {}

  /** Notes that a file has changed: a claim may have been made. */
  noteChange(file: string): void {
    const random = this.afterClaim;
    if (random === null || file !== JOURNAL) return;
    this.parts.kernel.after(null, 0, () => this.meetLimitElsewhere(random));
  }

  /** Does nothing more from now on. */
  end(): void {
    this.afterClaim = null;
    this.isOver = true;
    this.parts.timer.remove();
  }

  private comment(random: Random): void {
    const { queue } = this.parts.audit.state;
    const id = this.pickTask(random, (one) => {
      const task = currentTask(queue, one);
      const last = queue.attempts.findLast((attempt) => attempt.id === one);
      if (task === undefined || queue.claims.has(one) || openQuestion(task) !== undefined) return false;
      return last?.power === task.power && last.session !== null;
    });
    if (id !== null) this.give({ kind: 'comment', id, text: 'Shorter, please.' });
  }

  private undoChanges(random: Random): void {
    const { attempts } = this.parts.audit.state.queue;
    const id = this.pickTask(random, (one) => attempts.some((attempt) => attempt.id === one));
    if (id !== null) this.give({ kind: 'undo', id });
  }

  /** Removes a task, and puts its row back a moment later. */
  private removeAndRestore(random: Random): void {
    const { owner, kernel, audit } = this.parts;
    const id = this.pickTask(random, (one) => !audit.state.queue.claims.has(one));
    if (id === null) return;
    this.give({ kind: 'remove', ids: [id] }, (answer) => {
      if (answer?.kind !== 'done' || answer.removed === undefined) return;
      const { removed } = answer;
      kernel.after(null, random.between(100, 20 * SECOND), () => {
        if (this.isOver) return;
        for (const { head, line } of removed) owner.noteRestored(`${head}\n${line}\n`);
        this.give({ kind: 'restore', rows: removed });
      });
    });
  }

  private setTimer(random: Random): void {
    const { timer } = this.parts;
    if (random.oneIn(4)) {
      timer.remove();
      this.give({ kind: 'timer', cron: null });
    } else this.give({ kind: 'timer', cron: timer.install(random) });
  }

  /** A worker that has just claimed a task is stopped for a while: meanwhile another queue of the account meets a limit. */
  private meetLimitElsewhere(random: Random): void {
    const { kernel, machine, audit, claude } = this.parts;
    if (this.afterClaim === null) return;
    for (const { owner, run } of audit.state.queue.claims.values()) {
      if (owner.kind !== 'process' || run !== undefined) continue;
      const worker = machine.livingWorkers().find((one) => one.process.identity.pid === owner.process.pid);
      if (worker === undefined) continue;
      this.afterClaim = null;
      worker.process.frozenUntil = kernel.now + random.between(2, 8) * SECOND;
      audit.sources.noteFault();
      const resetAt = Math.floor(kernel.wall()) + random.between(1, 10) * MINUTE;
      claude.account.closedUntil = Math.max(claude.account.closedUntil, resetAt);
      this.give({ kind: 'limit elsewhere', resetAt });
      return;
    }
  }

  /** Returns a task that fits, of each state that there is as often; null: none fits. */
  private pickTask(random: Random, fits: (id: TaskId) => boolean): TaskId | null {
    const shown = [...this.parts.audit.shownStates()].filter(([id]) => fits(id));
    if (shown.length === 0) return null;
    const wanted: ShownState = random.pick([...new Set(shown.map(([, state]) => state))]);
    return random.pick(shown.filter(([, state]) => state === wanted))[0];
  }
}
