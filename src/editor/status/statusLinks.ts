import type { HoverLink } from '../hover/hoverText';
import { describeCommand, type ListedCommands } from '../state/listedCommands';
import type { MenuEntry, MenuSection } from './queueMenu';

/** Maximum number of links for each section of the menu: the menu has the others. */
const MOST_LINKS: Readonly<Record<MenuSection, number>> = { Now: 4, 'Needs Attention': 3, Queue: 2 };

/** Returns links to the first entries of each section of the menu, and one to the menu. */
export function linkMenu(entries: readonly MenuEntry[], listed: ListedCommands): readonly HoverLink[] {
  const shown = entries.filter(({ section }, index) => {
    const before = entries.slice(0, index).filter((entry) => entry.section === section);
    return before.length < MOST_LINKS[section];
  });
  const links = shown.map(({ command, taskId, label }) => ({
    command,
    title: label ?? describeCommand(command, listed).title,
    ...(taskId === undefined ? {} : { arguments: [taskId] }),
  }));
  return [...links, { title: 'More…', command: 'showMenu' }];
}
