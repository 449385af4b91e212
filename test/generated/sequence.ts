import { rowNumberOf } from '../../src/domain/problem';
import assert from 'node:assert/strict';
import { decide } from '../../src/domain/task/decide';
import { OPEN_GATE, type GateView } from '../../src/domain/gate/gate';
import { readSettings, type Settings } from '../../src/domain/settings/settings';
import { livenessOn } from '../../src/queue/model/liveness';
import { ModelQueue } from '../../src/queue/model/modelQueue';
import type {
  Claimed,
  Idle,
  RecoverRules,
  Snapshot,
  TaskQueue,
  ClaimRequest,
} from '../../src/queue/taskQueue';
import { attemptOf, MINUTE, UNKNOWN, verdictOf } from '../conformance/harness';
import {
  answerOf,
  callOf,
  isClaimed,
  runOf,
  requestOf,
  type Call,
  type SharedMove,
} from '../conformance/scenarios/sharedCalls';
import { TestClock, TestMachine } from '../conformance/systemUnderTest';
import type { Asked, Move, Turn } from './calls';
import { editByHand, touchesSharedCells } from './handEdits';
import { checkNext, nextByRule } from '../support/queue/nextByRule';
import { PlainStore } from './plainStore';
import { QueueOnDisk, ROWS } from './queueOnDisk';
import { parseSheet } from './sheet';
import { StepCheck } from './stepCheck';

type Of<K extends Move['kind']> = Extract<Move, { readonly kind: K }>;

/** Request of a worker that takes any task. */
const PLAIN: Asked = {
  pid: 1,
  id: null,
  byHand: false,
  priorities: null,
  tags: null,
  users: null,
  stealFrom: null,
  closed: 'nothing',
  trusted: true,
};

/** Settings that an owner may have written. */
export type Rules = Readonly<Record<string, unknown>>;

/** The same queue twice, on the disk and in the plainest model: after every move both must answer and look alike. */
export class Sequence {
  private readonly clock = new TestClock();
  private readonly machine = new TestMachine();
  private readonly disk = new QueueOnDisk(this.clock, this.machine);
  private readonly plain: PlainStore;
  private readonly model: TaskQueue;
  private readonly check: StepCheck;
  private readonly claims: Claimed[] = [];
  /** Earlier texts that the owner saved, newest first. */
  private readonly saved: string[] = [];
  private last: Call | null = null;
  private turns = 0;

  private constructor(private readonly settings: Settings) {
    this.check = new StepCheck(settings.maxRunning);
    this.plain = new PlainStore(this.clock, ROWS, this.disk.bytes());
    this.model = new ModelQueue(this.plain, livenessOn(this.machine));
  }

  static async open(rules: Rules): Promise<Sequence> {
    const { settings, problems } = readSettings([{ source: 'the test', scope: 'queue', values: rules }], {});
    assert.deepEqual(problems, []);
    const sequence = new Sequence({ ...settings, callbackUrl: 'https://queue.test/' });
    await sequence.disk.open();
    await sequence.takeUp();
    sequence.check.after(await sequence.model.read(), await sequence.model.attempts({}), 'open');
    return sequence;
  }

  async play({ move, through }: Turn): Promise<void> {
    this.turns += 1;
    this.clock.advance(1_000);
    this.disk.turnTo(through);
    await this.make(move);
    await this.compare(move);
  }

  /** Writes everything that is still to be written, and checks the file and the logs against the model. */
  async settle(): Promise<void> {
    await this.disk.settle();
    const snapshot = await this.model.read();
    this.disk.checkFile(this.plain.text, snapshot);
    this.disk.checkLogs(this.plain.logs);
  }

  async close(): Promise<void> {
    await this.disk.close();
  }

  private get rules(): RecoverRules {
    return { settings: this.settings, timeZone: ROWS.timeZone, random: 0.25 };
  }

  private get op(): string {
    return `op-${String(this.turns)}`;
  }

  private async make(move: Move): Promise<void> {
    switch (move.kind) {
      case 'hand':
        return this.editByHand(move);
      case 'time':
        this.clock.advance(move.minutes * MINUTE);
        return;
      case 'kill':
        this.machine.kill(move.pid);
        for (const { claim } of this.claims)
          if (isOf(claim.owner, move.pid)) this.machine.kill(runOf(claim.token).pid);
        return;
      case 'crash':
        return this.disk.crash();
      case 'open':
        await this.disk.open();
        return;
      case 'settle':
        return this.settle();
      case 'repeat':
        if (this.last !== null) await this.both(this.last);
        return;
      case 'reset':
        return this.reset();
      case 'finish':
        return this.finish(move);
      case 'claim':
        await this.claim(move.asked);
        return;
      case 'work':
        return this.work(move);
      default:
        await this.both(this.callOf(move));
    }
  }

  private callOf(move: SharedMove | Of<'add' | 'remove'>): Call {
    const { op, rules } = this;
    if (move.kind === 'add') {
      const rows = move.rows.map(({ cells, after }) => ({
        fields: { prompt: 'Added', working_dir: '/place/added', ...cells },
        after,
      }));
      return (queue) => queue.addAll(rows, op);
    }
    // Their lines differ: the disk's have the shared cells of the last checkpoint.
    if (move.kind === 'remove')
      return async (queue) =>
        (await queue.remove(move.ids, op)).map(({ id, above, below }) => [id, above, below]);
    return callOf(move, { op, now: this.clock.now(), rules, pick: (which) => this.pick(which) });
  }

