import { OutputTail } from '../../claude/stream/outputTail';
import { shorten } from '../../app/present/text';
import { describeElsewhere, describeOwner } from '../../app/present/reasons/claim';
import type { Attempt } from '../../domain/task/attempt';
import type { TaskId } from '../../domain/task/task';
import type { Claim } from '../../domain/queue/view';
import { isElsewhere, machineId } from '../../platform/processes/machine';
import type { Snapshot, TaskQueue } from '../../queue/taskQueue';
import { describeEnd, nameTask, readLines, type OutputPlace } from './attemptOutput';
import type { Line } from './line';

const PROMPT_WIDTH = 70;

/** Attempts that are followed; each starts and ends with a line. */
export class FollowedAttempts {
  private readonly tails = new Map<TaskId, { claim: Claim; tail: OutputTail }>();
  private readonly shown = new Set<string>();
  /** Number of attempts in the history, and the queue's revision, at the last look. */
  private known: { readonly attempts: number; readonly revision: number } | null = null;

  constructor(
    private readonly context: OutputPlace,
    private readonly queue: TaskQueue,
    private readonly only: TaskId | null,
  ) {}

  get count(): number {
    return this.tails.size;
  }

  async look(snapshot: Snapshot): Promise<void> {
    const claims = snapshot.claims.filter(
      ({ owner, ownerDied, id }) =>
        owner.kind === 'process' && ownerDied !== true && (this.only === null || id === this.only),
    );
    await this.showOutput(new Set(claims.map(({ token }) => token)), snapshot);
    if (this.only === null) await this.showMissed(snapshot);
    for (const claim of claims) {
      if (!this.tails.has(claim.id)) this.startFollowing(claim, snapshot);
    }
  }

  private startFollowing(claim: Claim, snapshot: Snapshot): void {
    this.tails.set(claim.id, { claim, tail: this.introduce(claim, snapshot) });
    if (!isElsewhere(claim.owner.machine)) return;
    this.context.system.out([{ text: describeElsewhere(claim.owner.machine), tone: 'dim' }]);
  }

  private introduce(
    { id, attempt, session }: Pick<Claim, 'id' | 'attempt'> & Pick<Attempt, 'session'>,
    { tasks }: Snapshot,
  ): OutputTail {
    const prompt = tasks.find(({ definition }) => definition.id === id)?.definition.prompt;
    const rest = prompt === undefined ? '' : `: ${shorten(prompt, PROMPT_WIDTH)}`;
    this.shown.add(nameAttempt(id, attempt));
    this.context.system.out([nameTask(id), `, attempt ${String(attempt)}${rest}`]);
    return new OutputTail(this.context.paths.state.outputOf({ id, attempt }), { session });
  }

  /** Shows attempts that started and ended between two looks. */
  private async showMissed(snapshot: Snapshot): Promise<void> {
    const { known } = this;
    if (known?.revision === snapshot.revision) return;
    const attempts = await this.queue.attempts({});
    this.known = { attempts: attempts.length, revision: snapshot.revision };
    const news = known === null ? [] : attempts.slice(0, Math.max(attempts.length - known.attempts, 0));
    for (const attempt of news.reverse()) {
      const { id, number, output, session } = attempt;
      if (output === undefined || this.shown.has(nameAttempt(id, number))) continue;
      await this.showLines(id, this.introduce({ id, attempt: number, session }, snapshot));
      this.context.system.out(describeEnd(attempt));
    }
  }

  private async showLines(id: TaskId, tail: OutputTail): Promise<void> {
    for (const line of await readLines(this.context, tail))
      this.context.system.out([{ text: `  ${String(id)} │ `, tone: 'dim' }, line]);
  }

  private async showOutput(running: ReadonlySet<number>, snapshot: Snapshot): Promise<void> {
    for (const [id, { claim, tail }] of this.tails) {
      await this.showLines(id, tail);
      if (running.has(claim.token)) continue;
      const end = await findEnd(this.queue, claim, snapshot);
      // The next attempt of the task has the same number.
      if (end === null) this.shown.delete(nameAttempt(id, claim.attempt));
      this.context.system.out(end ?? [nameTask(id), ' was returned to the queue.']);
      this.tails.delete(id);
    }
  }
}

/** Describes the end of an attempt; null: its claim was released. */
async function findEnd(queue: TaskQueue, claim: Claim, { claims }: Snapshot): Promise<Line | null> {
  const held = claims.find(({ token }) => token === claim.token);
  if (held?.ownerDied === true) return describeDeadOwner(held);
  const attempts = await queue.attempts({ id: claim.id });
  const attempt = attempts.find(({ number }) => number === claim.attempt);
  return attempt === undefined ? null : describeEnd(attempt);
}

/**
 * Describes an attempt whose worker was killed: the task is neither released nor finished until the next worker
 * reclaims it.
 */
function describeDeadOwner({ id, owner }: Claim): Line {
  const text = `was lost: ${describeOwner(owner, { machine: machineId() })} died during the attempt`;
  return [nameTask(id), ' ', { text, tone: 'yellow' }, '. The next worker recovers the task.'];
}

function nameAttempt(id: TaskId, attempt: number): string {
  return `${String(id)}/${String(attempt)}`;
}
