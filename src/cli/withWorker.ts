import { buildCheckEnvironment } from '../claude/checkEnvironment';
import { createClaudeRunner } from '../claude/run';
import { listSecrets } from '../claude/signIn';
import { readTraces } from '../claude/traces';
import type { Installation } from '../claude/installation';
import type { Runner } from '../domain/attempt';
import { folderOf } from '../domain/task';
import { describePayment, nameClaude, noteVersion, requireUsable } from '../app/accountWords';
import { refuseUnadopted } from '../app/adopt';
import { refuseInsideRun } from '../app/insideRun';
import { createWorkerNotices } from '../app/workerNotices';
import { WorkerAccount } from '../app/workerAccount';
import { findOutside } from '../platform/allowedDirectories';
import { measureDiff } from '../platform/gitDiff';
import type { TaskQueue } from '../queue/taskQueue';
import type { CheckedTask, CheckGround } from '../worker/check';
import type { WorkerParts } from '../worker/parts';
import type { Context } from './context';
import { createLiveView } from './liveView';

/** Makes a worker, says what it will run with, and ends cleanly at a signal. */
export async function withWorker(
  context: Context,
  act: (parts: WorkerParts, stop: AbortSignal) => Promise<number>,
): Promise<number> {
  // A request to stop that comes while Claude Code is looked for is meant for this worker too.
  const since = context.system.clock.now();
  await context.configureStrictly();
  const claude = await context.findClaude();
  requireUsable(claude);
  return context.withQueue(async (queue) => {
    await refuseInsideRun(context, queue, 'run tasks');
    await refuseUnadopted(context, queue);
    context.system.out(describeClaude(claude));
    return act({ ...(await createParts(context, queue, claude)), since }, context.system.onEnd());
  });
}

function describeClaude(claude: Installation): string {
  const note = noteVersion(claude);
  const payer = `${nameClaude(claude)} (${claude.path}), ${describePayment(claude)}.`;
  return note === null ? payer : `${payer} ${note}`;
}

async function createParts(
  context: Context,
  queue: TaskQueue,
  claude: Installation,
): Promise<Omit<WorkerParts, 'since'>> {
  const { system, queueFolder, machine } = context;
  const approvals = context.openApprovals();
  const grants = context.openGrants();
  const { clock, processes, random, createId } = system;
  const self = processes.self();
  // As random as a UUID is.
  const reportToken = await context.openReportToken().ensure(() => createId().slice(0, 4));
  const account = await WorkerAccount.open(context, claude, (changed, why) => {
    system.out(`From now on: ${describeClaude(changed)}`);
    if (why !== null) system.out(why);
  });
  const parts = {
    queue,
    gate: account,
    readProofs: () => approvals.read(),
    rules: context.configuration,
    clock,
    createId,
    owner: { kind: 'process', worker: String(self.pid), machine: machine.id, process: self },
  } as const;
  const events = createLiveView(system, () => context.configuration.last.timeZone);
  return {
    ...parts,
    runner: createRunner(context, account, reportToken),
    readGrants: (row) => grants.read(row),
    random,
    processes,
    measureDiff: (dir, stop) =>
      measureDiff(dir, { environment: system.env, except: context.protectedPaths }, stop),
    prepareCheck: (task) => prepareCheck(context, account, task),
    queueFolder,
    events,
    notices: createWorkerNotices(context, parts, (line) => {
      events.trouble(line);
    }),
  };
}

/** A check is given what its task's run was given. */
async function prepareCheck(
  { system: { env }, allowedDirectories }: Context,
  account: WorkerAccount,
  task: CheckedTask,
): Promise<CheckGround> {
  const workingDir = folderOf(task);
  const { billing } = account.of(task.id).claude;
  return {
    outside: findOutside(workingDir, allowedDirectories),
    environment: await buildCheckEnvironment(env, billing, workingDir),
    secrets: listSecrets(env),
  };
}

/** Each run goes by the settings, and the account, of its time. */
function createRunner(context: Context, account: WorkerAccount, token: string): Runner {
  const { system, configuration, protectedPaths } = context;
  const { env, clock, processes, timeZone } = system;
  return {
    run: (job, events, stop) => {
      const { settings } = configuration.last;
      const { claude, flags } = account.of(job.definition.id);
      const runner = createClaudeRunner({
        claude: claude.path,
        environment: { ...env },
        billing: claude.billing,
        flags,
        permissionMode: settings.permissionMode,
        protectedPaths,
        ...(settings.selfReport === 'off'
          ? {}
          : { selfReport: { token, isRequired: settings.selfReport === 'required' } }),
        allowedDirectories: context.allowedDirectories,
        apiRetries: settings.claudeRetries,
        clock,
        processes,
        timeZone,
        graceMs: settings.stopGrace,
      });
      return runner.run(job, events, stop);
    },
    tracesOf: (job) => readTraces(job, { ...env }),
  };
}
