import type { Settings } from '../../domain/settings/settings';
import type { TaskFields } from '../taskQueue';
import { DEFAULT_MAX_RETRIES } from './readTexts';

/**
 * Returns the cells of a new row besides those that say what the task is. With `priorityRules`, they decide a priority
 * that the user does not name.
 */
export function usualCells({ priorityRules }: Pick<Settings, 'priorityRules'>): TaskFields {
  return {
    ...(priorityRules.length === 0 ? { priority: 'medium' } : {}),
    status: 'pending',
    repeat: 'no',
    retry_count: '0',
    max_retries: String(DEFAULT_MAX_RETRIES),
  };
}
