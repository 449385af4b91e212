import type { World } from '../../domain/explain';
import { whyHeld } from '../../domain/holds';
import { Lineup } from '../../domain/lineup';
import type { Choice, Outlook } from '../../domain/order';
import type { Definition, TaskId } from '../../domain/task';
import type { QueueView, TaskView } from '../../domain/view';
import { OutlookMemory } from './outlookMemory';
import type { RowSet } from './rows';
import { currentTask, type QueueState } from './state';

/** What a world is made of besides the queue. */
export type Surroundings = Omit<World, 'queue' | 'byId'>;

/**
 * Rows and state brought together as the domain's rules look at them, kept from step to step: only what the events since
 * the last look touched is made anew. A row that was never seen (a read-only look at a new file) is not on it.
 *
 * A board goes with one state: what it has taken up is no longer marked as touched there.
 */
export class Board {
  private state: QueueState | null = null;
  private rows: RowSet | null = null;
  private tasks: TaskView[] = [];
  private byId = new Map<TaskId, TaskView>();
  private placeOf = new Map<TaskId, number>();
  private lineup = new Lineup([]);
  private readonly outlooks = new OutlookMemory();
  private given: readonly TaskView[] | null = null;
  private givenLines: ReadonlyMap<TaskId, number> | null = null;

  /** A board for one look at a state that another board may go with. */
  static over(state: QueueState, rows: RowSet): Board {
    const board = new Board();
    board.build(state, rows);
    return board;
  }

  /** Takes up what happened since the last time. */
  refresh(state: QueueState, rows: RowSet): void {
    const { touched } = state;
    const edited = this.findEdited(state, rows);
    if (edited === null || touched === 'all') {
      this.build(state, rows);
    } else {
      if (this.rows !== rows) this.take(rows);
      for (const id of touched) edited.add(id);
      for (const id of edited) {
        if (this.replace(id, state, rows)) continue;
        this.build(state, rows);
        break;
      }
    }
    if (touched === 'all') state.touched = new Set();
    else touched.clear();
  }

  /** What the domain's rules look at. The list of tasks is the board's own: it changes with the next step. */
  world(surroundings: Surroundings): World {
    return { ...surroundings, queue: this.viewWith(this.tasks), byId: this.byId };
  }

  /** The next task by the queue's order, or null when none is ready. */
  choose(world: World, choice: Choice): TaskView | null {
    return this.lineup.choose(world, choice);
  }

  /** Why nothing can be chosen, and when to ask again. */
  lookAhead(world: World, choice: Choice): Outlook {
    return this.outlooks.recall(world, choice, this.requireState().revision);
  }

  /** The queue at this moment, for whoever keeps it: later steps do not change it. */
  view(): QueueView {
    this.given ??= [...this.tasks];
    return this.viewWith(this.given);
  }

  /** First line of each task's row. */
  lines(): ReadonlyMap<TaskId, number> {
    this.givenLines ??= new Map((this.rows?.rows ?? []).map((row) => [row.definition.id, row.line]));
    return this.givenLines;
  }

  private viewWith(tasks: readonly TaskView[]): QueueView {
    const { claims, holds, streak, turns, starts, costs } = this.requireState();
    return {
      tasks,
      invalidIds: this.rows?.invalidIds ?? new Set(),
      claims: [...claims.values()],
      holds,
      held: whyHeld(holds),
      streak,
      turns,
      starts,
      costs,
    };
  }

  private requireState(): QueueState {
    if (this.state === null) throw new Error('The board was asked before it was given a state.');
    return this.state;
  }

  /** Which rows say something else than before; null where they stand elsewhere, or belong to others. */
  private findEdited(state: QueueState, { rows }: RowSet): Set<TaskId> | null {
    const before = this.rows?.rows;
    if (this.state !== state || before?.length !== rows.length) return null;
    const edited = new Set<TaskId>();
    if (before === rows) return edited;
    for (const [index, { definition }] of rows.entries()) {
      const old = before[index]?.definition;
      if (old === definition) continue;
      if (old === undefined || !isSamePlace(old, definition)) return null;
      edited.add(definition.id);
    }
    return edited;
  }

  /** Makes everything anew but what is the same. */
  private build(state: QueueState, rows: RowSet): void {
    const before = this.byId;
    // What was not touched is as it was, whatever became of its row.
    const touched = this.state === state ? state.touched : 'all';
    if (this.rows !== rows) this.take(rows);
    [this.state, this.given] = [state, null];
    this.tasks = [];
    this.byId = new Map();
    this.placeOf = new Map();
    let order = 0;
    for (const { definition } of rows.rows) {
      const { id } = definition;
      const old = before.get(id);
      const known = touched !== 'all' && !touched.has(id) ? old : undefined;
      const task = viewOf(known ?? fromState(state, id), { definition, order }, old);
      order += 1;
      if (task === null) continue;
      this.placeOf.set(id, this.tasks.push(task) - 1);
      this.byId.set(id, task);
    }
    this.lineup = new Lineup(this.tasks);
    this.outlooks.forget();
  }

  /** Rows may change without an event: what was remembered of them is forgotten. */
  private take(rows: RowSet): void {
    this.rows = rows;
    this.givenLines = null;
    this.outlooks.forget();
  }

  /** Brings one task up to date; false where that is not enough: one came, or is gone. */
  private replace(id: TaskId, state: QueueState, { rows }: RowSet): boolean {
    const before = this.byId.get(id);
    const place = this.placeOf.get(id);
    // What is not among the rows that are understood has no place here, whatever becomes of it.
    if (before === undefined || place === undefined) return !this.isRow(id);
    const { order } = before;
    const definition = rows[order]?.definition ?? before.definition;
    const after = viewOf(fromState(state, id), { definition, order }, before);
    if (after === null) return false;
    if (after === before) return true;
    this.tasks[place] = after;
    this.byId.set(id, after);
    this.lineup.changed(place, before);
    this.given = null;
    return true;
  }

  private isRow(id: TaskId): boolean {
    return this.lines().has(id);
  }
}

type Known = Pick<TaskView, 'state' | 'claim'>;

/** What is known of the row with this id; null where it was never seen. */
function fromState(state: QueueState, id: TaskId): Known | null {
  const task = currentTask(state, id);
  if (task === undefined) return null;
  const claim = state.claims.get(id);
  return claim === undefined ? { state: task } : { state: task, claim };
}

/** A row with all that is known of it: the view from before where that is still so. */
function viewOf(
  known: Known | null,
  { definition, order }: Pick<TaskView, 'definition' | 'order'>,
  before: TaskView | undefined,
): TaskView | null {
  if (known === null) return null;
  const { state, claim } = known;
  const isSame =
    before?.definition === definition &&
    before.order === order &&
    before.state === state &&
    before.claim === claim;
  if (isSame) return before;
  return { definition, state, order, ...(claim === undefined ? {} : { claim }) };
}

/** Whether an edit leaves a task where it stands: with its tenant, behind what it depended on. */
function isSamePlace(before: Definition, after: Definition): boolean {
  const { dependencies } = after;
  return (
    before.id === after.id &&
    before.user === after.user &&
    before.dependencies.length === dependencies.length &&
    before.dependencies.every((id, index) => id === dependencies[index])
  );
}
