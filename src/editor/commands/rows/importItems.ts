import { excerptPrompt } from '../../../app/approval/approval';
import type { ImportPlan, PlannedRow } from '../../../app/actions/rows/importPlan';
import { revealInvisible } from '../../../platform/text/invisible';
import { t } from '../../../platform/text/translate';

/** Row of a file, as the list before an import shows it. */
export interface ImportItem {
  readonly row: PlannedRow;
  readonly label: string;
  readonly description: string;
  /** Reasons why it cannot be added, or the cells that are not usual. */
  readonly detail: string;
  /** Whether it is ticked at first. */
  readonly isPicked: boolean;
}

const PROMPT_WIDTH = 80;

/** Cells that most rows have: they are shown only in full. */
const USUAL: readonly string[] = ['prompt', 'status', 'retry_count', 'max_retries', 'repeat'];

/** Returns the rows of a plan for a list. Rows that are done, or cannot be added, are not ticked. */
export function listRows({ rows }: ImportPlan): readonly ImportItem[] {
  return rows.map((row) => {
    const { text, leftOut } = excerptPrompt(row.fields['prompt'] ?? '', PROMPT_WIDTH);
    const cells = Object.entries(row.fields).filter(([name, cell]) => !USUAL.includes(name) && cell !== '');
    const facts = [
      ...(leftOut === null ? [] : [leftOut]),
      ...cells.map(([name, cell]) => `${name} ${cell}`),
      ...(row.after.length === 0 ? [] : [t('after row {0}', row.after.map((index) => index + 1).join(', '))]),
    ];
    return {
      row,
      label: `${String(row.number)}  ${text}`,
      description: row.isDone ? t('done') : (row.formerStatus ?? ''),
      detail: revealInvisible(row.problems.length > 0 ? row.problems.join(' ') : facts.join(' · ')),
      isPicked: !row.isDone && row.problems.length === 0,
    };
  });
}

/** Returns all of a row, as text: its problems, then its cells. */
export function describeRow({ row }: ImportItem): string {
  const cells = Object.entries(row.fields).filter(([, cell]) => cell !== '');
  const lines = [...row.problems, ...(row.problems.length === 0 ? [] : [''])];
  return [...lines, ...cells.map(([name, cell]) => `${name}: ${revealInvisible(cell)}`), ''].join('\n');
}
