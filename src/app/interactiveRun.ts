import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { prepareInteractive, type InteractiveStart } from '../claude/interactive';
import { outputName } from '../domain/attempt';
import type { Reason } from '../domain/explain';
import type { TaskId } from '../domain/task';
import type { Claim } from '../domain/view';
import { makePrivateFolder, replaceDurably } from '../platform/files';
import type { TaskQueue } from '../queue/taskQueue';
import { type Held, nextTaskFile, takeTask } from './handOver';
import { formatNextTask } from './nextTask';
import type { QueueSite } from './site';

/** A task that a person is about to do with Claude Code in a terminal. */
export interface InteractiveRun extends Held {
  /** The claude program, which is the terminal's own process. */
  readonly program: string;
  readonly start: InteractiveStart;
}

/** Where the hooks of an interactive run tell what happens. */
export function eventsFileOf({ queueFolder }: QueueSite, { id, attempt }: Claim): string {
  return path.join(queueFolder, 'state', 'outputs', `${outputName(id, attempt)}.events`);
}

/**
 * Hands the task to the person, unless they have it already, and prepares its session. The reason where it cannot be
 * had. @throws Problem `claude-missing`
 */
export async function prepareRun(
  site: QueueSite,
  queue: TaskQueue,
  id: TaskId,
): Promise<InteractiveRun | Reason> {
  const claude = await site.findClaude();
  const { settings } = await site.configureStrictly();
  const held = (await findHeld(site, queue, id)) ?? (await takeTask(site, queue, id));
  if ('shown' in held) return held;
  const { claim, definition } = held;
  const eventsFile = eventsFileOf(site, claim);
  await makePrivateFolder(path.dirname(eventsFile));
  await (await fs.open(eventsFile, 'a', 0o600)).close();
  const start = await prepareInteractive(
    {
      definition,
      session: claim.session,
      ...(claim.resume === undefined ? {} : { resume: claim.resume }),
      runMark: claim.mark,
    },
    {
      environment: { ...site.host.env },
      billing: claude.billing,
      permissions: { mode: settings.permissionMode, allowedTools: [] },
      protectedPaths: site.protectedPaths,
      eventsFile,
      taskFile: nextTaskFile(site),
    },
  );
  if (start.needsTaskFile) await replaceDurably(nextTaskFile(site), formatNextTask(definition));
  return { ...held, program: claude.path, start };
}

/** The task as the person has it, where they have it and Claude does not work on it in some terminal. */
async function findHeld({ host }: QueueSite, queue: TaskQueue, id: TaskId): Promise<Held | null> {
  const { claims, tasks } = await queue.read();
  const claim = claims.find(
    ({ id: claimed, owner, run }) =>
      claimed === id && owner.kind === 'person' && (run === undefined || !host.processes.isAlive(run)),
  );
  const task = tasks.find(({ definition }) => definition.id === id);
  return claim === undefined || task === undefined ? null : { claim, definition: task.definition };
}
