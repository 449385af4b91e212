import assert from 'node:assert/strict';
import type { Attempt } from '../../src/domain/task/attempt';
import type { Claim, TaskView } from '../../src/domain/queue/view';
import type { Snapshot } from '../../src/queue/taskQueue';
import type { Move } from './calls';

/** Moves after which a claim may have ended without an attempt: it was given back unrun. */
const GIVING_BACK: readonly Move['kind'][] = ['release', 'command', 'repeat'];

/** Checks what must be true from one step to the next, whatever the step was. */
export class StepCheck {
  private claims: readonly Claim[] = [];
  /** Oldest first. */
  private attempts: readonly Attempt[] = [];
  private tasks: readonly TaskView[] = [];
  private highestToken = 0;

  constructor(private readonly maxRunning: number) {}

  /** `attempts`: newest first. */
  after({ claims, tasks, turns }: Snapshot, attempts: readonly Attempt[], kind: Move['kind']): void {
    const history = [...attempts].reverse();
    this.checkHistory(history);
    this.checkClaims(claims, history, kind);
    this.checkTurns(claims, turns);
    this.claims = claims;
    this.attempts = history;
    this.tasks = tasks;
  }

  /** Whether this claim held after the last step. */
  holds({ token }: Claim): boolean {
    return this.claims.some((claim) => claim.token === token);
  }

  /** The history was archived, but for what awaits an eye. */
  forgetHistory(): void {
    this.attempts = [];
  }

  /** Checks that the history keeps its attempts, and has each only once. The user may accept one later. */
  private checkHistory(history: readonly Attempt[]): void {
    const kept = history.slice(0, this.attempts.length).map((attempt, index) => {
      const { acceptedAt, ...rest } = attempt;
      return this.attempts[index]?.acceptedAt === undefined && acceptedAt !== undefined ? rest : attempt;
    });
    assert.deepEqual(kept, this.attempts, 'the history has changed');
    const names = history.map(nameOf);
    assert.equal(new Set(names).size, names.length, 'an attempt is in the history twice');
  }

  private checkClaims(claims: readonly Claim[], history: readonly Attempt[], kind: Move['kind']): void {
    assert.equal(new Set(claims.map(({ id }) => id)).size, claims.length, 'a task is claimed twice');
    const ended = new Set(history.map(nameOf));
    for (const claim of this.claims) {
      if (claims.some(({ token }) => token === claim.token) || GIVING_BACK.includes(kind)) continue;
      assert.ok(ended.has(nameOf({ id: claim.id, number: claim.attempt })), 'a claim ended without an end');
    }
    const started = claims.filter(({ token }) => !this.claims.some((before) => before.token === token));
    for (const claim of started) this.checkStarted(claim, claims);
  }

  private checkStarted(claim: Claim, claims: readonly Claim[]): void {
    assert.ok(claim.token > this.highestToken, 'a token was given twice');
    this.highestToken = claim.token;
    if (claim.owner.kind === 'person') return;
    const working = claims.filter(({ owner }) => owner.kind === 'process');
    assert.ok(working.length <= this.maxRunning, 'more run than may');
    const places = working.map((one) => this.placeOf(one)).filter((place) => place !== undefined);
    const here = this.placeOf(claim);
    assert.ok(places.filter((place) => place === here).length <= 1, 'two run in one directory');
  }

  /** Anyone who is served has had a turn, with that claim or a later one. */
  private checkTurns(claims: readonly Claim[], turns: Snapshot['turns']): void {
    for (const { owner, user = '', token } of claims) {
      if (owner.kind === 'process') assert.ok((turns.get(user) ?? -1) >= token, 'a turn was not taken');
    }
  }

  /** Folder in which a claim runs, also after its row was edited. */
  private placeOf({ id, workingDir }: Claim): string | undefined {
    if (workingDir !== undefined) return workingDir;
    return this.tasks.find(({ definition }) => definition.id === id)?.definition.workingDir;
  }
}

function nameOf({ id, number }: Pick<Attempt, 'id' | 'number'>): string {
  return `${String(id)}/${String(number)}`;
}
