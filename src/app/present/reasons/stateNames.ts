import type { ShownState } from '../../../domain/reasons/reason';
import type { Unmet } from '../../../domain/task/dependencies';
import { t } from '../../../platform/text/translate';

/** Names of the states of a task: those under which the user sees it, and those of a dependency. */
export const STATE_NAMES: Readonly<Record<ShownState | Unmet['why'], string>> = {
  invalid: t('invalid'),
  missing: t('missing'),
  unapproved: t('unapproved'),
  pending: t('pending'),
  ready: t('ready'),
  scheduled: t('scheduled'),
  blocked: t('blocked'),
  stuck: t('stuck'),
  retrying: t('retrying'),
  waiting: t('waiting'),
  running: t('running'),
  review: t('review'),
  completed: t('completed'),
  cancelled: t('cancelled'),
  failed: t('failed'),
  dead: t('failed'),
};
