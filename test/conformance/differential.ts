import assert from 'node:assert/strict';
import { decide } from '../../src/domain/task/decide';
import { NEEDS_ANSWER } from '../../src/domain/task/reviewReasons';
import type { Definition, SharedCells, TaskId } from '../../src/domain/task/task';
import type { Claimed, TaskQueue, ClaimRequest } from '../../src/queue/taskQueue';
import { OPEN_GATE } from '../../src/domain/gate/gate';
import { defaults } from '../../src/domain/settings/settings';
import { attemptOf, define, repeat, UNKNOWN, verdictOf } from './harness';
import { openMemory } from './memorySystemUnderTest';
import type { Move } from './scenarios/moves';
import {
  answerOf,
  callOf,
  isClaimed,
  runOf,
  requestOf,
  type Call,
  type SharedMove,
} from './scenarios/sharedCalls';
import { TestClock, TestMachine, type OpenSystemUnderTest, type SystemUnderTest } from './systemUnderTest';

type Of<K extends Move['kind']> = Extract<Move, { readonly kind: K }>;

const MINUTE = 60_000;

/** A settings value of 2 makes both the crowded queue and the full place happen often. */
const SETTINGS = { ...defaults, maxRunning: 2, maxPerHour: 8, callbackUrl: 'https://queue.test/' };
const RULES = { settings: SETTINGS, timeZone: 'UTC', random: 0.25 };

/** The same queue twice, in memory and in a store: after every move both must answer alike and look alike. */
export class Differential {
  private readonly claims: Claimed[] = [];
  private last: Call | null = null;
  private moves = 0;

  private constructor(
    private readonly clock: TestClock,
    private readonly machine: TestMachine,
    private readonly model: SystemUnderTest,
    private readonly store: SystemUnderTest,
    private storeQueue: TaskQueue,
  ) {}

  static async open(open: OpenSystemUnderTest): Promise<Differential> {
    const clock = new TestClock();
    const machine = new TestMachine();
    const store = await open(clock, machine);
    return new Differential(clock, machine, await openMemory(clock, machine), store, store.queue);
  }

  async close(): Promise<void> {
    await this.store.close();
  }

  async play(move: Move): Promise<void> {
    this.moves += 1;
    this.clock.advance(1_000);
    await this.make(move);
    await this.compare(move);
  }

  private async make(move: Move): Promise<void> {
    switch (move.kind) {
      case 'put':
        return this.put(move);
      case 'remove':
        return this.remove(move.id);
      case 'advance':
        this.clock.advance(move.minutes * MINUTE);
        return;
      case 'kill':
        this.machine.kill(move.pid);
        this.machine.kill(runOf(move.pid).pid);
        return;
      case 'reopen':
        await this.storeQueue.close();
        this.storeQueue = await this.store.another();
        return;
      case 'repeat':
        if (this.last !== null) await this.both(this.last);
        return;
      case 'reset':
        return this.reset();
      case 'finish':
        return this.finish(move);
      default:
        await this.both(this.callOf(move));
    }
  }

  private callOf(move: SharedMove | Of<'add' | 'claim'>): Call {
    const op = `op-${String(this.moves)}`;
    switch (move.kind) {
      case 'add':
        return (queue) =>
          queue.add({ fields: { prompt: `Added ${String(move.prompt)}`, working_dir: '/w' } }, op);
      case 'claim': {
        const request = this.requestOf(move);
        return (queue) => queue.claim(request, op);
      }
      default:
        return callOf(move, {
          op,
          now: this.clock.now(),
          rules: RULES,
          pick: (which) => this.pick(which),
        });
    }
  }

  private pick(which: number): Claimed | undefined {
    return this.claims[which % Math.max(this.claims.length, 1)];
  }

  private requestOf(move: Of<'claim'>): ClaimRequest {
    return requestOf(move, {
      since: this.clock.now(),
      gate: OPEN_GATE,
      approvedRows: { trusted: this.moves % 3 > 0, approvals: new Set() },
      settings: SETTINGS,
      timeZone: 'UTC',
      freshSession: `session-${String(this.moves)}`,
    });
  }

