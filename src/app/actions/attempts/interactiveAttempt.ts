import * as path from 'node:path';
import {
  type InteractiveOptions,
  type InteractiveStart,
  prepareInteractive,
} from '../../../claude/interactive/prepareInteractive';
import { prepareOutput } from '../../../claude/attempt/outputFile';
import { refuseMoved } from '../../../claude/folder/refuseMoved';
import { type Attempt, BESIDE_OUTPUT } from '../../../domain/task/attempt';
import { permissionFingerprint } from '../../../domain/task/permissionFingerprint';
import { approvable, isApproved } from '../../../domain/task/approval';
import type { Definition, TaskId } from '../../../domain/task/task';
import type { Claim } from '../../../domain/queue/view';
import { makePrivateFolder, replaceDurably } from '../../../platform/files/files';
import type { TaskQueue } from '../../../queue/taskQueue';
import { findLast } from '../../../worker/attempt/createJob';
import { refuseChangedPrompt } from '../../../worker/attempt/refuseChangedPrompt';
import { requireUsable } from '../../present/installation';
import { awaitUndo } from '../undo/settleUndos';
import { takeTask, type UserClaim, type UserClaimResult } from './userClaim';
import { formatNextTask } from './nextTaskFile';
import type { QueueContext } from '../../context/queueContext';

/** Task that the user is about to do with Claude Code in a terminal. */
export interface InteractiveAttempt extends UserClaim {
  /** The claude program; it is the terminal's own process. */
  readonly program: string;
  readonly start: InteractiveStart;
  /** If false, Claude asks before each action and ignores the permissions of the row. */
  readonly isApproved: boolean;
}

/** File to which the hooks of an interactive run append events. */
export function eventsFileOf(queueContext: QueueContext, claim: Claim): string {
  return `${queueContext.paths.state.outputOf(claim)}${BESIDE_OUTPUT.events}`;
}

/**
 * Claims the task for the user, unless they already have it, and prepares its session. Returns the reason if it is not
 * available.
 * @throws Problem `claude-missing`; `not-paid`; `prompt-changed`; `folder-moved`; `already-running` if Claude Code is running it in a terminal
 */
export async function prepareAttempt(
  queueContext: QueueContext,
  queue: TaskQueue,
  id: TaskId,
): Promise<InteractiveAttempt | Exclude<UserClaimResult, UserClaim>> {
  const claude = await queueContext.findClaude();
  requireUsable(claude);
  const { settings } = await queueContext.configureStrictly();
  const approvedRows = await queueContext.openApprovals().read();
  const held = await takeTask(queueContext, queue, id);
  if (held.kind === 'idle') return held;
  try {
    const { definition: row, place } = held;
    refuseChangedPrompt(row, queueContext.paths.workspace);
    refuseMoved(id, place, queueContext.repositories);
    await awaitUndo(queueContext, queue, place.folder, {
      report: (sentence) => {
        queueContext.host.warn(sentence);
      },
      stop: new AbortController().signal,
    });
    const hasApproval = isApproved(approvable(row, permissionFingerprint(row)), approvedRows);
    const permissionMode = hasApproval ? settings.permissionMode : 'default';
    const definition = hasApproval ? row : withoutPermissions(row);
    const last = await findLast(queue, held.claim);
    const options = { billing: claude.billing, permissionMode };
    const start = await prepareStart(queueContext, { ...held, definition, last }, options);
    return { ...held, program: claude.path, start, isApproved: hasApproval };
  } catch (error) {
    if (held.isNew) await queue.release(held.claim, 'person', queueContext.host.createId());
    throw error;
  }
}

/**
 * Removes the permissions of an unapproved row. The user starts the task, but someone else may have written what it
 * allows Claude without asking.
 */
function withoutPermissions(definition: Definition): Definition {
  const { permissionMode: _mode, allowedTools: _tools, model: _model, ...others } = definition;
  const { appendSystemPrompt: _system, ...rest } = others;
  return rest;
}

async function prepareStart(
  queueContext: QueueContext,
  { claim, definition, place, last }: UserClaim & { readonly last: Attempt | null },
  options: Pick<InteractiveOptions, 'billing' | 'permissionMode'>,
): Promise<InteractiveStart> {
  const eventsFile = eventsFileOf(queueContext, claim);
  // Not NEXT_TASK.md: that may hold another task, which the user does by hand meanwhile.
  const taskFile = `${queueContext.paths.state.outputOf(claim)}${BESIDE_OUTPUT.task}`;
  await makePrivateFolder(path.dirname(eventsFile));
  // The hooks append to an existing file.
  await prepareOutput(eventsFile);
  const start = await prepareInteractive(
    {
      definition,
      place,
      session: claim.session,
      ...(claim.resume === undefined ? {} : { resume: claim.resume }),
      ...(claim.handOver === undefined ? {} : { handOver: claim.handOver }),
      ...(claim.answered === undefined ? {} : { answered: claim.answered }),
      ...(last === null ? {} : { last }),
      attemptMark: claim.mark,
    },
    {
      ...options,
      environment: { ...queueContext.host.env },
      protectedPaths: queueContext.protectedPaths,
      processes: queueContext.host.processes,
      eventsFile,
      taskFile,
    },
  );
  if (start.needsTaskFile) await replaceDurably(taskFile, formatNextTask(definition, place));
  return start;
}
