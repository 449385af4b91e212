import { defaults, type Settings } from '../../../domain/settings/settings';
import { approvable, approvalOf, type ApprovalSet } from '../../../domain/task/approval';
import type { AskerFacts, DecidingSettings, RowFacts } from '../../../domain/reasons/recordedInputs';
import type { World } from '../../../domain/reasons/world';
import type { Owner } from '../../../domain/queue/view';
import type { EpochMs } from '../../../domain/time/epoch';
import type { TaskId } from '../../../domain/task/task';
import type { QueueEvent } from '../events';
import type { Row, RowSet } from '../rows';
import { applyPast } from '../state/apply';
import { factsOf, nameAsker } from '../state/inputsState';
import { emptyState, type QueueState } from '../state/queueState';
import { Step } from '../step';
import type { IndexedWorld } from '../taskIndex';

/**
 * Part of a queue's past: the state at its start, and the events since then. The state belongs to the reader. It is whole
 * once the first event, or the end, was asked for: events are read one by one.
 */
export interface PastPart {
  /** Null: it continues the part before. */
  readonly state: QueueState | null;
  readonly events: Iterable<QueueEvent>;
}

/** Parts of a queue's past, oldest first. The first one starts at or before the time that was asked for, if any does. */
export type Past = AsyncGenerator<PastPart, void>;

/** Fingerprint of a row whose task no history has seen. */
const UNSEEN = '';

/** Fingerprint in the approval of a row that was changed since: which one it had is not recorded. */
const EARLIER = 'earlier';

/** A row with what it was made of. */
interface Made {
  readonly facts: RowFacts;
  readonly row: Row;
}

/** No setting differs from the recorded ones. */
const AS_RECORDED: Partial<DecidingSettings> = {};

/** All settings, and the recorded ones that they complete. */
interface CompletedSettings {
  readonly of: DecidingSettings;
  readonly all: Settings;
}

/** Recorded changes of the facts about an asker. */
type Asker = NonNullable<Extract<QueueEvent, { kind: 'inputs' }>['asker']>;

/** A queue whose events are applied again, with the rows and the other inputs that they describe. */
export class PastQueue {
  private rows: RowSet | null = null;
  private readonly made = new Map<TaskId, Made>();
  private approved: { readonly of: AskerFacts; readonly in: RowSet; readonly set: ApprovalSet } | null = null;
  /** Rows by machine that an asker there might run, and later might not: somebody changed them. */
  private readonly changed = new Map<string, Set<TaskId>>();
  private readonly settings = new WeakMap<Partial<DecidingSettings>, CompletedSettings>();

  constructor(readonly state: QueueState) {}

  apply(event: QueueEvent): void {
    if (event.kind === 'inputs' && event.asker !== undefined) this.noteChanged(event.asker);
    applyPast(this.state, event);
    // Rows have the fingerprints of their tasks.
    if (event.kind === 'inputs' || event.kind === 'seen' || event.kind === 'gone') this.rows = null;
  }

  /** Returns the recorded rows. */
  rowSet(): RowSet {
    this.rows ??= this.makeRows();
    return this.rows;
  }

  /**
   * Returns what the rules look at besides the queue, for an asker, or else for the last worker; null: it was not
   * recorded. `changed` are settings in place of the recorded ones.
   */
  around(
    owner?: Owner,
    changed: Partial<DecidingSettings> = AS_RECORDED,
  ): Omit<World, 'queue' | 'byId' | 'now'> | null {
    const { inputs } = this.state;
    if (inputs === null) return null;
    const facts = owner === undefined ? inputs.worker : factsOf(this.state, nameAsker(owner));
    if (facts === undefined) return null;
    return {
      gate: facts.gate,
      settings: this.settingsWith(facts.settings ?? inputs.settings, changed),
      timeZone: facts.timeZone ?? inputs.timeZone,
      machine: facts.machine,
      approvedRows: this.approvals(facts),
    };
  }

  /** Returns the world of a decision at a time, until the next one is made; null: its inputs were not recorded. */
  world(now: EpochMs, owner: Owner, changed?: Partial<DecidingSettings>): IndexedWorld | null {
    const around = this.around(owner, changed);
    return around === null ? null : new Step(this.state, this.rowSet(), now).world(around);
  }

  private noteChanged({ worker, machine, unapproved }: Asker): void {
    const before = factsOf(this.state, worker);
    if (unapproved === undefined || before.machine !== machine || before.trusted) return;
    const changed = this.changed.get(machine) ?? new Set();
    const known = new Set(before.unapproved);
    for (const id of unapproved.add) if (!known.has(id) && this.state.rowFacts.has(id)) changed.add(id);
    this.changed.set(machine, changed);
  }

  private makeRows(): RowSet {
    const { rowOrder, inputs } = this.state;
    const rows = rowOrder.flatMap((id) => this.makeRow(id) ?? []);
    const invalidIds = new Set(inputs?.invalid);
    return { rows, problems: [], invalidIds, highestId: 0, whole: true, columns: [] };
  }

  private makeRow(id: TaskId): Row | undefined {
    const facts = this.state.rowFacts.get(id);
    if (facts === undefined) return undefined;
    const power = facts.unseen === true ? UNSEEN : (this.state.powers.get(id) ?? UNSEEN);
    const known = this.made.get(id);
    if (known?.facts === facts && known.row.power === power) return known.row;
    const { unseen: _, ...definition } = facts;
    const where = { kind: 'file', line: 1, column: 1 } as const;
    const row: Row = { definition: { ...definition, prompt: '' }, power, where };
    this.made.set(id, { facts, row });
    return row;
  }

  /** Returns all settings: those that decide as recorded or changed, the others as they are by default. */
  private settingsWith(recorded: DecidingSettings, changed: Partial<DecidingSettings>): Settings {
    const known = this.settings.get(changed);
    if (known?.of === recorded) return known.all;
    const all = { ...defaults, ...recorded, ...changed };
    this.settings.set(changed, { of: recorded, all });
    return all;
  }

  private approvals(facts: AskerFacts): ApprovalSet {
    const rows = this.rowSet();
    if (this.approved?.of === facts && this.approved.in === rows) return this.approved.set;
    const unapproved = new Set(facts.unapproved);
    const approvals = new Set<string>();
    if (!facts.trusted)
      for (const { definition, power } of rows.rows)
        if (!unapproved.has(definition.id)) approvals.add(approvalOf(approvable(definition, power)));
    for (const id of this.changed.get(facts.machine) ?? []) approvals.add(approvalOf({ id, power: EARLIER }));
    const set = { trusted: facts.trusted, approvals };
    this.approved = { of: facts, in: rows, set };
    return set;
  }
}

/** Applies the events of a past, each after `visit` has seen it. Ends early once that returns true. */
export async function walkPast(
  past: Past,
  visit: (event: QueueEvent, queue: PastQueue) => boolean,
): Promise<PastQueue | null> {
  let queue: PastQueue | null = null;
  for await (const { state, events } of past) {
    if (queue === null || state !== null) queue = new PastQueue(state ?? emptyState());
    for (const event of events) {
      if (visit(event, queue)) return queue;
      queue.apply(event);
    }
  }
  return queue;
}
