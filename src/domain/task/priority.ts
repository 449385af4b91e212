/** Priorities of a task, highest first. */
export const PRIORITIES = ['critical', 'high', 'medium', 'low'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** Returns these priorities, where they are some of all; undefined: all, also if each is named. */
export function unlessAll(priorities: readonly Priority[] | undefined): readonly Priority[] | undefined {
  return PRIORITIES.every((priority) => priorities?.includes(priority)) ? undefined : priorities;
}

const OTHER_NAMES = new Map<string, Priority>([
  ['', 'medium'],
  ['normal', 'medium'],
  ['5', 'critical'],
  ['4', 'high'],
  ['3', 'medium'],
  ['2', 'low'],
  ['1', 'low'],
]);

/** Rules by which waiting raises a task's priority. */
export interface Ageing {
  /** Waiting raises no priority. */
  readonly strict: boolean;
  readonly mediumToHighMs: number;
  readonly lowToMediumMs: number;
  /** Time until a low task that became medium becomes high. */
  readonly promotedToHighMs: number;
}

/** Reads a priority's name, in any case, or 1 (lowest) to 5; empty is medium. Null if it is unknown. */
export function parsePriority(cell: string): Priority | null {
  const name = cell.trim().toLowerCase();
  return PRIORITIES.find((priority) => priority === name) ?? OTHER_NAMES.get(name) ?? null;
}

/** Returns the priority that counts after this waiting time. Critical and high stay as they are. */
export function effectivePriority(priority: Priority, waitedMs: number, ageing: Ageing): Priority {
  if (ageing.strict) return priority;
  if (priority === 'medium') return waitedMs >= ageing.mediumToHighMs ? 'high' : 'medium';
  if (priority !== 'low' || waitedMs < ageing.lowToMediumMs) return priority;
  return waitedMs >= ageing.lowToMediumMs + ageing.promotedToHighMs ? 'high' : 'medium';
}

/** Returns the waiting time after which the priority that counts rises next; null: never. */
export function nextPromotion(priority: Priority, waitedMs: number, ageing: Ageing): number | null {
  if (ageing.strict) return null;
  if (priority === 'medium') return waitedMs < ageing.mediumToHighMs ? ageing.mediumToHighMs : null;
  if (priority !== 'low') return null;
  if (waitedMs < ageing.lowToMediumMs) return ageing.lowToMediumMs;
  const toHigh = ageing.lowToMediumMs + ageing.promotedToHighMs;
  return waitedMs < toHigh ? toHigh : null;
}

/** Negative if `a` goes before `b`, positive if after, 0 if they are the same. */
export function comparePriority(a: Priority, b: Priority): number {
  return PRIORITIES.indexOf(a) - PRIORITIES.indexOf(b);
}