  /** A claim that was given: mostly one that still holds. */
  private pick(which: number): Claimed | undefined {
    const holding = this.claims.filter(({ claim }) => this.check.holds(claim));
    const among = which === 0 || holding.length === 0 ? this.claims : holding;
    return among[which % Math.max(among.length, 1)];
  }

  private async work({ outcome, reason }: Of<'work'>): Promise<void> {
    const answer = await this.claim(PLAIN);
    if (answer?.kind === 'claimed') await this.end(answer, { outcome, reason, next: null });
  }

  /** Undefined where it was refused, as it is while nothing is ready and a part of the file cannot be read. */
  private async claim(asked: Asked): Promise<Claimed | Idle | undefined> {
    const request = this.requestOf(asked);
    const { op } = this;
    const before = await this.model.read();
    const next = nextByRule(before, request, this.clock.now());
    const answer = (await this.both((queue) => queue.claim(request, op))) as Claimed | Idle | undefined;
    if (answer === undefined) assert.equal(next, null);
    else checkNext(answer, next);
    return answer;
  }

  private requestOf(asked: Asked): ClaimRequest {
    return requestOf(asked, {
      since: this.clock.now(),
      gate: this.gateOf(asked.closed),
      approvedRows: { trusted: asked.trusted, approvals: new Set() },
      settings: this.settings,
      timeZone: ROWS.timeZone,
      freshSession: `session-${String(this.turns)}`,
    });
  }

  private gateOf(closed: Asked['closed']): GateView {
    if (closed === 'nothing') return OPEN_GATE;
    const now = this.clock.now();
    if (closed === 'half' || closed === 'most') {
      const week = {
        window: 'seven_day',
        utilization: 0.5,
        resetAt: now + 1440 * MINUTE,
        asOf: now,
      } as const;
      const utilization = closed === 'half' ? 0.5 : 0.9;
      const five = { ...week, window: 'five_hour', utilization, resetAt: now + 40 * MINUTE } as const;
      return { closures: [], usage: [five, week] };
    }
    const rest = { since: now, until: now + 90 * MINUTE, message: '' };
    return {
      closures: [
        closed === 'opus'
          ? { kind: 'seven_day_opus', model: 'opus', ...rest }
          : { kind: 'five_hour', ...rest },
      ],
      usage: [],
    };
  }

  private async finish(move: Of<'finish'>): Promise<void> {
    const claimed = this.pick(move.which);
    if (claimed !== undefined) await this.end(claimed, move);
  }

  private async end(
    claimed: Claimed,
    { outcome, reason, next }: Omit<Of<'finish'>, 'kind' | 'which'>,
  ): Promise<void> {
    const op = `${this.op}-end`;
    const { claim, definition } = claimed;
    const { tasks } = await this.model.read();
    const state = tasks.find((task) => task.state.id === claim.id)?.state ?? UNKNOWN;
    const verdict = verdictOf(outcome, { reason });
    const change = decide(definition, state, verdict, { ...this.rules, now: this.clock.now() });
    const attempt = attemptOf(claimed, change, this.clock.now(), verdict);
    const request = next === null ? undefined : this.requestOf(next);
    await this.both((queue) => queue.finish(claim, { change, attempt, definition }, op, request));
  }

  private async editByHand({ edit, how }: Of<'hand'>): Promise<void> {
    if (touchesSharedCells(edit)) await this.disk.settle();
    const base = this.disk.bytes();
    const text = editByHand(parseSheet(base.toString()), edit, this.saved);
    if (text === null) return;
    this.saved.unshift(text);
    this.disk.save(text, how);
    this.plain.save(Buffer.from(text), base);
    await this.takeUp();
  }

  /** Takes up a change, as a worker does whose watch reports it. */
  private async takeUp(): Promise<void> {
    const op = `${this.op}-seen`;
    await this.both((queue) => queue.approve([], op));
    this.last = null;
  }

  private async reset(): Promise<void> {
    const answer = await this.both(async (queue) => typeof (await queue.reset()));
    if (answer === 'string') this.check.forgetHistory();
    await this.takeUp();
  }

  private async both(call: Call): Promise<unknown> {
    const answer = await answerOf(call(this.model));
    assert.deepEqual(await answerOf(call(this.disk.queue)), answer);
    this.last = call;
    if (isClaimed(answer.value)) this.claims.unshift(answer.value);
    return answer.value;
  }

  private async compare(move: Move): Promise<void> {
    const [model, file] = [await this.model.read(), await this.disk.queue.read()];
    assert.deepEqual(lookOf(file), lookOf(model), `after ${JSON.stringify(move)}`);
    const attempts = await this.model.attempts({});
    assert.deepEqual(await this.disk.queue.attempts({}), attempts);
    this.check.after(model, attempts, move.kind);
  }
}

/** Everything that a caller can see, but for the revision, which is a store's own. */
function lookOf({ revision: _own, problems, places, ...rest }: Snapshot): unknown {
  return {
    ...rest,
    places: [...places],
    problems: problems.map(({ where, ...problem }) => ({ ...problem, line: rowNumberOf(where) })),
  };
}

function isOf(owner: Claimed['claim']['owner'], pid: number): boolean {
  return owner.kind === 'process' && owner.process.pid === pid;
}
