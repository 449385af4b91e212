import type { ShownState } from '../../../../src/domain/reasons/reason';
import { isUnaccepted, openQuestion } from '../../../../src/domain/queue/view';
import type { TaskId } from '../../../../src/domain/task/task';
import { currentTask } from '../../../../src/queue/model/state/queueState';
import type { HandEdit } from '../../../generated/handEdits';
import { textOf, type Sheet } from '../../../generated/sheet';
import type { Random } from '../../machine/random';
import type { Command } from '../../program/host';
import { AfterClaim } from './afterClaim';
import type { MoverParts } from '../mover';
import type { MoveKind } from './moves';

const SECOND = 1_000;

/** Moves that a user seldom makes, aimed at tasks that they fit: by chance alone they would hardly ever meet them. */
export class RareMoves {
  readonly makers: Partial<Readonly<Record<MoveKind, (random: Random) => void>>> = {
    review: (random) => this.review(random),
    questions: (random) => this.askQuestions(random),
    trust: (random) => this.toggleTrust(random),
    'break a row': (random) => this.breakRow(random),
    'reopen a row': (random) => this.reopenRow(random),
    'use up retries': (random) => this.useUpRetries(random),
    'repeating row': (random) => this.addRepeating(random),
    'upset a dependency': (random) => this.upsetDependency(random),
    'stop after a claim': (random) => this.afterClaim.await(random),
  };
  private readonly afterClaim: AfterClaim;
  private isOver = false;

  constructor(
    private readonly parts: MoverParts,
    private readonly give: (command: Command) => void,
  ) {
    // Meanwhile the row of the task breaks, and its worker is asked to end.
    this.afterClaim = new AfterClaim(parts, (random, id, worker) => {
      this.edit(random, (sheet) => changeRow(sheet, random, [id], 'priority', 'urgent'));
      worker.stop.abort();
    });
  }

  /** Notes that a file has changed. */
  noteChange(file: string): void {
    this.afterClaim.noteChange(file);
  }

  /** Does nothing more from now on. */
  end(): void {
    this.afterClaim.end();
    this.isOver = true;
  }

  /** Accepts or answers what awaits the user, rather a task that is not shown as in review or completed. */
  private review(random: Random): void {
    const { queue } = this.parts.audit.state;
    const open = [...this.parts.audit.shownStates()].flatMap(([id, shown]) => {
      const task = currentTask(queue, id);
      if (task === undefined || queue.claims.has(id) || !isUnaccepted(task)) return [];
      return [{ id, shown, question: openQuestion(task) }];
    });
    const rare = open.filter(({ shown }) => shown !== 'review' && shown !== 'completed');
    const asking = rare.filter(({ question }) => question !== undefined);
    const among = [asking, rare, open].find((some) => some.length > 0);
    if (among === undefined) return;
    const shown = random.pick([...new Set(among.map((one) => one.shown))]);
    const { id, question } = random.pick(among.filter((one) => one.shown === shown));
    const isAnswered = question !== undefined && random.oneIn(2);
    this.give(isAnswered ? { kind: 'answer', id, text: 'Both.' } : { kind: 'verb', id, verb: 'accept' });
  }

  /** Repeating tasks end with questions for a while, and the user looks at them now and then. */
  private askQuestions(random: Random): void {
    this.parts.claude.questionsLeft = random.between(2, 6);
    for (const _look of Array.from({ length: 5 })) {
      this.parts.kernel.after(null, random.between(2, 240) * SECOND, () => {
        if (!this.isOver) this.review(random);
      });
    }
    if (random.oneIn(3)) this.later(random, () => this.toggleTrust(random));
    else if (random.oneIn(2)) this.later(random, () => this.breakRow(random));
  }

  /** Trusts the queue or takes that back, then decides about a task. */
  private toggleTrust(random: Random): void {
    this.give({ kind: this.parts.wishes.isTrusted ? 'distrust' : 'trust' });
    this.later(random, () => this.review(random));
  }

