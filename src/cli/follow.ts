import * as path from 'node:path';
import { describeOutcome } from '../app/outcomeWords';
import { takePicture, type Picture } from '../app/picture';
import { describeStandstill, findStandstill } from '../app/standstill';
import { shorten } from '../app/words';
import { outputName, type Attempt, type Outcome } from '../domain/attempt';
import { Problem } from '../domain/problem';
import type { TaskId } from '../domain/task';
import type { Claim } from '../domain/view';
import type { Snapshot, TaskQueue } from '../queue/taskQueue';
import { messageOf } from '../worker/parts';
import { nameReason } from '../worker/worker';
import type { Context } from './context';
import type { Line, Tone } from './line';
import { OutputTail } from './outputTail';

/** How often new output is looked for. */
const LOOK_MS = 200;

/** How often is looked whether something has begun, and why not: a look at the whole queue. */
const IDLE_LOOK_MS = 500;

const PROMPT_WIDTH = 70;

/**
 * Shows runs as they go on, in whatever process they run: all of the queue's until `end`, or the newest of one task
 * to its end. @throws Problem `no-output`
 */
export function follow(
  context: Context,
  queue: TaskQueue,
  id: TaskId | null,
  end: AbortSignal,
): Promise<void> {
  return id === null ? followAll(context, queue, end) : followOne(context, queue, id, end);
}

async function followOne(context: Context, queue: TaskQueue, id: TaskId, end: AbortSignal): Promise<void> {
  const runs = new FollowedRuns(context, queue, id);
  await runs.look(await queue.read());
  if (runs.count === 0) {
    await showNewest(context, queue, id);
    return;
  }
  const look = calmly(context, async () => runs.look(await queue.read()));
  while (!end.aborted && runs.count > 0) {
    await context.system.clock.sleep(LOOK_MS, end);
    await look();
  }
}

/** What runs, and while nothing does, why. */
async function followAll(context: Context, queue: TaskQueue, end: AbortSignal): Promise<void> {
  const runs = new FollowedRuns(context, queue, null);
  const rest = new Rest(context);
  const look = calmly(context, async () => {
    if (runs.count > 0) {
      await runs.look(await queue.read());
      return;
    }
    const picture = await takePicture(context, queue);
    await runs.look(picture.snapshot);
    rest.tell(picture);
  });
  while (!end.aborted) {
    await look();
    await context.system.clock.sleep(runs.count > 0 ? LOOK_MS : IDLE_LOOK_MS, end);
  }
}

/** A look that fails because something cannot be read just now is told once, and the next one may succeed. */
function calmly({ system }: Context, look: () => Promise<void>): () => Promise<void> {
  let isTroubled = false;
  return async () => {
    try {
      await look();
      if (isTroubled) system.out('The queue can be read again.');
      isTroubled = false;
    } catch (error) {
      if (!(error instanceof Problem) && !isSystemError(error)) throw error;
      if (!isTroubled) system.err(`${messageOf(error)}\nLooking again until that has passed.`);
      isTroubled = true;
    }
  };
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

/** Tells why nothing runs, each reason once as long as it lasts. */
class Rest {
  private told: string | null = null;

  constructor(private readonly context: Context) {}

  tell(picture: Picture): void {
    const standstill = findStandstill(picture);
    const name = standstill?.kind === 'waiting' ? nameReason(standstill.why) : (standstill?.kind ?? null);
    if (standstill !== null && name !== this.told)
      this.context.system.out(describeStandstill(standstill, picture.world.now));
    this.told = name;
  }
}

/** The runs that are being followed: each begins with a line, and ends with one. */
class FollowedRuns {
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

async function showNewest(context: Context, queue: TaskQueue, id: TaskId): Promise<void> {
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
