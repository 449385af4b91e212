import type { Attempt } from './attempt';

/** Reasons of a `permanent` end that lie in a row itself: no other row fails of that. */

/** Its working directory is none, or cannot be reached. */
export const BAD_WORKING_DIR = 'bad-working-dir';

/** No program can be started with what it says of the model and the tools: it is too long, or no text. */
export const UNUSABLE_WORDS = 'unusable-words';

/** The account does not give a context as large as it asks for. */
export const LONG_CONTEXT = 'long_context_credits_required';

/** There is no such model, or this account may not use it. */
export const MODEL_NOT_FOUND = 'model_not_found';

/** Reasons that lie in the model: a row's own mistake where the row names the model, else the default model's. */
export const MODEL_FAULTS: readonly string[] = [MODEL_NOT_FOUND, LONG_CONTEXT];

/** Claude said no. */
export const REFUSAL = 'refusal';

/** It used up what it allows itself. */
export const OWN_CAPS: readonly string[] = ['error_max_turns', 'error_max_budget_usd'];

/** Claude Code refused to start what it asks for. */
export const OWN_STARTS: readonly string[] = [
  'cwd_unavailable',
  'bypass_root',
  'worktree_resume_refused',
  'provider_not_allowed',
];

/** It names a model that there is not, or wants a longer answer than that gives. */
export const OWN_ERRORS: readonly string[] = [MODEL_NOT_FOUND, 'max_output_tokens'];

/** What it says is too much, or cannot be seen. */
export const BAD_PROMPTS: readonly string[] = ['prompt_too_long', 'image_error'];

const ALL: ReadonlySet<string> = new Set([
  BAD_WORKING_DIR,
  UNUSABLE_WORDS,
  LONG_CONTEXT,
  REFUSAL,
  ...OWN_CAPS,
  ...OWN_STARTS,
  ...OWN_ERRORS,
  ...BAD_PROMPTS,
]);

/** Whether an attempt failed of what its own row says: that tells nothing about the others. */
export function isOwnMistake({ outcome, reason }: Pick<Attempt, 'outcome' | 'reason'>): boolean {
  return outcome === 'permanent' && ALL.has(reason);
}
