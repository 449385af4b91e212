import { t } from '../../platform/text/translate';
import type { DiffSide } from './versionUri';

/** Returns the title of the editor that shows what an attempt changed. */
export function nameDiff({ task, attempt }: Pick<DiffSide, 'task' | 'attempt'>): string {
  return t('Changes of task {0}, attempt {1}', task, attempt);
}

/** Whether a tab with this label shows the editor with this title. VS Code adds the number of files. */
export function isTabOf(label: string, title: string): boolean {
  return label.startsWith(`${title} (`);
}
