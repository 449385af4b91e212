import { findCandidates, shape, type SecretShape } from './secretShapes';

/** A key of PGP is in a block. */
const PRIVATE_KEY_BEGIN = String.raw`-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----`;
const PRIVATE_KEY_END = String.raw`-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----`;
const LINE_END = String.raw`(?:\s|\\{1,4}[nrt])`;

const PRIVATE_KEYS: readonly SecretShape[] = [
  // A whole key; a body may be spread over lines, also as escapes in a JSON string, with line numbers between.
  shape(
    'private key',
    String.raw`${PRIVATE_KEY_BEGIN}(?:[^"\\-]|\\[^]|-(?!----)){0,20000}${PRIVATE_KEY_END}`,
  ),
  // A key that was cut off.
  shape('private key', String.raw`${PRIVATE_KEY_BEGIN}(?:${LINE_END}{1,4}[A-Za-z0-9+/=]{16,100}){1,500}`),
];

const KEY_GAP = String.raw`${LINE_END}{1,16}`;
/** Headers before the body of a key that has a password. */
const KEY_HEADS = String.raw`(?:${KEY_GAP}(?:Proc-Type|DEK-Info): [A-Z0-9,-]{1,80}){0,2}`;
const KEY_LINES = String.raw`(?:${KEY_GAP}[A-Za-z0-9+/=]{40,}){1,500}`;
/** The last line, and the checksum of a key of PGP. */
const KEY_REST = String.raw`(?:${KEY_GAP}[A-Za-z0-9+/=]{1,100}){0,2}${KEY_GAP}${PRIVATE_KEY_END}`;

/** Shape of a private key in a text that the user must judge: lines of base64, and nothing else. */
const STRICT_PRIVATE_KEYS: readonly SecretShape[] = [
  shape('private key', `${PRIVATE_KEY_BEGIN}${KEY_HEADS}${KEY_LINES}(?:${KEY_REST})?`),
];

/** Minimum length of a secret: a shorter text may occur anywhere. */
const SHORTEST_SECRET = 16;

/**
 * Returns a text without the secrets of known shapes, and without `secrets` of any shape from 16 characters on. JSON
 * stays JSON; the time is linear in the text.
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  const known = secrets.filter(({ length }) => length >= SHORTEST_SECRET).flatMap(listForms);
  // The longest first: a shorter one may be its start, and would leave its end.
  known.sort((a, b) => b.length - a.length);
  const rest = known.reduce((current, secret) => current.replaceAll(secret, '[redacted]'), text);
  return takeOut(rest, PRIVATE_KEYS).text;
}

/** Returns a secret as it is, as JSON has it, and as JSON in a text of JSON has it. */
function listForms(secret: string): string[] {
  const escaped = escapeForJson(secret);
  return [...new Set([secret, escaped, escapeForJson(escaped)])];
}

function escapeForJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** A text without secrets, and the number of characters that were removed. */
export interface Redacted {
  readonly text: string;
  readonly takenOut: number;
}

/**
 * Returns a text that the user must judge, without what has exactly the shape of a secret. An attacker can give any
 * text such a shape to hide it, so the removed characters are counted.
 */
export function redactCounting(text: string): Redacted {
  return takeOut(text, STRICT_PRIVATE_KEYS);
}

function takeOut(text: string, privateKeys: readonly SecretShape[]): Redacted {
  let takenOut = 0;
  const replace = (current: string, { pattern, mark }: SecretShape): string =>
    current.replace(pattern, (found: string, first: unknown) => {
      // Without a group, this is the offset of the match.
      const kept = typeof first === 'string' ? first : '';
      takenOut += found.length - kept.length;
      return `${kept}${mark}`;
    });
  const rest = privateKeys.reduce(replace, text);
  return { text: findCandidates(rest).reduce(replace, rest), takenOut };
}
