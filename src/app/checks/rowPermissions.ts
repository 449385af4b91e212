import { readAllowRules } from '../../claude/folder/allowRules';
import type { Permissions } from '../../domain/task/attempt';
import { approvable, approvalOf } from '../../domain/task/approval';
import { permissionsOf } from '../../domain/task/permissions';
import { placeOf } from '../../domain/task/place';
import type { TaskView } from '../../domain/queue/view';
import { hasCode } from '../../platform/files/files';
import type { QueueContext } from '../context/queueContext';

/** Returns what attempts of a task may do, also by Claude Code's own settings; null: these may allow more than rules. */
export type ReadPermissions = (task: Pick<TaskView, 'definition' | 'state'>) => Promise<Permissions | null>;

/** Prepares to read the permissions of tasks on this machine. Reads the settings for each folder once. */
export async function openPermissions(context: QueueContext): Promise<ReadPermissions> {
  const { settings } = await context.configure();
  const granted = await readGrants(context);
  if (granted === null) return () => Promise.resolve(null);
  const env = { ...context.host.env };
  const byFolder = new Map<string, ReturnType<typeof readAllowRules>>();
  return async ({ definition, state }) => {
    const { folder } = placeOf(definition);
    const reading = byFolder.get(folder) ?? readAllowRules(folder, env);
    byFolder.set(folder, reading);
    const rules = await reading;
    if (rules === null) return null;
    const grants = granted.get(approvalOf(approvable(definition, state.power))) ?? [];
    return permissionsOf({ definition, grants: [...grants, ...rules] }, settings.permissionMode);
  };
}

/** Returns the rules that the user added; null if the user's state folder cannot be read: the check reports that. */
async function readGrants(context: QueueContext): Promise<ReadonlyMap<string, readonly string[]> | null> {
  try {
    return await context.openGrants().readAll();
  } catch (error) {
    if (hasCode(error, 'ENOTDIR', 'EACCES', 'EPERM')) return null;
    throw error;
  }
}
