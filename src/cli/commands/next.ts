import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import type { Command } from 'commander';
import type { Attempt, Outcome } from '../../domain/attempt';
import { decide } from '../../domain/decide';
import { Problem } from '../../domain/problem';
import type { TaskId } from '../../domain/task';
import type { Claim } from '../../domain/view';
import { replaceDurably } from '../../platform/files';
import type { TaskQueue } from '../../queue/taskQueue';
import type { Act } from '../action';
import type { Context } from '../context';
import { NOTHING, OK } from '../exitCodes';
import { refuseInsideRun } from '../insideRun';
import { formatNextTask } from '../nextTask';
import { parseId } from '../words';

const NEXT_TASK = 'NEXT_TASK.md';

export function defineNext(program: Command, act: Act): void {
  const command = program
    .command('next')
    .description(`write ${NEXT_TASK}: the next task, for you to do with Claude by hand`);
  act(command, next);
}

async function next(context: Context): Promise<number> {
  const { system, queueFolder } = context;
  const file = path.join(queueFolder, NEXT_TASK);
  return context.withQueue(async (queue) => {
    await refuseInsideRun(context, queue, 'take tasks');
    const claimed = (await findHeld(queue)) ?? (await claimForPerson(context, queue));
    if (claimed === null) {
      await fs.rm(file, { force: true });
      return NOTHING;
    }
    await replaceDurably(file, formatNextTask(claimed.definition));
    system.out(`Task ${String(claimed.definition.id)} is yours: ${file}`);
    system.out(
      `Start claude in ${claimed.definition.workingDir} and tell it to read that file and do the task in it.`,
    );
    system.out('Then tell what became of it: claude-queue done, fail or release.');
    return OK;
  });
}

/** The task that a person has already: the same one again, until they say what became of it. */
async function findHeld(queue: TaskQueue): Promise<Awaited<ReturnType<typeof claimForPerson>>> {
  const { claims, tasks } = await queue.read();
  const held = claims.find(({ owner }) => owner.kind === 'person');
  const task = tasks.find(({ definition }) => definition.id === held?.id);
  return held === undefined || task === undefined ? null : { claim: held, definition: task.definition };
}

async function claimForPerson(context: Context, queue: TaskQueue) {
  const { system } = context;
  const { settings, timeZone } = await context.configure();
  const want = {
    override: { unattendedRules: true },
    owner: { kind: 'person', machine: context.machine.id },
    since: system.clock.now(),
    gate: { closures: [], usage: [] },
    proofs: { trusted: true, powers: new Set<string>() },
    settings,
    timeZone,
    freshSession: system.createId(),
  } as const;
  const answer = await queue.claim(want, system.createId());
  if (answer.kind === 'claimed') return { claim: answer.claim, definition: answer.definition };
  system.out(`There is no next task: ${answer.why.text || answer.why.shown}.`);
  return null;
}

const ENDS = [
  { name: 'done', outcome: 'success', does: 'the task that you have is completed' },
  { name: 'fail', outcome: 'error', does: 'the task that you have failed' },
] as const;

/** `done`, `fail`, `release`: what became of the task that a person has. */
export function defineEnds(program: Command, act: Act): void {
  for (const { name, outcome, does } of ENDS) {
    const command = program
      .command(name)
      .description(does)
      .argument('[id]', 'the task, where you have several');
    act(command, (context, [id]) => endHeld(context, id, outcome));
  }
  const release = program
    .command('release')
    .description('give the task that you have back, as it was')
    .argument('[id]', 'the task, where you have several');
  act(release, (context, [id]) => endHeld(context, id, null));
}

async function endHeld(context: Context, text: string | undefined, outcome: Outcome | null): Promise<number> {
  const { system } = context;
  const id = text === undefined ? undefined : parseId(text);
  return context.withQueue(async (queue) => {
    await refuseInsideRun(context, queue, 'say what became of tasks');
    const claim = await findClaim(context, queue, id);
    if (outcome === null) await queue.release(claim, 'person', system.createId());
    else await finish(context, queue, claim, outcome);
    await fs.rm(path.join(context.queueFolder, NEXT_TASK), { force: true });
    const became = outcome === null ? 'is given back' : outcome === 'success' ? 'is done' : 'failed';
    system.out(`Task ${String(claim.id)} ${became}.`);
    return OK;
  });
}

/** A person's claim; by its id also one of another machine, which this machine cannot tell to be alive. */
async function findClaim(context: Context, queue: TaskQueue, id: TaskId | undefined): Promise<Claim> {
  const { claims } = await queue.read();
  const yours = claims.filter(({ owner, ...claim }) =>
    id === undefined
      ? owner.kind === 'person'
      : claim.id === id && (owner.kind === 'person' || owner.machine !== context.machine.id),
  );
  const [claim, ...others] = yours;
  if (claim !== undefined && others.length === 0) return claim;
  if (claim !== undefined) {
    throw new Problem(
      'usage',
      `You have several tasks (${yours.map((one) => String(one.id)).join(', ')}): name one.`,
    );
  }
  throw new Problem(
    'not-running',
    id === undefined
      ? 'You have no task: "claude-queue next" gives you one.'
      : `Task ${String(id)} is not yours: "claude-queue status" tells where it is.`,
  );
}

async function finish(context: Context, queue: TaskQueue, claim: Claim, outcome: Outcome): Promise<void> {
  const { system } = context;
  const { settings, timeZone } = await context.configure();
  const { tasks } = await queue.read();
  const task = tasks.find(({ state }) => state.id === claim.id && state.power === claim.power);
  if (task === undefined) {
    throw new Problem('conflict', `The row of task ${String(claim.id)} was edited meanwhile: release it.`);
  }
  const now = system.clock.now();
  const reason = 'by-hand';
  const circumstances = { now, random: system.random(), settings, timeZone };
  const change = decide(task.definition, task.state, { outcome, reason }, circumstances);
  const attempt: Attempt = {
    id: claim.id,
    number: claim.attempt,
    power: claim.power,
    session: null,
    startedAt: claim.at,
    endedAt: now,
    outcome,
    reason,
    message: outcome === 'success' ? 'Done by hand.' : 'Failed by hand.',
    code: change.code,
  };
  await queue.finish(claim, { change, attempt, definition: task.definition }, system.createId());
}
