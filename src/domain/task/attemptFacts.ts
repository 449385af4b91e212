import type { AttemptFacts, Verdict } from './attempt';

/** Every one by name: a fact that is not here would be lost between a verdict and the history. */
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
  permissions: true,
  billing: true,
  earlierOutput: true,
};

/** What a verdict says besides the outcome. */
export function factsOf(verdict: Verdict): AttemptFacts {
  const entries = Object.entries(verdict).filter(([name, fact]) => name in FACTS && fact !== undefined);
  return Object.fromEntries(entries);
}
