/** Decimal places of US dollar amounts, in output and input. */
export const USD_DECIMALS = 4;

/** Formats US dollars for people, the same everywhere: `$0.0123`, `$5.00`, `$5.0125`. */
export function formatUsd(usd: number): string {
  const text = usd.toFixed(USD_DECIMALS);
  // From one dollar on, trailing zeros below the cents are omitted.
  return `$${Number(text) < 1 ? text : text.replace(/0{1,2}$/, '')}`;
}
