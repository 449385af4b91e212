import type { Priority } from '../../../domain/task/priority';
import { t } from '../../../platform/text/translate';

/**
 * Sentences about an action that was carried out on several tasks, or was not possible. `{0}` and `{1}` are numbers of
 * tasks, or their ids.
 */
export interface BulkActionTexts {
  readonly one: string;
  readonly many: string;
  /** One of several. */
  readonly oneOf: string;
  /** Some of several. */
  readonly manyOf: string;
  readonly notOne: string;
  readonly notMany: string;
}

/** Action that was carried out on several tasks. */
export type BulkAction =
  'approved' | 'retried' | 'accepted' | 'cancelled' | 'moved' | 'removed' | { readonly priority: Priority };

/** Returns the sentences about an action. */
export function textsOf(action: BulkAction): BulkActionTexts {
  return typeof action === 'string' ? TEXTS[action] : textsOfPriority(action.priority);
}

const TEXTS: Readonly<Record<Extract<BulkAction, string>, BulkActionTexts>> = {
  approved: {
    one: t('1 task was approved.'),
    many: t('{0} tasks were approved.'),
    oneOf: t('1 of {0} tasks was approved.'),
    manyOf: t('{0} of {1} tasks were approved.'),
    notOne: t('Task {0} cannot be approved.'),
    notMany: t('None of these tasks can be approved: {0}.'),
  },
  retried: {
    one: t('1 task was retried.'),
    many: t('{0} tasks were retried.'),
    oneOf: t('1 of {0} tasks was retried.'),
    manyOf: t('{0} of {1} tasks were retried.'),
    notOne: t('Task {0} cannot be retried.'),
    notMany: t('None of these tasks can be retried: {0}.'),
  },
  accepted: {
    one: t('1 task was accepted.'),
    many: t('{0} tasks were accepted.'),
    oneOf: t('1 of {0} tasks was accepted.'),
    manyOf: t('{0} of {1} tasks were accepted.'),
    notOne: t('Task {0} cannot be accepted.'),
    notMany: t('None of these tasks can be accepted: {0}.'),
  },
  cancelled: {
    one: t('1 task was cancelled.'),
    many: t('{0} tasks were cancelled.'),
    oneOf: t('1 of {0} tasks was cancelled.'),
    manyOf: t('{0} of {1} tasks were cancelled.'),
    notOne: t('Task {0} cannot be cancelled.'),
    notMany: t('None of these tasks can be cancelled: {0}.'),
  },
  moved: {
    one: t('1 task was moved.'),
    many: t('{0} tasks were moved.'),
    oneOf: t('1 of {0} tasks was moved.'),
    manyOf: t('{0} of {1} tasks were moved.'),
    notOne: t('Task {0} cannot be moved.'),
    notMany: t('None of these tasks can be moved: {0}.'),
  },
  removed: {
    one: t('1 task was removed.'),
    many: t('{0} tasks were removed.'),
    oneOf: t('1 of {0} tasks was removed.'),
    manyOf: t('{0} of {1} tasks were removed.'),
    notOne: t('Task {0} cannot be removed.'),
    notMany: t('None of these tasks can be removed: {0}.'),
  },
};

function textsOfPriority(priority: Priority): BulkActionTexts {
  return {
    one: t('1 task was changed to priority {0}.', priority),
    many: t('{0} tasks were changed to priority {1}.', '{0}', priority),
    oneOf: t('1 of {0} tasks was changed to priority {1}.', '{0}', priority),
    manyOf: t('{0} of {1} tasks were changed to priority {2}.', '{0}', '{1}', priority),
    notOne: t('Task {0} cannot be changed to priority {1}.', '{0}', priority),
    notMany: t('None of these tasks can be changed to priority {0}: {1}.', priority, '{0}'),
  };
}
