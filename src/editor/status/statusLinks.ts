import type { HoverLink } from '../hover/hoverText';
import { describeCommand, type ListedCommands } from '../state/listedCommands';
import { bindTarget } from '../state/queueTarget';
import type { MenuEntry, MenuSection } from './queueMenu';
import { t } from '../../platform/text/translate';

/** Maximum number of links for each section of the menu: the menu has the others. */
const MOST_LINKS: Readonly<Record<MenuSection, number>> = { now: 4, attention: 3, queue: 2 };

/** Returns links to the first entries of each section of the menu of a queue, and one to the menu. */
export function linkMenu(
  entries: readonly MenuEntry[],
  queue: string,
  listed: ListedCommands,
): readonly HoverLink[] {
  const shown = entries.filter(({ section }, index) => {
    const before = entries.slice(0, index).filter((entry) => entry.section === section);
    return before.length < MOST_LINKS[section];
  });
  const links = shown.map(({ command, taskId, label }) => ({
    command,
    title: label ?? describeCommand(command, listed).title,
    arguments: [bindTarget(queue, taskId)],
  }));
  return [...links, linkToMenu(queue, t('More'))];
}

/** Returns a link to the menu of a queue. */
export function linkToMenu(queue: string, title: string): HoverLink {
  return { title: `${title}…`, command: 'showMenu', arguments: [bindTarget(queue)] };
}
