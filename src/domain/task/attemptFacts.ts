import type { AttemptFacts, Verdict } from './attempt';

/** Names of all facts. A fact missing here would be lost between the verdict and the history. */
const FACTS: Readonly<Record<keyof AttemptFacts, true>> = {
  note: true,
  report: true,
  reportReason: true,
  turns: true,
  costUsd: true,
  tokens: true,
  model: true,
  version: true,
  apiMs: true,
  subtype: true,
  terminalReason: true,
  limitWarning: true,
  contextTokens: true,
  check: true,
  diff: true,
  isDiffPartial: true,
  changedTests: true,
  tree: true,
  permissions: true,
  billing: true,
  earlierOutput: true,
};

/** Returns the facts of a verdict, without its outcome. */
export function factsOf(verdict: Verdict): AttemptFacts {
  const entries = Object.entries(verdict).filter(([name, fact]) => name in FACTS && fact !== undefined);
  return Object.fromEntries(entries);
}

/** Whether an attempt may have changed more than its diff counts. */
export function hasPartialDiff({
  diff,
  isDiffPartial,
}: Pick<AttemptFacts, 'diff' | 'isDiffPartial'>): boolean {
  return diff === undefined || isDiffPartial === true;
}

/** Whether an attempt changed a test file; null: not known, as a partial diff may leave one out. */
export function changedTestsOf(
  attempt: Pick<AttemptFacts, 'diff' | 'isDiffPartial' | 'changedTests'>,
): boolean | null {
  if (attempt.changedTests === true) return true;
  return hasPartialDiff(attempt) ? null : (attempt.changedTests ?? null);
}

/** Whether changes of an attempt are known, or what its diff leaves out. */
export function hasDiff({ diff, isDiffPartial }: Pick<AttemptFacts, 'diff' | 'isDiffPartial'>): boolean {
  return diff !== undefined && (diff.files > 0 || isDiffPartial === true);
}
