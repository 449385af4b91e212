import assert from 'node:assert/strict';
import type { Attempt, Outcome, Verdict } from '../../src/domain/task/attempt';
import { decide, type Change } from '../../src/domain/task/decide';
import { explain } from '../../src/domain/reasons/explain';
import { createWorld } from '../../src/domain/reasons/world';
import { showReason, type ShownReason } from '../../src/app/present/reasons/reason';
import type { ApprovalSet } from '../../src/domain/task/approval';
import { OPEN_GATE, type LimitSignal } from '../../src/domain/gate/gate';
import { parseRepeatInterval, type RepeatInterval } from '../../src/domain/time/schedule';
import { defaults, readSettings, type Settings } from '../../src/domain/settings/settings';
import type { Definition, SharedCells, TaskId } from '../../src/domain/task/task';
import type { Owner, ProcessOwner, TaskState, TaskView } from '../../src/domain/queue/view';
import { newTask } from '../../src/queue/model/state/taskChanges';
import type { Claimed, Idle, TaskQueue, ClaimRequest } from '../../src/queue/taskQueue';
import { TestClock, TestMachine, type OpenSystemUnderTest, type SystemUnderTest } from './systemUnderTest';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const TIME_ZONE = 'UTC';

/** Details of an attempt's end. */
export interface Ending {
  readonly reason?: string;
  readonly signal?: LimitSignal;
  readonly closedSince?: number;
  readonly contextTokens?: number;
  /** Number of files that it changed. */
  readonly files?: number;
  /** Hash of the files after it. */
  readonly tree?: string;
}

/** A queue on a test's own machine and clock, with the moves that scenarios are made of. */
export class Harness {
  readonly clock = new TestClock();
  readonly machine = new TestMachine();
  approvedRows: ApprovalSet = { trusted: true, approvals: new Set() };
  settings: Settings = defaults;
  private ops = 0;
  private current: SystemUnderTest | null = null;

  async open(open: OpenSystemUnderTest): Promise<void> {
    this.current = await open(this.clock, this.machine);
  }

  get subject(): SystemUnderTest {
    assert.ok(this.current !== null);
    return this.current;
  }

  get queue(): TaskQueue {
    return this.subject.queue;
  }

  get now(): number {
    return this.clock.now();
  }

  op(): string {
    this.ops += 1;
    return `op-${String(this.ops)}`;
  }

  /** The owner writes a row; each has a directory of its own if nothing else is said. */
  async put(id: TaskId, fields: Partial<Definition> = {}, touched: Partial<SharedCells> = {}): Promise<void> {
    await this.subject.put(define(id, fields), touched);
  }

  request(more: Partial<ClaimRequest> & { readonly pid?: number } = {}): ClaimRequest {
    const { pid = 1, ...rest } = more;
    return {
      owner: workerOf(pid),
      since: this.now,
      gate: OPEN_GATE,
      approvedRows: this.approvedRows,
      settings: this.settings,
      timeZone: TIME_ZONE,
      freshSession: `session-${String(this.ops + 1)}`,
      ...rest,
    };
  }

  ask(more: Parameters<Harness['request']>[0] = {}): Promise<Claimed | Idle> {
    return this.queue.claim(this.request(more), this.op());
  }

  /** Claims, and expects to get something. */
  async claim(more: Parameters<Harness['request']>[0] = {}): Promise<Claimed> {
    const answer = await this.ask(more);
    assert.equal(answer.kind, 'claimed', answer.kind === 'idle' ? answer.why.state : '');
    return answer;
  }

  /** Asks, and expects to get nothing. */
  async idle(more: Parameters<Harness['request']>[0] = {}): Promise<Idle & { readonly why: ShownReason }> {
    const answer = await this.ask(more);
    assert.equal(answer.kind, 'idle', answer.kind === 'claimed' ? `claimed ${String(answer.claim.id)}` : '');
    return { ...answer, why: showReason(answer.why, { now: this.now, timeZone: TIME_ZONE }) };
  }

  /** The ids in which tasks are given out, each finished with success. */
  async drain(more: Parameters<Harness['request']>[0] = {}): Promise<TaskId[]> {
    const ids: TaskId[] = [];
    for (let answer = await this.ask(more); answer.kind === 'claimed'; answer = await this.ask(more)) {
      ids.push(answer.claim.id);
      await this.finish(answer, 'success');
    }
    return ids;
  }

  /** Returns the end of this attempt, decided by the same rules as in a worker. */
  async endOf(
    claimed: Claimed,
    outcome: Outcome,
    ending: Ending = {},
  ): Promise<{ change: Change; attempt: Attempt }> {
    const { claim, definition } = claimed;
    const verdict = verdictOf(outcome, ending);
    const state = (await this.task(claim.id))?.state ?? UNKNOWN;
    const circumstances = { now: this.now, random: 0.5, settings: this.settings, timeZone: TIME_ZONE };
    const change = decide(definition, state, verdict, circumstances);
    const attempt = attemptOf(claimed, change, this.now, verdict);
    if (ending.closedSince === undefined) return { change, attempt };
    return { change, attempt: { ...attempt, closedSince: ending.closedSince } };
  }

