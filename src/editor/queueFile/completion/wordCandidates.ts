import { COLUMN_TEXTS } from '../columnTexts';
import { MODE_WORDS } from '../../../app/present/permissionModes';
import type { Settings } from '../../../domain/settings/settings';
import { PRIORITIES } from '../../../domain/task/priority';
import { PERMISSION_MODES, type Status } from '../../../domain/task/task';
import { BASIC_COLUMNS, COLUMNS, REQUIRED_COLUMNS, type Column } from '../../../queue/row/columns';
import type { DocumentRow } from '../document/documentRecord';
import type { QueueDocument } from '../document/queueDocument';
import { toWords, type Candidate } from './candidate';
import { t } from '../../../platform/text/translate';

/** Meaning of each status. */
export const STATUS_TEXTS: Readonly<Record<Status, string>> = {
  pending: t('runs when its turn comes'),
  running: t('written by the program while an attempt runs'),
  review: t('waits for your decision'),
  completed: t('done; its dependents may start'),
  failed: t('failed permanently; runs again after a retry'),
  cancelled: t('never runs'),
};

/** Returns the priorities, highest first, each with the time within which such a task should end. */
export function priorityCandidates({
  serviceCritical,
  serviceHigh,
  serviceMedium,
  serviceLow,
}: Settings): Candidate[] {
  const times = { critical: serviceCritical, high: serviceHigh, medium: serviceMedium, low: serviceLow };
  return PRIORITIES.map((text) => ({
    text,
    detail: t('should end within {0}', formatHours(times[text])),
    kind: 'word',
  }));
}

function formatHours(ms: number): string {
  const minutes = ms / 60_000;
  return minutes % 60 === 0 ? `${String(minutes / 60)} h` : `${String(minutes)} min`;
}

/** Returns the permission modes that a row may ask for. */
export function modeCandidates({ allowBypass }: Settings): Candidate[] {
  return PERMISSION_MODES.filter((mode) => allowBypass || mode !== 'bypassPermissions').map((text) => ({
    text,
    detail: MODE_WORDS[text],
    kind: 'word',
  }));
}

/** Returns models: usual names, then other ones that the file has. */
export function modelCandidates(document: QueueDocument, row: DocumentRow): Candidate[] {
  const usual = ['opus', 'sonnet', 'haiku'];
  const others = usedIn(document, 'model', row).filter(({ text }) => !usual.includes(text));
  return [...usual.map((text) => ({ text, kind: 'word' as const })), ...others];
}

/** Returns the different texts that a column has in other rows, the most frequent first. */
export function usedIn(
  document: QueueDocument,
  column: Column,
  own: DocumentRow,
  separator?: RegExp,
): Candidate[] {
  const counts = new Map<string, number>();
  for (const row of document.rows) {
    const text = row === own ? '' : (row.cell(column)?.text ?? '');
    for (const part of separator === undefined ? [text] : text.split(separator)) {
      const word = part.trim();
      if (word !== '') counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([text, uses]) => ({
      text,
      description: uses === 1 ? t('1 row') : t('{0} rows', uses),
      kind: 'word',
    }));
}

/** Returns the columns that the header does not have yet: required ones, usual ones, then the others. */
export function columnCandidates(document: QueueDocument): Candidate[] {
  const isIn = (list: readonly string[], name: string): boolean => list.includes(name);
  const missing = COLUMNS.filter((name) => !document.columns.includes(name));
  const rank = (name: Column): number =>
    isIn(REQUIRED_COLUMNS, name) ? 0 : isIn(BASIC_COLUMNS, name) ? 1 : 2;
  const ranks = [t('required'), t('usual'), t('optional')];
  return [...missing]
    .sort((a, b) => rank(a) - rank(b))
    .map((text) => ({
      text,
      detail: COLUMN_TEXTS[text].meaning,
      description: ranks[rank(text)] ?? '',
      kind: 'column',
    }));
}

/** Returns candidates for columns whose words need nothing but themselves; null: the column is another one. */
export function fixedCandidates(column: string | null): Candidate[] | null {
  switch (column) {
    case 'status':
      return toWords(STATUS_TEXTS);
    case 'repeat':
      return toWords({ yes: t('repeats by repeat_interval'), no: t('runs once') });
    case 'unless_unchanged':
      return toWords({ true: t('skip a due time if nothing changed since the last success') });
    case 'timeout':
      return toWords({ '15m': '', '30m': '', '1h': '', '2h': '', '4h': '' });
    case 'max_retries':
      return toWords({ '1': t('no retry'), '3': t('default'), '5': '' });
    case 'verify':
      return toWords({ '["npm","test"]': 'npm test', '["make","check"]': 'make check' });
    default:
      return null;
  }
}
