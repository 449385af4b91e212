import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fenced, isProblem } from '../../src/domain/problem';
import { approvalOf } from '../../src/domain/task/approval';
import { systemProcesses } from '../../src/platform/processes/processes';
import type { TaskQueue, ClaimRequest } from '../../src/queue/taskQueue';
import { errorOf, openQueue, RULES, saveNote, sendNotices, successOf, request } from './faultQueue';
import { unmeddled } from './faultyFs';
import { fullDisk, readOnly } from './mountPlays';

/** Length of a run: enough for others to get their turn. */
const RUN_MS = 4;

/** Pause between two looks of a worker that has nothing to do. */
const IDLE_MS = 15;

/** Tasks that a worker finishes before it waits for the sign. A process beside it finishes some, too. */
export const TASKS_BEFORE_SIGN = 3;

type Say = (text: string) => void;

interface Part {
  readonly file: string;
  readonly name: string;
  /** A file that is made while the child works, for plays that look for it. */
  readonly sign?: string;
}

/** Plays of a child. Each prints a line as soon as a step is done. */
export const PLAYS = {
  steps,
  people,
  edit,
  move,
  add,
  byHand,
  reset,
  drain,
  wait,
  notices,
  fullDisk,
  readOnly,
} as const;
export type Play = keyof typeof PLAYS;

/** Does each step of a worker once, with a row that is added before. */
async function steps({ file, name }: Part, say: Say): Promise<void> {
  const queue = await openQueue(file, say);
  await queue.recover(RULES, `${name}-recover`);
  const { id } = await queue.add({ fields: { prompt: 'Added', working_dir: '/place/added' } }, `${name}-add`);
  say(`added ${String(id)}`);
  await queue.close();
  const first = await queue.claim(request(name), `${name}-claim`);
  if (first.kind === 'idle') return;
  await queue.start(first.claim, systemProcesses.self(), `${name}-start`);
  await queue.close();
  await queue.renew(first.claim, 0);
  const next = await queue.finish(first.claim, successOf(first), `${name}-finish`, request(name));
  say(`finished ${String(first.claim.id)}`);
  await queue.close();
  if (next?.kind !== 'claimed') return;
  await queue.release(next.claim, 'stopped', `${name}-release`);
  await queue.close();
}

/** Does what users do: pauses, edits, cancels and retries, with a failed run between. */
async function people({ file, name }: Part, say: Say): Promise<void> {
  const queue = await openQueue(file, say);
  await queue.hold({ by: 'person', why: 'Away.' }, `${name}-hold`);
  say('held');
  await queue.edit(2, { prompt: 'Edited, "2"' }, `${name}-edit`);
  say('edited 2');
  await queue.close();
  await queue.command(3, 'cancel', `${name}-cancel`);
  say('cancelled 3');
  await queue.close();
  await queue.resume(`${name}-resume`);
  await queue.command(3, 'retry', `${name}-again`);
  const claimed = await queue.claim(request(name), `${name}-claim`);
  if (claimed.kind === 'idle') return;
  await queue.finish(claimed.claim, errorOf(claimed), `${name}-finish`);
  say(`erred ${String(claimed.claim.id)}`);
  await queue.close();
  await queue.command(claimed.claim.id, 'retry', `${name}-retry`);
  const { tasks } = await queue.read();
  const seen = tasks.map(({ state }) => state).filter(({ id }) => id < 3);
  await queue.approve(seen, `${name}-approve`);
  await queue.sync();
}

/** Changes one row in the file, as a user does. */
async function edit({ file, name }: Part, say: Say): Promise<void> {
  await (await openQueue(file, say)).edit(2, { prompt: 'Changed' }, name);
}

async function move({ file, name }: Part, say: Say): Promise<void> {
  await (await openQueue(file, say)).move(2, null, name);
}

async function add({ file, name }: Part, say: Say): Promise<void> {
  const fields = { prompt: 'Changed', working_dir: '/place/added' };
  await (await openQueue(file, say)).add({ fields }, name);
}

