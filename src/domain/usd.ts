/** As fine as amounts are told, and taken. */
export const USD_DECIMALS = 4;

/** US dollars as people are told them, the same everywhere: `$0.0123`, `$5.00`, `$5.0125`. */
export function formatUsd(usd: number): string {
  const text = usd.toFixed(USD_DECIMALS);
  // From a dollar on, noughts below the cents say nothing.
  return `$${Number(text) < 1 ? text : text.replace(/0{1,2}$/, '')}`;
}
