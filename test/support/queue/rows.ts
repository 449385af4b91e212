import { BASIC_COLUMNS } from '../../../src/queue/row/columns';

/** A row of a queue file; what is not given takes the value that `claude-queue add` would write. */
export interface RowCells {
  readonly id: number;
  readonly prompt: string;
  readonly [column: string]: string | number;
}

const USUAL: Readonly<Record<string, string>> = {
  priority: 'medium',
  working_dir: '.',
  status: 'pending',
  repeat: 'no',
  retry_count: '0',
  max_retries: '3',
};

/** A queue file with these rows: the eleven columns, and whatever other column a row names. */
export function composeCsv(rows: readonly RowCells[]): string {
  const columns = [...new Set([...BASIC_COLUMNS, ...rows.flatMap((row) => Object.keys(row))])];
  const lines = rows.map((row) =>
    columns.map((column) => quote(String(row[column] ?? USUAL[column] ?? ''))).join(','),
  );
  return [columns.join(','), ...lines, ''].join('\n');
}

function quote(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
