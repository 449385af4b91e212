/** Columns of equal width, a line each; a column in which nothing stands but its name is left out. */
export function layOut(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const columns = [...head.keys()].filter((column) => rows.some((row) => (row[column] ?? '') !== ''));
  const table = [head, ...rows].map((row) => columns.map((column) => row[column] ?? ''));
  const widths = columns.map((_, column) =>
    table.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), 0),
  );
  return table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
