import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { parseLine } from '../claude/parseLine';
import { renderMessage } from '../claude/render';
import { outputName, type Attempt } from '../domain/attempt';
import { Problem } from '../domain/problem';
import type { TaskId } from '../domain/task';
import type { Claim } from '../domain/view';
import { hasCode } from '../platform/files';
import type { Snapshot, TaskQueue } from '../queue/taskQueue';
import type { Context } from './context';
import { shorten } from '../app/words';

/** How often new output is looked for. */
const LOOK_MS = 200;

const PROMPT_WIDTH = 70;

/**
 * Shows runs as they go on, in whatever process they run: all of the queue's until `end`, or the newest of one task
 * to its end. @throws Problem `no-output`
 */
export async function follow(
  context: Context,
  queue: TaskQueue,
  id: TaskId | null,
  end: AbortSignal,
): Promise<void> {
  const runs = new FollowedRuns(context, queue, id);
  await runs.look();
  if (id !== null && runs.count === 0) {
    await showNewest(context, queue, id);
    return;
  }
  let isIdle = false;
  while (!end.aborted && (id === null || runs.count > 0)) {
    if (runs.count === 0 && !isIdle) context.system.out('Nothing is running.');
    isIdle = runs.count === 0;
    await context.system.clock.sleep(LOOK_MS, end);
    await runs.look();
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

  async look(): Promise<void> {
    const snapshot = await this.queue.read();
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
    const head = `Task ${String(claim.id)}, attempt ${String(claim.attempt)}`;
    this.context.system.out(`${head}: ${shorten(prompt, PROMPT_WIDTH)}`);
    const tail = new OutputTail(outputFile(this.context, claim.id, claim.attempt));
    this.tails.set(claim.id, { claim, tail });
  }

  private async showOutput(running: ReadonlySet<number>): Promise<void> {
    for (const [id, { claim, tail }] of this.tails) {
      for (const line of await tail.read()) this.context.system.out(`  ${String(id)} │ ${line}`);
      if (running.has(claim.token)) continue;
      this.tails.delete(id);
      await tellEnd(this.context, this.queue, claim);
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

async function tellEnd(context: Context, queue: TaskQueue, claim: Claim): Promise<void> {
  const attempts = await queue.attempts({ id: claim.id });
  const attempt = attempts.find(({ number }) => number === claim.attempt);
  context.system.out(
    attempt === undefined ? `Task ${String(claim.id)} was given back.` : describeEnd(attempt),
  );
}

function describeEnd({ id, outcome, reason, message }: Attempt): string {
  return `Task ${String(id)} ended: ${outcome} (${reason}). ${message}`;
}

function outputFile({ queueFolder }: Context, id: TaskId, attempt: number): string {
  return path.join(queueFolder, 'state', 'outputs', outputName(id, attempt));
}

/** Reads a growing output file, as lines for a terminal. */
class OutputTail {
  private position = 0;
  private rest = '';
  private readonly decoder = new StringDecoder('utf8');

  constructor(private readonly file: string) {}

  async read(): Promise<string[]> {
    const lines = (this.rest + this.decoder.write(await this.readBytes())).split('\n');
    this.rest = lines.pop() ?? '';
    return lines.flatMap((line) => renderMessage(parseLine(line)));
  }

  private async readBytes(): Promise<Buffer> {
    let handle: fs.FileHandle;
    try {
      handle = await fs.open(this.file, 'r');
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return Buffer.alloc(0);
      throw error;
    }
    try {
      const { size } = await handle.stat();
      const bytes = Buffer.alloc(Math.max(size - this.position, 0));
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, this.position);
      this.position += bytesRead;
      return bytes.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  }
}
