import { setTimeout as sleep } from 'node:timers/promises';
import { Fenced, isProblem } from '../../src/domain/problem';
import { approvalOf } from '../../src/domain/proof';
import { systemProcesses } from '../../src/platform/processes';
import type { TaskQueue, Want } from '../../src/queue/taskQueue';
import { errorOf, openQueue, RULES, saveNote, successOf, want } from './faultQueue';
import { unmeddled } from './faultyFs';
import { fullDisk, readOnly } from './mountPlays';

/** How long a run takes: others get their turn. */
const RUN_MS = 4;

type Say = (text: string) => void;

interface Part {
  readonly file: string;
  readonly name: string;
}

/** What a child does; it tells of each step as soon as that is done. */
export const PLAYS = { steps, people, byHand, reset, drain, wait, fullDisk, readOnly } as const;
export type Play = keyof typeof PLAYS;

/** What a worker does, once each, with a row that is added before. */
async function steps({ file, name }: Part, say: Say): Promise<void> {
  const queue = await openQueue(file, say);
  await queue.recover(RULES, `${name}-recover`);
  const { id } = await queue.add({ cells: { prompt: 'Added', working_dir: '/place/added' } }, `${name}-add`);
  say(`added ${String(id)}`);
  await queue.close();
  const first = await queue.claim(want(name), `${name}-claim`);
  if (first.kind === 'idle') return;
  await queue.start(first.claim, systemProcesses.self(), `${name}-start`);
  await queue.close();
  await queue.renew(first.claim, 0);
  const next = await queue.finish(first.claim, successOf(first), `${name}-finish`, want(name));
  say(`finished ${String(first.claim.id)}`);
  await queue.close();
  if (next?.kind !== 'claimed') return;
  await queue.release(next.claim, 'stopped', `${name}-release`);
  await queue.close();
}

/** What people decide: holds, edits, cancelling and trying again, with a failed run between. */
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
  const claimed = await queue.claim(want(name), `${name}-claim`);
  if (claimed.kind === 'idle') return;
  await queue.finish(claimed.claim, errorOf(claimed), `${name}-finish`);
  say(`erred ${String(claimed.claim.id)}`);
  await queue.close();
  await queue.command(claimed.claim.id, 'retry', `${name}-retry`);
  await queue.approve([1, 2], `${name}-approve`);
  await queue.writeBack();
}

/** A worker, while a person saves the file between its steps, in place and by another file's name. */
async function byHand({ file, name }: Part, say: Say): Promise<void> {
  const queue = await openQueue(file, say);
  const write = (id: number, how: { readonly byRename: boolean }): void => {
    unmeddled(() => saveNote(file, id, `note ${String(id)}`, how.byRename));
    say(`noted ${String(id)}`);
  };
  write(1, { byRename: false });
  for (const [turn, byRename] of [true, false].entries()) {
    const claimed = await queue.claim(want(name), `${name}-claim-${String(turn)}`);
    if (claimed.kind === 'idle') return;
    write(turn + 2, { byRename });
    await queue.finish(claimed.claim, successOf(claimed), `${name}-finish-${String(turn)}`);
    say(`finished ${String(claimed.claim.id)}`);
    await queue.close();
  }
}

/** Puts the history away, and goes on. */
async function reset({ file, name }: Part, say: Say): Promise<void> {
  const queue = await openQueue(file, say);
  await queue.reset();
  say('reset');
  await finishNext(queue, name, say);
  await queue.close();
}

/** Claims and finishes until nothing is left. */
async function drain({ file, name }: Part, say: Say): Promise<void> {
  const queue = await openQueue(file, say);
  await queue.recover(RULES, `${name}-recover-${String(process.pid)}`);
  say('begins');
  for (let turn = 0; ; turn += 1) {
    const isMore = await finishNext(queue, `${name}-${String(process.pid)}-${String(turn)}`, say);
    if (!isMore) break;
  }
  await queue.close();
}

/** How long a worker that waits for more finds nothing before it ends. */
const MOST_IDLE_MS = 1_500;

/** Claims and finishes what was there at first, and waits for more while others write the file. */
async function wait({ file, name }: Part, say: Say): Promise<void> {
  const queue = await openQueue(file, say);
  const powers = new Set((await queue.read()).tasks.map(({ state }) => approvalOf(state)));
  const proofs = { trusted: false, approvals: powers };
  say('begins');
  let lastAt = Date.now();
  for (let turn = 0; Date.now() - lastAt < MOST_IDLE_MS; turn += 1) {
    try {
      if (await finishNext(queue, `${name}-${String(turn)}`, say, proofs)) lastAt = Date.now();
      else await sleep(RUN_MS);
    } catch (error) {
      // While git puts another file in its place there is none for a moment.
      if (!isProblem(error, 'queue-missing')) throw error;
      say('missing 1');
    }
  }
  await queue.close();
}

async function finishNext(
  queue: TaskQueue,
  op: string,
  say: Say,
  proofs: Want['proofs'] = { trusted: true, approvals: new Set() },
): Promise<boolean> {
  const answer = await queue.claim({ ...want(op), proofs }, `${op}-claim`);
  if (answer.kind === 'idle') return false;
  say(`claimed ${String(answer.claim.id)}`);
  await sleep(RUN_MS);
  try {
    await queue.finish(answer.claim, successOf(answer), `${op}-finish`);
    say(`finished ${String(answer.claim.id)}`);
  } catch (error) {
    if (!(error instanceof Fenced)) throw error;
    say(`fenced ${String(answer.claim.id)}`);
  }
  return true;
}
