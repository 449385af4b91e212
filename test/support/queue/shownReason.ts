import { showReason, type ShownReason } from '../../../src/app/present/reasons/reason';
import { explain } from '../../../src/domain/reasons/explain';
import type { World } from '../../../src/domain/reasons/world';
import type { Choice } from '../../../src/domain/order/choice';
import { lookAhead, type Outlook } from '../../../src/domain/order/lookAhead';

/** Explains a task, with the text that people see at the time of the world. */
export function explainAsText(...[task, world, override]: Parameters<typeof explain>): ShownReason {
  return showReason(explain(task, world, override), world);
}

/** Looks ahead, with the text that people see at the time of the world. */
export function lookAheadAsText(
  world: World,
  choice?: Choice,
): Omit<Outlook, 'why'> & { readonly why: ShownReason } {
  const outlook = lookAhead(world, choice);
  return { ...outlook, why: showReason(outlook.why, world) };
}
