import type { Job, Permissions } from './attempt';
import type { PermissionMode } from './task';

/**
 * Returns what an attempt may do: the row's mode and tools, or the machine's mode if the row has none. Rules that the
 * user granted are added.
 */
export function permissionsOf(
  { definition, grants = [] }: Pick<Job, 'definition' | 'grants'>,
  permissionMode: PermissionMode,
): Permissions {
  return {
    mode: definition.permissionMode ?? permissionMode,
    tools: [...(definition.allowedTools ?? []), ...grants],
  };
}