  async finish(claimed: Claimed, outcome: Outcome, ending: Ending = {}, op = this.op()): Promise<Change> {
    const end = await this.endOf(claimed, outcome, ending);
    await this.queue.finish(claimed.claim, { ...end, definition: claimed.definition }, op);
    return end.change;
  }

  /** Claims the next and ends it. */
  async run(
    outcome: Outcome,
    ending: Ending = {},
    more: Parameters<Harness['request']>[0] = {},
  ): Promise<Claimed> {
    const claimed = await this.claim(more);
    await this.finish(claimed, outcome, ending);
    return claimed;
  }

  recover(op = this.op()): ReturnType<TaskQueue['recover']> {
    return this.queue.recover({ settings: this.settings, timeZone: TIME_ZONE, random: 0.5 }, op);
  }

  async task(id: TaskId): Promise<TaskView | undefined> {
    return (await this.queue.read()).tasks.find(({ definition }) => definition.id === id);
  }

  async state(id: TaskId): Promise<TaskState> {
    const task = await this.task(id);
    assert.ok(task !== undefined, `task ${String(id)} is not there`);
    return task.state;
  }

  /** Returns the reason why a task is not running now. */
  async why(id: TaskId, more: Partial<Pick<ClaimRequest, 'gate'>> = {}): Promise<ShownReason> {
    const { gate = OPEN_GATE } = more;
    const { approvedRows, settings, now } = this;
    const queue = await this.queue.read();
    const world = createWorld({ queue, gate, approvedRows, settings, now, timeZone: TIME_ZONE });
    const task = world.byId.get(id);
    assert.ok(task !== undefined, `task ${String(id)} is not there`);
    return showReason(explain(task, world), world);
  }
}

export function workerOf(pid: number, machine = 'here'): ProcessOwner {
  return {
    kind: 'process',
    worker: `w${String(pid)}`,
    machine,
    process: { pid, startedAt: `start-${String(pid)}` },
  };
}

export const PERSON: Owner = { kind: 'person', machine: 'here' };

export function define(id: TaskId, fields: Partial<Definition> = {}): Definition {
  return {
    id,
    priority: 'medium',
    workingDir: `/place/${String(id)}`,
    prompt: `Do ${String(id)}`,
    dependencies: [],
    maxRetries: 3,
    ...fields,
  };
}

/** A repeat as its owner writes it. */
export function repeat(text: string): RepeatInterval {
  const interval = parseRepeatInterval(text);
  assert.ok(interval !== null);
  return interval;
}

/** Message of an attempt that ended with this reason. */
export function messageOf(reason: string): string {
  return `It ended with ${reason}.`;
}

export function verdictOf(
  outcome: Outcome,
  { reason, signal, contextTokens, files, tree }: Ending,
): Pick<Verdict, 'outcome' | 'reason' | 'message' | 'signal' | 'contextTokens' | 'diff' | 'tree'> {
  const words = reason ?? outcome;
  return {
    outcome,
    reason: words,
    message: messageOf(words),
    ...(signal === undefined ? {} : { signal }),
    ...(contextTokens === undefined ? {} : { contextTokens }),
    ...(files === undefined ? {} : { diff: { files, insertions: files, deletions: 0 } }),
    ...(tree === undefined ? {} : { tree }),
  };
}

/** The record of an attempt that ended with `change`. */
export function attemptOf(
  { claim }: Claimed,
  change: Change,
  endedAt: number,
  verdict: ReturnType<typeof verdictOf>,
): Attempt {
  return {
    id: claim.id,
    number: claim.attempt,
    power: claim.power,
    session: claim.session,
    startedAt: claim.at,
    endedAt,
    outcome: verdict.outcome,
    reason: verdict.reason,
    message: verdict.message,
    code: change.code,
    ...(verdict.diff === undefined ? {} : { diff: verdict.diff }),
    ...(verdict.tree === undefined ? {} : { tree: verdict.tree }),
  };
}

/** For a row that was deleted while it ran. */
export const UNKNOWN: TaskState = newTask({ id: 0, power: '' }, 0);

/** A queue that nothing holds, and in which nothing failed or was claimed yet. */
export const NO_HOLDS = {
  holds: [],
  pauses: [],
  streak: null,
  turns: new Map<string, number>(),
} as const;

/** Returns the settings of a queue in which only these differ from the default. */
export function settingsWith(values: Readonly<Record<string, unknown>>): Settings {
  const { settings, problems } = readSettings([{ source: 'the test', scope: 'queue', values }], {});
  assert.deepEqual(problems, []);
  return settings;
}
