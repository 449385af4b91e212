/**
 * Whether a text is an address for callbacks: of `https:`, or of `http:`, which only some hosts may have, and without a
 * password, which every reader of the queue would see.
 */
export function isCallbackUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}

/** Returns the part of an address for callbacks that may be shown: path and query of many services are secrets. */
export function hostOf(url: string): string {
  return new URL(url).origin;
}
