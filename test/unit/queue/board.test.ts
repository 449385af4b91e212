import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { decide } from '../../../src/domain/decide';
import { createWorld } from '../../../src/domain/explain';
import { OPEN_GATE } from '../../../src/domain/limits';
import { choose, lookAhead } from '../../../src/domain/order';
import { PRIORITIES } from '../../../src/domain/priority';
import { defaults } from '../../../src/domain/settings';
import { STATUSES, type Definition, type TaskId } from '../../../src/domain/task';
import { Board } from '../../../src/queue/model/board';
import { checkRows, type RowSet } from '../../../src/queue/model/rows';
import { copyState, emptyState, type QueueState } from '../../../src/queue/model/state';
import { Step } from '../../../src/queue/model/steps';
import { attemptOf, define, repeat, verdictOf, workerOf } from '../../conformance/bench';

const MINUTE = 60_000;
const BEGIN = Date.parse('2026-03-02T10:00:00Z');

const id = fc.integer({ min: 1, max: 4 });

const move = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('put' as const),
      id,
      priority: fc.constantFrom(...PRIORITIES),
      user: fc.constantFrom('', 'ada'),
      dependencies: fc.oneof(
        { weight: 1, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: id.map((other) => [other]) },
      ),
      prompt: fc.constantFrom(0, 0, 0, 1),
      repeats: fc.boolean(),
      status: fc.oneof(
        { weight: 4, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: fc.constantFrom(...STATUSES) },
      ),
      scheduledIn: fc.constantFrom(null, null, null, null, 30),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('raise' as const), id }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), id }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('claim' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('finish' as const),
      which: fc.nat(3),
      outcome: fc.constantFrom('success' as const, 'success', 'error', 'limit', 'permanent', 'cancelled'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('retry' as const, 'cancel' as const), id }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('resume' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('replay' as const) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('time' as const), minutes: fc.nat(400) }) },
);
type Move = typeof move extends fc.Arbitrary<infer T> ? T : never;
type Of<K extends Move['kind']> = Extract<Move, { readonly kind: K }>;

/** Rows and a state as a store has them, and a board that is kept from step to step. */
class Desk {
  private readonly board = new Board();
  private state: QueueState = emptyState();
  private definitions: readonly Definition[] = [];
  private rows: RowSet = checkRows([], [], true);
  private now = BEGIN;

  make(next: Move): void {
    if (next.kind === 'put') this.put(next);
    else if (next.kind === 'raise') this.raise(next.id);
    else if (next.kind === 'remove') this.remove(next.id);
    else if (next.kind === 'claim') this.claim();
    else if (next.kind === 'finish') this.finish(next);
    else if (next.kind === 'time') this.now += next.minutes * MINUTE;
    else if (next.kind === 'resume') this.step().record({ kind: 'resumed' });
    else if (next.kind === 'replay') this.state = { ...copyState(this.state), touched: 'all' };
    else this.step().record({ kind: 'commanded', id: next.id, verb: next.kind });
  }

  /** The kept board and one that was made just now say the same. */
  check(): void {
    const board = this.step().board;
    const fresh = Board.over(this.state, this.rows);
    const surroundings = {
      gate: OPEN_GATE,
      proofs: { trusted: true, approvals: new Set<string>() },
      settings: { ...defaults, maxRunning: 3 },
      now: this.now,
      timeZone: 'UTC',
    };
    assert.deepEqual(board.view(), fresh.view());
    assert.deepEqual(board.lines(), fresh.lines());
    const kept = board.world(surroundings);
    const world = createWorld({ ...surroundings, queue: fresh.view() });
    assert.deepEqual(kept, world);
    assert.equal(board.choose(kept, {})?.definition.id, choose(world)?.definition.id);
    assert.deepEqual(board.lookAhead(kept, {}), lookAhead(world));
    // Once more: what is remembered is the same.
    assert.deepEqual(board.lookAhead(board.world(surroundings), {}), lookAhead(world));
  }

  private step(): Step {
    return new Step(this.state, this.rows, this.now, undefined, this.board);
  }

