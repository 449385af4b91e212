/** Decimal places of US dollar amounts, in output and input. */
export const USD_DECIMALS = 4;

/** Formats US dollars for people, the same everywhere, without trailing zeros below the cents: `$0.0123`, `$0.25`, `$5.00`. */
export function formatUsd(usd: number): string {
  return `$${usd.toFixed(USD_DECIMALS).replace(/0{1,2}$/, '')}`;
}
