import type { Attempt } from './attempt';

/** Reasons of a `permanent` end that concern only the row itself: no other row fails for them. */

/** The working directory is missing, is no directory, cannot be entered, or is outside of the allowed directories. */
export const BAD_WORKING_DIR = 'bad-working-dir';

/** The row's model or tools cannot be passed to a program: too long, or not text. */
export const UNUSABLE_WORDS = 'unusable-words';

/** The account does not offer a context as large as the row asks for. */
export const LONG_CONTEXT = 'long_context_credits_required';

/** The model does not exist, or this account may not use it. */
export const MODEL_NOT_FOUND = 'model_not_found';

/** Reasons about the model: a row's own mistake where the row names the model, else the default model's. */
export const MODEL_FAULTS: readonly string[] = [MODEL_NOT_FOUND, LONG_CONTEXT];

/** Claude refused the task. */
export const REFUSAL = 'refusal';

/** The row's own limits on turns or cost were reached. */
export const OWN_CAPS: readonly string[] = ['error_max_turns', 'error_max_budget_usd'];

/** Claude Code refused to start with what the row asks for. */
export const OWN_STARTS: readonly string[] = [
  'cwd_unavailable',
  'bypass_root',
  'worktree_resume_refused',
  'provider_not_allowed',
];

/** The model does not exist, or its maximum output is shorter than the answer. */
export const OWN_ERRORS: readonly string[] = [MODEL_NOT_FOUND, 'max_output_tokens'];

/** The prompt is too long, or has an image that cannot be read. */
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

/** Whether an attempt failed because of its own row. Such a failure says nothing about the others. */
export function isOwnMistake({ outcome, reason }: Pick<Attempt, 'outcome' | 'reason'>): boolean {
  return outcome === 'permanent' && ALL.has(reason);
}