  /** Makes a row unreadable, then decides about its task. */
  private breakRow(random: Random): void {
    this.editRow(random, ['running', 'review', 'scheduled', 'completed'], 'priority', 'urgent');
    this.later(random, () => this.review(random));
  }

  /** Sets a task that has ended to pending by hand, mostly with an approval. */
  private reopenRow(random: Random): void {
    const retrying = this.idsOf(['retrying']);
    if (retrying.length > 0) this.give({ kind: 'verb', id: random.pick(retrying), verb: 'cancel' });
    this.later(random, () => {
      this.editRow(random, ['dead', 'cancelled', 'completed', 'review'], 'status', 'pending');
      this.later(random, () => this.give({ kind: 'approve' }));
    });
  }

  private useUpRetries(random: Random): void {
    const { queue } = this.parts.audit.state;
    const open = this.idsOf(['scheduled', 'blocked', 'waiting', 'ready']).filter((id) => {
      const task = currentTask(queue, id);
      return task !== undefined && isUnaccepted(task);
    });
    this.edit(random, (sheet) => changeRow(sheet, random, open, 'retry_count', '9'));
    this.later(random, () => this.review(random));
  }

  /** Adds a repeating row that depends on others, and trusts that it is approved. */
  private addRepeating(random: Random): void {
    const over = this.idsOf(['dead', 'cancelled', 'completed', 'scheduled']);
    this.edit(random, () => ({
      kind: 'insert',
      row: random.between(0, 7),
      id: random.between(4, 12),
      cells: {
        ...{ priority: 'high', working_dir: '/place/a', prompt: 'Do it again', repeat: 'yes' },
        repeat_interval: random.pick(['*/2 * * * *', '30m']),
        dependencies: over.length === 0 ? '' : String(random.pick(over)),
      },
    }));
    this.later(random, () => this.give({ kind: 'approve' }));
  }

  /** Changes what a task depends on that is running, or will repeat. */
  private upsetDependency(random: Random): void {
    const needing = this.idsOf([random.pick(['running', 'scheduled'])]);
    const rows = this.parts.audit.sources.sheets.newest.rows.set.rows;
    const needed = rows.flatMap(({ definition: { id, dependencies } }) =>
      needing.includes(id) ? dependencies : [],
    );
    const text = random.pick(['failed', 'pending', 'pending']);
    this.edit(random, (sheet) => changeRow(sheet, random, needed, 'status', text));
  }

  private later(random: Random, work: () => void): void {
    this.parts.kernel.after(null, random.between(500, 12 * SECOND), () => {
      if (!this.isOver) work();
    });
  }

  private idsOf(wanted: readonly ShownState[]): TaskId[] {
    return [...this.parts.audit.shownStates()].flatMap(([id, shown]) => (wanted.includes(shown) ? [id] : []));
  }

  private editRow(random: Random, wanted: readonly ShownState[], column: string, text: string): void {
    const states = this.parts.audit.shownStates();
    const found = random.pick(wanted);
    const ids = this.idsOf([...states.values()].includes(found) ? [found] : wanted);
    this.edit(random, (sheet) => changeRow(sheet, random, ids, column, text));
  }

  private edit(random: Random, draw: (sheet: Sheet) => HandEdit | null): void {
    const { owner, audit } = this.parts;
    owner.edit(random, draw);
    audit.meet('hand edit');
  }
}

/** Returns a change of the row of one of these tasks; null: there is no such row. */
function changeRow(
  sheet: Sheet,
  random: Random,
  ids: readonly TaskId[],
  column: string,
  text: string,
): HandEdit | null {
  const rows = sheet.lines.flatMap((line, index) =>
    ids.includes(Number(textOf(sheet, line, 'id'))) ? [index] : [],
  );
  return rows.length === 0 ? null : { kind: 'change', row: random.pick(rows), column, text };
}
