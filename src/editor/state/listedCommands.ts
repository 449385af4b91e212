import { commandId, type CommandName } from '../commandIds';

interface ListedCommand {
  readonly command: string;
  readonly title: string;
  readonly icon?: string;
}

/** Commands of the manifest by their ids. */
export type ListedCommands = ReadonlyMap<string, Omit<ListedCommand, 'command'>>;

/** Returns the commands that a manifest lists. */
export function listCommands(manifest: unknown): ListedCommands {
  const { contributes } = manifest as { contributes: { commands: readonly ListedCommand[] } };
  return new Map(contributes.commands.map((entry) => [entry.command, entry]));
}

/** Returns the title of a command, and the name of its icon; null: it has none. */
export function describeCommand(
  command: CommandName,
  listed: ListedCommands,
): { readonly title: string; readonly icon: string | null } {
  const id = commandId(command);
  const entry = listed.get(id);
  return { title: entry?.title ?? id, icon: entry?.icon?.slice('$('.length, -1) ?? null };
}
