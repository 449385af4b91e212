/** Decimal places of US dollar amounts, in output and input. */
export const USD_DECIMALS = 4;

/** Millionths of a dollar: finer than any price, and coarser than the errors of sums of floating-point numbers. */
const PARTS = 1_000_000;

/** Returns the sum of US dollars, without the noise of floating-point numbers: 0.3 for 0.1 and 0.2. */
export function sumUsd(amounts: readonly number[]): number {
  return Math.round(amounts.reduce((sum, usd) => sum + usd, 0) * PARTS) / PARTS;
}

/** Formats US dollars for people, the same everywhere: `$0.0123`, `$5.00`, `$5.0125`. */
export function formatUsd(usd: number): string {
  const text = usd.toFixed(USD_DECIMALS);
  // From one dollar on, trailing zeros below the cents are omitted.
  return `$${Number(text) < 1 ? text : text.replace(/0{1,2}$/, '')}`;
}

/** Formats an estimate of US dollars: in cents, or with two digits below ten of them: `$6.51`, `$0.042`, `$0.0042`. */
export function formatEstimatedUsd(usd: number): string {
  const isSmall = usd > 0 && usd < 0.1;
  const decimals = isSmall ? Math.min(1 - Math.floor(Math.log10(usd)), USD_DECIMALS) : 2;
  return `$${usd.toFixed(decimals)}`;
}
