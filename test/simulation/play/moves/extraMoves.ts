import type { ShownState } from '../../../../src/domain/reasons/reason';
import { openQuestion } from '../../../../src/domain/queue/view';
import type { TaskId } from '../../../../src/domain/task/task';
import { currentTask } from '../../../../src/queue/model/state/queueState';
import type { Random } from '../../machine/random';
import type { Answer, Command } from '../../program/host';
import { AfterClaim } from './afterClaim';
import type { MoverParts } from '../mover';
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
    'limit elsewhere': (random) => this.afterClaim.await(random),
  };
  private readonly afterClaim: AfterClaim;
  private isOver = false;

  constructor(
    private readonly parts: MoverParts,
    private readonly give: Give,
  ) {
    this.afterClaim = new AfterClaim(parts, (random) => this.meetLimitElsewhere(random));
  }

  /** Notes that a file has changed. */
  noteChange(file: string): void {
    this.afterClaim.noteChange(file);
  }

  /** Does nothing more from now on. */
  end(): void {
    this.afterClaim.end();
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

  /** Another queue of the account meets a limit. */
  private meetLimitElsewhere(random: Random): void {
    const { kernel, claude } = this.parts;
    const resetAt = Math.floor(kernel.wall()) + random.between(1, 10) * MINUTE;
    claude.account.closedUntil = Math.max(claude.account.closedUntil, resetAt);
    this.give({ kind: 'limit elsewhere', resetAt });
  }

  /** Returns a task that fits, of each state that there is as often; null: none fits. */
  private pickTask(random: Random, fits: (id: TaskId) => boolean): TaskId | null {
    const shown = [...this.parts.audit.shownStates()].filter(([id]) => fits(id));
    if (shown.length === 0) return null;
    const wanted: ShownState = random.pick([...new Set(shown.map(([, state]) => state))]);
    return random.pick(shown.filter(([, state]) => state === wanted))[0];
  }
}
