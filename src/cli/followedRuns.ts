import * as path from 'node:path';
import { describeOutcome } from '../app/outcomeWords';
import { shorten } from '../app/words';
import { outputName, type Attempt, type Outcome } from '../domain/attempt';
import { Problem } from '../domain/problem';
import type { TaskId } from '../domain/task';
import type { Claim } from '../domain/view';
import type { Snapshot, TaskQueue } from '../queue/taskQueue';
import type { Context } from './context';
import type { Line, Tone } from './line';
import { OutputTail } from './outputTail';

const PROMPT_WIDTH = 70;

/** The runs that are being followed: each begins with a line, and ends with one. */
export class FollowedRuns {
  private readonly tails = new Map<TaskId, { claim: Claim; tail: OutputTail }>();

  constructor(
    private readonly context: Context,
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
    await this.showOutput(new Set(claims.map(({ token }) => token)));
    for (const claim of claims) {
      if (!this.tails.has(claim.id)) this.begin(claim, snapshot);
    }
  }

  private begin(claim: Claim, { tasks }: Snapshot): void {
    const prompt = tasks.find(({ definition }) => definition.id === claim.id)?.definition.prompt ?? '';
    const tail = `, attempt ${String(claim.attempt)}: ${shorten(prompt, PROMPT_WIDTH)}`;
    this.context.system.out([nameTask(claim.id), tail]);
    this.tails.set(claim.id, {
      claim,
      tail: new OutputTail(outputFile(this.context, claim.id, claim.attempt)),
    });
  }

  private async showOutput(running: ReadonlySet<number>): Promise<void> {
    for (const [id, { claim, tail }] of this.tails) {
      for (const line of await tail.read())
        this.context.system.out([{ text: `  ${String(id)} │ `, tone: 'dim' }, line]);
      if (running.has(claim.token)) continue;
      this.context.system.out(await findEnd(this.queue, claim));
      this.tails.delete(id);
    }
  }
}

/** The newest output of a task that does not run. @throws Problem `no-output` */
export async function showNewest(context: Context, queue: TaskQueue, id: TaskId): Promise<void> {
  const [newest] = await queue.attempts({ id });
  if (newest?.output === undefined) {
    throw new Problem('no-output', `Task ${String(id)} has no output yet: it has not run here.`);
  }
  for (const line of await new OutputTail(outputFile(context, id, newest.number)).read())
    context.system.out(line);
  context.system.out(describeEnd(newest));
}

async function findEnd(queue: TaskQueue, claim: Claim): Promise<Line> {
  const attempts = await queue.attempts({ id: claim.id });
  const attempt = attempts.find(({ number }) => number === claim.attempt);
  return attempt === undefined ? [nameTask(claim.id), ' was given back.'] : describeEnd(attempt);
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
  return [nameTask(attempt.id), ' ', words, `. ${attempt.message}`];
}

function nameTask(id: TaskId): { readonly text: string; readonly tone: Tone } {
  return { text: `Task ${String(id)}`, tone: 'bold' };
}

function outputFile({ queueFolder }: Context, id: TaskId, attempt: number): string {
  return path.join(queueFolder, 'state', 'outputs', outputName(id, attempt));
}
