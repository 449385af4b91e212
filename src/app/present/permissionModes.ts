import type { PermissionMode } from '../../domain/task/task';

const ONLY_RULES = 'only what your own rules allow';

/** Description of each permission mode of an unattended attempt. */
export const MODE_WORDS: Readonly<Record<PermissionMode, string>> = {
  auto: 'what Claude Code itself judges to be safe (auto)',
  acceptEdits: 'edit files; other tools need a rule (acceptEdits)',
  manual: `${ONLY_RULES} (manual)`,
  default: `${ONLY_RULES} (default)`,
  dontAsk: `${ONLY_RULES}, without asking (dontAsk)`,
  plan: 'only read and plan (plan)',
  bypassPermissions: 'anything (bypassPermissions)',
};
