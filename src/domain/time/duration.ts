const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Source of a regular expression for a unit as people write it, in small letters. Its first letter is in a group. */
export const UNIT_WORDS = String.raw`(?:(s)(?:ecs?|econds?)?|(m)(?:ins?|inutes?)?|(h)(?:rs?|ours?)?|(d)(?:ays?)?)`;

/** Longest duration: ten years. A longer one is a typo. */
export const LONGEST_MS = 3_650 * UNIT_MS.d;

/**
 * Returns the milliseconds of a duration such as `500ms`, `30s`, `15m`, `4.5h` or `1d`: a number and one unit, in small
 * letters. Null: `text` is anything else.
 */
export function parseDuration(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)$/.exec(text.trim());
  if (match === null) return null;
  const [, amount, unit] = match;
  const ms = Math.round(Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS]);
  return Number.isSafeInteger(ms) ? ms : null;
}

/** As `parseDuration`, for a distance from now: null also beyond `LONGEST_MS`, where times leave the calendar. */
export function parseDistance(text: string): number | null {
  const ms = parseDuration(text);
  return ms === null || ms > LONGEST_MS ? null : ms;
}

/**
 * Formats a duration in its two largest units, for people: `4 h 30 min`, `45 s`, `1 d 3 h`. A negative one is `0 s`.
 */
export function formatDuration(ms: number): string {
  const whole = Math.max(0, Math.round(ms));
  if (whole > 0 && whole < UNIT_MS.s) return `${whole} ms`;
  const seconds = Math.round(whole / UNIT_MS.s);
  if (seconds < 3600) return join(seconds, 60, 'min', 's');
  const minutes = Math.round(whole / UNIT_MS.m);
  if (minutes < 24 * 60) return join(minutes, 60, 'h', 'min');
  return join(Math.round(whole / UNIT_MS.h), 24, 'd', 'h');
}

/** Formats the time that is left, for people: rounded up to whole seconds, minutes or hours. */
export function formatWait(ms: number): string {
  const unit = ms <= UNIT_MS.h ? UNIT_MS.s : ms <= UNIT_MS.d ? UNIT_MS.m : UNIT_MS.h;
  return formatDuration(Math.ceil(Math.max(0, ms) / unit) * unit);
}

function join(amount: number, perLarge: number, large: string, small: string): string {
  const rest = amount % perLarge;
  const parts = [];
  if (amount >= perLarge) parts.push(`${Math.floor(amount / perLarge)} ${large}`);
  if (rest > 0 || parts.length === 0) parts.push(`${rest} ${small}`);
  return parts.join(' ');
}
