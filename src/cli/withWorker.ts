import { createClaudeRunner } from '../claude/run';
import type { Installation } from '../claude/installation';
import type { Runner } from '../domain/attempt';
import { refuseInsideRun } from '../app/insideRun';
import type { TaskQueue } from '../queue/taskQueue';
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
  return context.withQueue(async (queue) => {
    await refuseInsideRun(context, queue, 'run tasks');
    context.system.out(describeClaude(claude));
    return act({ ...(await createParts(context, queue, claude)), since }, context.system.onEnd());
  });
}

const BILLED = {
  subscription: 'billed to the subscription it is signed in with',
  'api-key': 'billed to an API key, not to a subscription',
  none: 'not signed in',
} as const;

function describeClaude({ path, version, billing }: Installation): string {
  return `Claude Code ${version ?? '(unknown version)'} (${path}), ${BILLED[billing]}.`;
}

async function createParts(
  context: Context,
  queue: TaskQueue,
  claude: Installation,
): Promise<Omit<WorkerParts, 'since'>> {
  const { system, queueFolder, machine } = context;
  const approvals = context.openApprovals();
  const { clock, processes, random, createId } = system;
  const self = processes.self();
  return {
    queue,
    gate: await context.openGate(),
    runner: createRunner(context, claude),
    readProofs: () => approvals.read(),
    rules: context.configuration,
    clock,
    random,
    createId,
    processes,
    owner: { kind: 'process', worker: String(self.pid), machine: machine.id, process: self },
    queueFolder,
    events: createLiveView(system, () => context.configuration.last.timeZone),
  };
}

/** Each run goes by the settings of its time. */
function createRunner({ system, configuration, protectedPaths }: Context, claude: Installation): Runner {
  const { env, clock, processes, timeZone } = system;
  return {
    run: (job, events, stop) => {
      const { settings } = configuration.last;
      const runner = createClaudeRunner({
        claude: claude.path,
        environment: { ...env },
        billing: claude.billing,
        permissions: { mode: settings.permissionMode, allowedTools: [] },
        protectedPaths,
        apiRetries: settings.claudeRetries,
        clock,
        processes,
        timeZone,
        graceMs: settings.stopGrace,
      });
      return runner.run(job, events, stop);
    },
  };
}
