import { describeError } from '../app/present/problems/problem';
import { buildCheckEnvironment } from '../claude/installation/checkEnvironment';
import { createClaudeRunner } from '../claude/attempt/run';
import { listSecrets } from '../claude/installation/signIn';
import { readTraces } from '../claude/attempt/traces';
import type { Installation } from '../claude/installation/installation';
import type { Attempt, Runner } from '../domain/task/attempt';
import {
  describePayment,
  isUsable,
  nameClaude,
  noteVersion,
  requireUsable,
} from '../app/present/installation';
import { refuseUnadopted } from '../app/actions/queue/adopt';
import { awaitUndo, reportOnce, settleUndos } from '../app/actions/undo/settleUndos';
import { refuseInsideAttempt } from '../app/actions/attempts/insideAttempt';
import { readKeptResult, readResult } from '../app/notify/callbackResult';
import { createWorkerNotices } from '../app/notify/workerNotices';
import { AccountNotConfirmed, WorkerAccount } from '../app/context/workerAccount';
import { findOutside } from '../platform/files/allowedDirectories';
import type { Clock } from '../platform/clock';
import { findSizesFolder, openKeptTrees } from '../app/context/openKeptTrees';
import { ScratchFolders } from '../platform/files/scratchFolders';
import { createDiffMeasure } from '../platform/git/changeMeasure';
import { createSnapshots } from '../platform/git/snapshot';
import type { Processes } from '../platform/processes/processes';
import { watchProcesses } from '../platform/processes/watchdog';
import type { TaskQueue } from '../queue/taskQueue';
import type { CheckedTask, CheckGround } from '../worker/attempt/runCheck';
import type { WorkerDeps } from '../worker/workerDeps';
import type { Context } from './context';
import { createLiveView } from './output/liveView';

/**
 * Creates a worker, prints what it will run with, and ends cleanly at a signal. It starts with what Claude Code last
 * answered, if nothing is known to have changed. If the new answer differs, it starts anew with that.
 */
export async function withWorker(
  context: Context,
  act: (deps: WorkerDeps, stop: AbortSignal) => Promise<number>,
): Promise<number> {
  // A stop request that comes while Claude Code is being found is meant for this worker too.
  const startedAt = context.system.clock.now();
  await context.configureStrictly();
  // Claude Code takes longer to report who pays than a task takes to be claimed and prepared.
  const asking = findUsable(context);
  const working = context.withQueue(async (queue) => {
    await refuseInsideAttempt(context, queue, 'run tasks');
    await refuseUnadopted(context, queue);
    const reportUndo = reportOnce((sentence) => {
      context.system.out(sentence);
    });
    await settleUndos(context, queue, reportUndo);
    const awaitsUndo = {
      awaitUndo: (folder: string, ending: AbortSignal) =>
        awaitUndo(context, queue, folder, { report: reportUndo, stop: ending }),
    };
    const since = queue.now() - (context.system.clock.now() - startedAt);
    const stop = context.system.onEnd();
    return whileWatched(context, (processes) =>
      actConfirmed(context, asking, async (claude) => {
        const parts = await createParts(context, { queue, claude, answer: asking, processes });
        return act({ ...parts, ...awaitsUndo, since }, stop);
      }),
    );
  });
  await Promise.allSettled([asking, working]);
  return working;
}

/** Acts with what Claude Code last answered. If its new answer differs, acts again with that. */
async function actConfirmed(
  context: Context,
  asking: Promise<Installation>,
  act: (claude: Installation) => Promise<number>,
): Promise<number> {
  const actWith = (claude: Installation): Promise<number> => {
    context.system.out(describeClaude(claude));
    return act(claude);
  };
  const assumed = await recallUsable(context);
  if (assumed === null) return actWith(await asking);
  try {
    return await actWith(assumed);
  } catch (error) {
    if (!(error instanceof AccountNotConfirmed)) throw error;
  }
  const answer = await asking;
  context.system.out(
    'Who pays, or Claude Code itself, has changed since the last start. No prompt was sent.',
  );
  return actWith(answer);
}

/**
 * Acts with the machine's processes. Those that it starts for a queue in Redis end with this process, however that ends:
 * on other machines their tasks are started again, and nobody there could end them.
 */
async function whileWatched(
  { system, redis }: Context,
  act: (processes: Processes) => Promise<number>,
): Promise<number> {
  if (redis === null) return act(system.processes);
  const watchdog = system.createWatchdog((error) => {
    system.err(
      `The watchdog of this worker ended${error === null ? '' : ` (${describeError(error)})`}. The next attempt starts it again.`,
    );
  });
  try {
    return await act(watchProcesses(system.processes, watchdog));
  } finally {
    watchdog.close();
  }
}