/** A worker, while the user saves the file between its steps, in place and by another file's name. */
async function byHand({ file, name }: Part, say: Say): Promise<void> {
  const queue = await openQueue(file, say);
  const write = (id: number, how: { readonly byRename: boolean }): void => {
    unmeddled(() => saveNote(file, id, `note ${String(id)}`, how.byRename));
    say(`noted ${String(id)}`);
  };
  write(1, { byRename: false });
  for (const [turn, byRename] of [true, false].entries()) {
    const claimed = await queue.claim(request(name), `${name}-claim-${String(turn)}`);
    if (claimed.kind === 'idle') return;
    write(turn + 2, { byRename });
    await queue.finish(claimed.claim, successOf(claimed), `${name}-finish-${String(turn)}`);
    say(`finished ${String(claimed.claim.id)}`);
    await queue.close();
  }
}

/** Attempts that fail permanently, each followed by its notices; `notified` is printed where the user would be. */
async function notices({ file, name }: Part, say: Say): Promise<void> {
  const queue = await openQueue(file, say);
  const op = `${name}-${String(process.pid)}`;
  say('begins');
  for (let turn = 0; turn < 3; turn += 1) {
    const claimed = await queue.claim(request(name), `${op}-claim-${String(turn)}`);
    if (claimed.kind === 'claimed')
      await queue.finish(claimed.claim, errorOf(claimed), `${op}-finish-${String(turn)}`);
    await sendNotices(queue, `${op}-${String(turn)}`, say);
    await queue.close();
  }
}

/** Archives the history, and continues. */
async function reset({ file, name }: Part, say: Say): Promise<void> {
  const queue = await openQueue(file, say);
  await queue.reset();
  say('reset');
  await finishNext(queue, name, say);
  await queue.close();
}

/** Claims and finishes until nothing is left; after the first few it waits for the sign, where there is to be one. */
async function drain({ file, name, sign }: Part, say: Say): Promise<void> {
  const queue = await openQueue(file, say);
  await queue.recover(RULES, `${name}-recover-${String(process.pid)}`);
  say('begins');
  for (let turn = 0; ; turn += 1) {
    if (turn === TASKS_BEFORE_SIGN && sign !== undefined) await waitForSign(sign, say);
    const isMore = await finishNext(queue, `${name}-${String(process.pid)}-${String(turn)}`, say);
    if (!isMore) break;
  }
  await queue.close();
}

async function waitForSign(sign: string, say: Say): Promise<void> {
  say('waits');
  while (!existsSync(sign)) await sleep(RUN_MS);
}

/** Claims and finishes what was there at first, and waits for more while others write the file, until the sign. */
async function wait({ file, name, sign = '' }: Part, say: Say): Promise<void> {
  const queue = await openQueue(file, say);
  const approvals = new Set((await queue.read()).tasks.map(({ state }) => approvalOf(state)));
  const approvedRows = { trusted: false, approvals };
  say('begins');
  for (let turn = 0; ; turn += 1) {
    // Before the look: what was written by then is done when nothing is found.
    const isLast = existsSync(sign);
    if (await finishNext(queue, `${name}-${String(turn)}`, say, approvedRows)) continue;
    if (isLast) break;
    await sleep(IDLE_MS);
  }
  await queue.close();
}

async function finishNext(
  queue: TaskQueue,
  op: string,
  say: Say,
  approvedRows: ClaimRequest['approvedRows'] = { trusted: true, approvals: new Set() },
): Promise<boolean> {
  const answer = await retryUntilWritten(
    () => queue.claim({ ...request(op), approvedRows }, `${op}-claim`),
    say,
  );
  if (answer.kind === 'idle') return false;
  say(`claimed ${String(answer.claim.id)}`);
  await sleep(RUN_MS);
  try {
    await retryUntilWritten(() => queue.finish(answer.claim, successOf(answer), `${op}-finish`), say);
    say(`finished ${String(answer.claim.id)}`);
  } catch (error) {
    if (!(error instanceof Fenced)) throw error;
    say(`fenced ${String(answer.claim.id)}`);
  }
  return true;
}

/**
 * Does a step as soon as there is a file. While git replaces the file, there is none for a moment. While a save in
 * place writes it, it is empty; on a busy machine that can last until it counts as incomplete.
 */
async function retryUntilWritten<T>(step: () => Promise<T>, say: Say): Promise<T> {
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (!isProblem(error, 'queue-missing') && !isProblem(error, 'queue-incomplete')) throw error;
      say(error.reason);
      await sleep(IDLE_MS);
    }
  }
}