  private put({ kind: _kind, prompt, user, repeats, status, scheduledIn, ...fields }: Of<'put'>): void {
    const definition = define(fields.id, {
      ...fields,
      prompt: `Prompt ${String(prompt)}`,
      ...(user === '' ? {} : { user }),
      ...(repeats ? { repeat: repeat('2h') } : {}),
    });
    const index = this.definitions.findIndex((other) => other.id === fields.id);
    this.take(index < 0 ? [...this.definitions, definition] : this.definitions.with(index, definition));
    const touched = {
      ...(status === null ? {} : { status }),
      ...(scheduledIn === null ? {} : { scheduledAt: this.now + scheduledIn * MINUTE }),
    };
    // An edit of cells that are its owner's alone, and give no power, is told to nobody.
    const isKnown = this.state.powers.get(fields.id) === powerOf(prompt);
    if (isKnown && Object.keys(touched).length === 0) return;
    this.step().record({ kind: 'seen', rows: [{ id: fields.id, power: powerOf(prompt), ...touched }] });
  }

  private raise(raised: TaskId): void {
    this.take([
      ...this.definitions.filter((definition) => definition.id === raised),
      ...this.definitions.filter((definition) => definition.id !== raised),
    ]);
  }

  private remove(removed: TaskId): void {
    this.take(this.definitions.filter((definition) => definition.id !== removed));
    this.step().record({ kind: 'gone', ids: [removed] });
  }

  private take(definitions: readonly Definition[]): void {
    this.definitions = definitions;
    const rows = definitions.map((definition, line) => ({
      definition,
      power: powerOf(Number(definition.prompt.slice(-1))),
      line,
    }));
    this.rows = checkRows(rows, [], true);
  }

  private claim(): void {
    const task = this.step()
      .board.view()
      .tasks.find(({ claim, state }) => {
        return claim === undefined && state.status === 'pending';
      });
    if (task === undefined) return;
    const { token } = this.state;
    const { id: claimed, user } = task.definition;
    this.step().record({
      kind: 'claimed',
      claim: {
        id: claimed,
        power: task.state.power,
        token: token + 1,
        attempt: 1,
        owner: workerOf(1),
        at: this.now,
        session: 's',
        mark: 'm',
        ...(user === undefined ? {} : { user }),
      },
    });
  }

  private finish({ which, outcome }: Of<'finish'>): void {
    const claim = [...this.state.claims.values()][which];
    const definition = this.definitions.find((one) => one.id === claim?.id);
    const task = claim === undefined ? undefined : this.state.tasks.get(`${String(claim.id)}:${claim.power}`);
    if (claim === undefined || definition === undefined || task === undefined) return;
    const verdict = verdictOf(outcome, {});
    const rules = { now: this.now, random: 0.5, settings: defaults, timeZone: 'UTC' };
    const change = decide(definition, task, verdict, rules);
    const attempt = attemptOf({ kind: 'claimed', claim, definition }, change, this.now, verdict);
    this.step().record({ kind: 'finished', id: claim.id, token: claim.token, change, attempt });
  }
}

function powerOf(prompt: number): string {
  return `power-${String(prompt)}`;
}

function put(which: TaskId, fields: Partial<Of<'put'>> = {}): Of<'put'> {
  const usual = { priority: 'medium', user: '', dependencies: [], prompt: 0, repeats: false } as const;
  return { kind: 'put', ...usual, id: which, status: null, scheduledIn: null, ...fields };
}

/** What chance seldom plays: a row that depends on another one than before, and one that repeats only for a while. */
const EXAMPLES: Move[][][] = [
  [
    [put(1), put(2), put(3, { priority: 'critical', dependencies: [1] })],
    [put(3, { priority: 'critical', dependencies: [2] })],
    [put(2, { status: 'completed' })],
  ],
  [
    [put(1, { repeats: true }), put(2, { priority: 'critical', dependencies: [1] })],
    [{ kind: 'claim' }, { kind: 'finish', which: 0, outcome: 'success' }, put(1)],
    [put(2, { priority: 'critical', dependencies: [1], status: 'pending' })],
    [put(1, { repeats: true })],
  ],
];

function play(looks: readonly (readonly Move[])[]): void {
  const desk = new Desk();
  for (const moves of looks) {
    moves.forEach((next) => desk.make(next));
    desk.check();
  }
}

describe('A board that is kept from step to step', () => {
  it('says what one says that is made anew, whatever happens to rows and state', () => {
    const looks = fc.array(fc.array(move, { maxLength: 3 }), { maxLength: 14 });
    fc.assert(fc.property(looks, play), {
      numRuns: 2000,
      examples: EXAMPLES.map((example): [Move[][]] => [example]),
    });
  });
});