  private async put(move: Of<'put'>): Promise<void> {
    const { tasks, invalidIds } = await this.model.queue.read();
    const there = new Set(tasks.map(({ definition }) => definition.id));
    // A row with a problem is only fixed: what else was done to it meanwhile, a file takes up later than the model.
    const isInvalid = invalidIds.has(move.id);
    const dependencies = isInvalid ? [] : move.dependsOn.filter((id) => id < move.id && there.has(id));
    const definition = define(move.id, { ...definitionOf(move), dependencies });
    const touched = await this.store.put(definition, isInvalid ? {} : this.touchedBy(move));
    await this.model.put(definition, touched);
  }

  /** The last row stays: a file that was emptied may only be away, and in Redis none is. */
  private async remove(id: TaskId): Promise<void> {
    const { tasks, invalidIds } = await this.model.queue.read();
    const others = [...tasks.map(({ definition }) => definition.id), ...invalidIds].filter(
      (one) => one !== id,
    );
    if (others.length === 0) return;
    await this.store.remove(id);
    await this.model.remove(id);
  }

  private touchedBy({ status, retryCount, scheduledInMinutes: minutes }: Of<'put'>): Partial<SharedCells> {
    const now = Math.floor(this.clock.now() / MINUTE) * MINUTE;
    return {
      ...(status === null ? {} : { status }),
      ...(retryCount === null ? {} : { retryCount }),
      ...(minutes === null ? {} : { scheduledAt: minutes === 0 ? null : now + minutes * MINUTE }),
    };
  }

  private async finish({ which, outcome, asks, continues }: Of<'finish'>): Promise<void> {
    const claimed = this.pick(which);
    if (claimed === undefined) return;
    const op = `op-${String(this.moves)}`;
    const verdict = verdictOf(outcome, asks ? { reason: NEEDS_ANSWER } : {});
    const state = (await this.stateOf(claimed.claim.id)) ?? UNKNOWN;
    const change = decide(claimed.definition, state, verdict, { ...RULES, now: this.clock.now() });
    const attempt = attemptOf(claimed, change, this.clock.now(), verdict);
    const end = { change, attempt, definition: claimed.definition };
    const next = continues ? this.requestOf(NEXT) : undefined;
    await this.both((queue) => queue.finish(claimed.claim, end, op, next));
  }

  private async stateOf(id: TaskId) {
    return (await this.model.queue.read()).tasks.find(({ definition }) => definition.id === id)?.state;
  }

  private async reset(): Promise<void> {
    const op = `op-${String(this.moves)}`;
    await this.both(async (queue) => typeof (await queue.reset()));
    await this.both((queue) => queue.approve([], `${op}-seen`));
    this.last = null;
  }

  private async both(call: Call): Promise<void> {
    const answer = await answerOf(call(this.model.queue));
    assert.deepEqual(await answerOf(call(this.storeQueue)), answer);
    this.last = call;
    if (isClaimed(answer.value)) this.claims.unshift(answer.value);
  }

  private async compare(move: Move): Promise<void> {
    const [model, store] = [await lookOf(this.model.queue), await lookOf(this.storeQueue)];
    assert.deepEqual(store, model, `after ${JSON.stringify(move)}`);
  }
}

/** Claim of a worker that continues. */
const NEXT: Of<'claim'> = {
  ...{ kind: 'claim', pid: 1, id: null, byHand: false },
  ...{ priorities: null, tags: null, users: null, stealFrom: null },
};

function definitionOf({ id, priority, prompt, user, repeats }: Of<'put'>): Partial<Definition> {
  return {
    priority,
    prompt: `Do ${String(prompt)}`,
    workingDir: `/place/${String(id % 3)}`,
    ...(user === '' ? {} : { user }),
    ...(user === 'ann' ? { callbackUrl: 'https://ann.test/', requestId: 'r-1' } : {}),
    ...(repeats ? { repeat: repeat('30m') } : {}),
  };
}

/** Everything that a caller can see, but for places, problems, columns and revisions, which are a store's own. */
async function lookOf(queue: TaskQueue): Promise<unknown> {
  const {
    revision: _revision,
    places: _places,
    problems: _problems,
    columns: _columns,
    ...rest
  } = await queue.read();
  return { ...rest, attempts: await queue.attempts({}) };
}