async function findUsable(context: Context): Promise<Installation> {
  const claude = await context.findClaude();
  requireUsable(claude);
  return claude;
}

/** Returns Claude Code as it last answered; null if it has to be asked first. */
async function recallUsable(context: Context): Promise<Installation | null> {
  const remembered = await context.recallClaude();
  if (remembered === null) return null;
  const { claude, offers, isCurrent } = remembered;
  if (!isCurrent || offers === null || !isUsable(claude)) return null;
  return { ...claude, readOffers: () => Promise.resolve(offers) };
}

function describeClaude(claude: Installation): string {
  const note = noteVersion(claude);
  const payer = `${nameClaude(claude)} (${claude.path}), ${describePayment(claude)}.`;
  return note === null ? payer : `${payer} ${note}`;
}

interface Chosen {
  readonly queue: TaskQueue;
  readonly claude: Installation;
  /** Answer of Claude Code at this start; `claude` may be what it last answered. */
  readonly answer: Promise<Installation>;
  readonly processes: Processes;
}

async function createParts(
  context: Context,
  { queue, claude, answer, processes }: Chosen,
): Promise<Omit<WorkerDeps, 'since'>> {
  const { system, paths, machine } = context;
  const approvals = context.openApprovals();
  const grants = context.openGrants();
  const { random, createId } = system;
  // Machines that share a queue must agree on the time.
  const clock: Clock = { now: () => queue.now(), sleep: (ms, signal) => system.clock.sleep(ms, signal) };
  const self = processes.self();
  // As random as a UUID.
  const reportToken = await context.openReportToken().ensure(() => createId().slice(0, 4));
  const account = await WorkerAccount.open(context, claude, answer, (changed, why) => {
    system.out(`From now on: ${describeClaude(changed)}`);
    if (why !== null) system.out(why);
  });
  const deps = {
    queue,
    gate: account,
    readApprovedRows: () => approvals.read(),
    rules: context.configuration,
    clock,
    createId,
    owner: { kind: 'process', worker: String(self.pid), machine: machine.id, process: self },
  } as const;
  const events = createLiveView(system, () => context.moment());
  const scratch = new ScratchFolders(processes);
  const looks = {
    scratch,
    environment: system.env,
    except: context.protectedPaths,
    sizesFolder: findSizesFolder(system.env),
  };
  return {
    ...deps,
    runner: createRunner(context, account, { processes, token: reportToken }),
    readGrants: (row) => grants.read(row),
    random,
    processes,
    measureDiff: createDiffMeasure(looks),
    keptTrees: openKeptTrees(context),
    filesBefore: { take: createSnapshots(looks), scratch },
    prepareCheck: (task) => prepareCheck(context, account, task),
    ...(context.redis === null
      ? {}
      : { readResult: (attempt: Attempt) => readKeptResult(attempt, paths.state, reportToken) }),
    paths,
    events,
    describeError,
    notices: createWorkerNotices(
      context,
      { ...deps, readResult: (attempt) => readResult(attempt, paths.state, reportToken) },
      (line) => {
        events.trouble(line);
      },
    ),
  };
}

/** A check has the environment of its task's attempt. */
async function prepareCheck(
  { system: { env }, allowedDirectories, configuration }: Context,
  account: WorkerAccount,
  { id, place: { folder } }: CheckedTask,
): Promise<CheckGround> {
  const { billing } = account.of(id).claude;
  return {
    outside: findOutside(folder, allowedDirectories),
    environment: await buildCheckEnvironment(env, billing, folder),
    secrets: [...listSecrets(env), ...listOwnSecrets(configuration.last)],
  };
}

/** A program that Claude starts may read the user's own settings. */
function listOwnSecrets({ settings: { callbackSecret } }: Context['configuration']['last']): string[] {
  return callbackSecret === '' ? [] : [callbackSecret];
}

/** Each attempt uses the settings and the account of its start. */
function createRunner(
  context: Context,
  account: WorkerAccount,
  { processes, token }: { readonly processes: Processes; readonly token: string },
): Runner {
  const { system, configuration, protectedPaths } = context;
  const { env, clock, timeZone } = system;
  return {
    run: (job, events, stop) => {
      const { settings } = configuration.last;
      const { claude, flags } = account.of(job.definition.id);
      const runner = createClaudeRunner({
        claude: claude.path,
        environment: { ...env },
        secrets: listOwnSecrets(configuration.last),
        billing: claude.billing,
        flags,
        permissionMode: settings.permissionMode,
        protectedPaths,
        ...(settings.selfReport === 'off'
          ? {}
          : { selfReport: { token, isRequired: settings.selfReport === 'required' } }),
        allowedDirectories: context.allowedDirectories,
        repositories: context.repositories,
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
