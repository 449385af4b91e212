import { commandId, type CommandName } from '../commandIds';

/** Title of a command in a manifest. VS Code adds the English one where it shows another language. */
type ListedTitle = string | { readonly value: string };

interface ListedCommand {
  readonly command: string;
  readonly title: ListedTitle;
  readonly icon?: string;
}

/** Commands of the manifest by their ids. */
export type ListedCommands = ReadonlyMap<string, { readonly title: string; readonly icon?: string }>;

/** Returns the commands that a manifest lists. */
export function listCommands(manifest: unknown): ListedCommands {
  const { contributes } = manifest as { contributes: { commands: readonly ListedCommand[] } };
  return new Map(
    contributes.commands.map(({ command, title, ...more }) => [command, { ...more, title: textOf(title) }]),
  );
}

function textOf(title: ListedTitle): string {
  return typeof title === 'string' ? title : title.value;
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
