import type { PermissionMode } from '../../domain/task/task';
import { t } from '../../platform/text/translate';

/** Description of each permission mode of an unattended attempt. */
export const MODE_WORDS: Readonly<Record<PermissionMode, string>> = {
  auto: t('what Claude Code itself judges to be safe (auto)'),
  acceptEdits: t('edit and delete files in its folder; other tools need a rule (acceptEdits)'),
  manual: t('only what your own rules allow (manual)'),
  default: t('only what your own rules allow (default)'),
  dontAsk: t('only what your own rules allow, without asking (dontAsk)'),
  plan: t('only read and plan (plan)'),
  bypassPermissions: t('anything (bypassPermissions)'),
};
