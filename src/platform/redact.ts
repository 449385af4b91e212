/**
 * Where a secret may begin: not inside a longer word, but right behind a JSON escape such as `\n`, whose letter is not
 * part of what follows.
 */
const START = String.raw`(?:(?<![A-Za-z0-9_\\])|(?<=\\[nrtbf])|(?<=\\u[0-9a-fA-F]{4})|(?<=(?<!\\)\\\\))`;

/** A secret's first letters where it may begin. They are looked for first: the engine skips what does not hold them. */
function startWith(letters: string): string {
  return `${letters}(?<=${START}${letters})`;
}

const PRIVATE_KEY_BEGIN = String.raw`-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----`;
const PRIVATE_KEY_END = String.raw`-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----`;
const LINE_END = String.raw`(?:\s|\\{1,4}[nrt])`;

interface Shape {
  /** Its first group, where it has one, is no secret. */
  readonly pattern: RegExp;
  readonly mark: string;
}

function shape(name: string, source: string, flags = 'g'): Shape {
  return { pattern: new RegExp(source, flags), mark: `[redacted ${name}]` };
}

function keepFirst(source: string): Shape {
  return { pattern: new RegExp(source, 'gi'), mark: '[redacted]' };
}

/**
 * The prefixes are the ones that the issuers publish for secret scanners. Every repetition is bounded or cannot be
 * split in two ways, so the time is linear in the text; no pattern takes an unescaped quote or one half of an escape,
 * so a JSON text stays one.
 */
const TOKENS: readonly Shape[] = [
  shape('Anthropic key', String.raw`${startWith('sk-ant-')}[A-Za-z0-9_-]{8,}`),
  shape('key', String.raw`${startWith('sk-')}(?=[A-Za-z_-]{0,80}[0-9])[A-Za-z0-9_-]{20,}`),
  shape(
    'GitHub token',
    String.raw`${startWith('gh[oprsu]_')}[A-Za-z0-9]{20,}|${startWith('github_pat_')}[A-Za-z0-9_]{20,}`,
  ),
  shape('AWS key', String.raw`${startWith('(?:AKIA|ASIA)')}[0-9A-Z]{16}(?![0-9A-Za-z])`),
  keepFirst(
    String.raw`(secret_?access_?key\\{0,3}["']?\s{0,4}[:=]\s{0,4}\\{0,3}["']?)[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])`,
  ),
  shape('Slack token', String.raw`${startWith('(?:xox[abeoprs]|xapp)-')}[A-Za-z0-9-]{10,}`),
  shape('Google key', String.raw`${startWith('AIza')}[0-9A-Za-z_-]{35}`),
  shape('npm token', String.raw`${startWith('npm_')}[A-Za-z0-9]{30,}`),
  shape(
    'token',
    String.raw`${startWith('(?<!-)eyJ')}[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{5,}`,
  ),
  keepFirst(String.raw`(${startWith('Bearer')}\s{1,4})(?=[A-Za-z._~+/=-]{0,80}[0-9])[A-Za-z0-9._~+/=-]{16,}`),
  keepFirst(String.raw`(:\/\/[^\s/"'\\@:?#]{0,200}:)[^\s/"'\\@?#{}<>]{1,400}(?=@)`),
];

const SHAPES: readonly Shape[] = [
  // A whole key; a body may be spread over lines, also as escapes in a JSON string, with line numbers between.
  shape(
    'private key',
    String.raw`${PRIVATE_KEY_BEGIN}(?:[^"\\-]|\\[^]|-(?!----)){0,20000}${PRIVATE_KEY_END}`,
  ),
  // A key that was cut off.
  shape('private key', String.raw`${PRIVATE_KEY_BEGIN}(?:${LINE_END}{1,4}[A-Za-z0-9+/=]{16,100}){1,500}`),
  ...TOKENS,
];

const KEY_GAP = String.raw`${LINE_END}{1,16}`;
/** What stands before the body of a key that has a password. */
const KEY_HEADS = String.raw`(?:${KEY_GAP}(?:Proc-Type|DEK-Info): [A-Z0-9,-]{1,80}){0,2}`;
const KEY_LINES = String.raw`(?:${KEY_GAP}[A-Za-z0-9+/=]{40,}){1,500}`;
const KEY_REST = String.raw`(?:${KEY_GAP}[A-Za-z0-9+/=]{1,100})?${KEY_GAP}${PRIVATE_KEY_END}`;

/** The shapes of secrets in what a person answers for: a private key is lines of base64 there, and nothing else. */
const STRICT_SHAPES: readonly Shape[] = [
  shape('private key', `${PRIVATE_KEY_BEGIN}${KEY_HEADS}${KEY_LINES}(?:${KEY_REST})?`),
  ...TOKENS,
];

/** What is shorter may stand in any text, and is no key. */
const SHORTEST_SECRET = 16;

/**
 * A text without the secrets whose shape is known, and without these, whatever their shape. JSON stays JSON; takes time
 * linear in the text.
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  const known = secrets.filter(({ length }) => length >= SHORTEST_SECRET);
  const rest = known.reduce((current, secret) => current.replaceAll(secret, '[redacted]'), text);
  return takeOut(rest, SHAPES).text;
}

/** A text without secrets, and how many of its characters are not in it. */
export interface Redacted {
  readonly text: string;
  readonly takenOut: number;
}

/**
 * A text that a person answers for, without what has just the shape of a secret. Anything may be given such a shape by
 * who wants it unseen, so that what is taken out is counted.
 */
export function redactCounting(text: string): Redacted {
  return takeOut(text, STRICT_SHAPES);
}

function takeOut(text: string, shapes: readonly Shape[]): Redacted {
  let takenOut = 0;
  const rest = shapes.reduce(
    (current, { pattern, mark }) =>
      current.replace(pattern, (found: string, first: unknown) => {
        // Without a group, the place of what was found stands here.
        const kept = typeof first === 'string' ? first : '';
        takenOut += found.length - kept.length;
        return `${kept}${mark}`;
      }),
    text,
  );
  return { text: rest, takenOut };
}
