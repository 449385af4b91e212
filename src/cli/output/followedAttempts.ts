import { existsSync } from 'node:fs';
import type { ReportToken } from '../../account/reportToken';
import { OutputTail } from '../../claude/stream/outputTail';
import { renderMessage } from '../../claude/stream/render';
import { describeMessage, describeOutcome, NO_OUTPUT_HERE, RUNS_ELSEWHERE } from '../../app/present/attempt';
import { shorten } from '../../app/present/text';
import type { Attempt, Outcome } from '../../domain/task/attempt';
import { describeOwner } from '../../app/present/reasons/claim';
import { Problem } from '../../domain/problem';
import type { TaskId } from '../../domain/task/task';
import type { Claim } from '../../domain/queue/view';
import { machineId } from '../../platform/processes/machine';
import type { Snapshot, TaskQueue } from '../../queue/taskQueue';
import type { QueuePaths } from '../../queue/queuePaths';
import type { Line, Tone } from './line';
import type { System } from '../system';

const PROMPT_WIDTH = 70;

/** Paths of the outputs, and the terminal that shows them. */
interface Place {
  readonly paths: QueuePaths;
  readonly system: Pick<System, 'out'>;
  openReportToken(): Pick<ReportToken, 'find'>;
}

/** Reads new output as lines for a terminal, without Claude's report lines. */
async function readLines(place: Place, tail: OutputTail): Promise<string[]> {
  const messages = await tail.read();
  if (messages.length === 0) return [];
  const token = await place.openReportToken().find();
  return messages.flatMap((message) => renderMessage(message, token));
}

/** Attempts that are followed; each starts and ends with a line. */
export class FollowedAttempts {
  private readonly tails = new Map<TaskId, { claim: Claim; tail: OutputTail }>();
  private readonly shown = new Set<string>();
  /** Number of attempts in the history, and the queue's revision, at the last look. */
  private known: { readonly attempts: number; readonly revision: number } | null = null;

  constructor(
    private readonly context: Place,
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
    this.tails.set(claim.id, { claim, tail: this.introduce(claim.id, claim.attempt, snapshot) });
    const isElsewhere = claim.owner.kind === 'process' && claim.owner.machine !== machineId();
    if (isElsewhere) this.context.system.out([{ text: RUNS_ELSEWHERE, tone: 'dim' }]);
  }

  private introduce(id: TaskId, attempt: number, { tasks }: Snapshot): OutputTail {
    const prompt = tasks.find(({ definition }) => definition.id === id)?.definition.prompt ?? '';
    this.shown.add(nameAttempt(id, attempt));
    this.context.system.out([nameTask(id), `, attempt ${String(attempt)}: ${shorten(prompt, PROMPT_WIDTH)}`]);
    return new OutputTail(this.context.paths.state.outputOf({ id, attempt }));
  }

  /** Shows attempts that started and ended between two looks. */
  private async showMissed(snapshot: Snapshot): Promise<void> {
    const { known } = this;
    if (known?.revision === snapshot.revision) return;
    const attempts = await this.queue.attempts({});
    this.known = { attempts: attempts.length, revision: snapshot.revision };
    const news = known === null ? [] : attempts.slice(0, Math.max(attempts.length - known.attempts, 0));
    for (const attempt of news.reverse()) {
      const { id, number, output } = attempt;
      if (output === undefined || this.shown.has(nameAttempt(id, number))) continue;
      await this.showLines(id, this.introduce(id, number, snapshot));
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
      this.context.system.out(await findEnd(this.queue, claim, snapshot));
      this.tails.delete(id);
    }
  }
}

/**
 * Prints the output of a task's attempt: without a number, that of the running one, or else of the latest.
 * @throws Problem `no-output`, `no-such-task`
 */
export async function showOutput(place: Place, queue: TaskQueue, id: TaskId, number?: number): Promise<void> {
  const { claims, tasks, problems } = await queue.read();
  const running = claims.find(
    (claim) => claim.id === id && claim.owner.kind === 'process' && claim.ownerDied !== true,
  );
  const show = async (attempt: number): Promise<void> => {
    const file = place.paths.state.outputOf({ id, attempt });
    if (!existsSync(file)) place.system.out([{ text: NO_OUTPUT_HERE, tone: 'dim' }]);
    for (const line of await readLines(place, new OutputTail(file))) place.system.out(line);
  };
  if (running !== undefined && [undefined, running.attempt].includes(number)) {
    await show(running.attempt);
    place.system.out(`Task ${String(id)} is running: "claude-queue log ${String(id)} --follow" follows it.`);
    return;
  }
  const attempts = await queue.attempts({ id });
  const attempt = number === undefined ? attempts[0] : attempts.find((one) => one.number === number);
  if (attempt?.output === undefined) {
    const task = tasks.find(({ definition }) => definition.id === id);
    const isKnown = task !== undefined || attempts.length > 0 || problems.some((one) => one.id === id);
    if (!isKnown) throw new Problem('no-such-task', `There is no task ${String(id)}.`);
    throw new Problem('no-output', `Task ${String(id)} ${whyNoOutput(task?.state.untold === true, number)}`);
  }
  await show(attempt.number);
  place.system.out(describeEnd(attempt));
}

function whyNoOutput(isArchived: boolean, number: number | undefined): string {
  if (isArchived) return 'has no output here: it was moved to state/archive.';
  if (number !== undefined) return `has no output of attempt ${String(number)}.`;
  return 'has no output yet: it has not run here.';
}

async function findEnd(queue: TaskQueue, claim: Claim, { claims }: Snapshot): Promise<Line> {
  const held = claims.find(({ token }) => token === claim.token);
  if (held?.ownerDied === true) return describeDeadOwner(held);
  const attempts = await queue.attempts({ id: claim.id });
  const attempt = attempts.find(({ number }) => number === claim.attempt);
  return attempt === undefined ? [nameTask(claim.id), ' was returned to the queue.'] : describeEnd(attempt);
}

/**
 * Describes an attempt whose worker was killed: the task is neither released nor finished until the next worker
 * reclaims it.
 */
function describeDeadOwner({ id, owner }: Claim): Line {
  const text = `was lost: ${describeOwner(owner)} died during the attempt`;
  return [nameTask(id), ' ', { text, tone: 'yellow' }, '. The next worker resumes it.'];
}

const TONES: Record<Outcome, Tone> = {
  success: 'green',
  review: 'yellow',
  error: 'red',
  transient: 'yellow',
  limit: 'yellow',
  blocked: 'yellow',
  permanent: 'red',
  cancelled: 'dim',
  lost: 'yellow',
};

function describeEnd(attempt: Attempt): Line {
  const words = { text: describeOutcome(attempt), tone: TONES[attempt.outcome] };
  return [nameTask(attempt.id), ' ', words, `. ${describeMessage(attempt)}`];
}

function nameAttempt(id: TaskId, attempt: number): string {
  return `${String(id)}/${String(attempt)}`;
}

function nameTask(id: TaskId): { readonly text: string; readonly tone: Tone } {
  return { text: `Task ${String(id)}`, tone: 'bold' };
}
