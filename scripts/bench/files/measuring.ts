/** One line of a table: what was measured, and what it is compared with. */
export interface BenchRow {
  readonly what: string;
  readonly unit: string;
  readonly size?: number;
  readonly median?: number;
  readonly least?: number;
  readonly ratio?: number;
  readonly against?: string;
  readonly goal?: string;
  /** Reason why there is no figure. */
  readonly note?: string;
}

/** Milliseconds that `work` takes. */
export async function timeOf(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** The Node of VS Code, as scripts/bench.mjs names it. */
export function editorNode(): string {
  const { EDITOR_NODE: node } = process.env;
  if (node === undefined) throw new Error('EDITOR_NODE must name the Node of VS Code.');
  return node;
}

/** The middle one. */
export function median(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? NaN;
}

/** Rounds a figure so that nobody takes noise for a digit. */
export function round(value: number): number {
  return Number(value.toPrecision(3));
}

/** A row of these times, in milliseconds unless it says otherwise. */
export function rowOf(
  what: string,
  size: number | null,
  times: readonly number[],
  more: Partial<BenchRow> = {},
): BenchRow {
  const measured = { unit: 'ms', median: round(median(times)), least: round(Math.min(...times)) };
  return { what, ...(size === null ? {} : { size }), ...measured, ...more };
}

/** A row of something that is measured once. */
export function figure(what: string, unit: string, value: number, more: Partial<BenchRow> = {}): BenchRow {
  return { what, unit, median: value, least: value, ...more };
}

/** The longest stretch in which nothing else of this process could run while `work` continued. */
export async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  let isOver = false;
  const look = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  try {
    await work();
  } finally {
    isOver = true;
  }
  return longest;
}
