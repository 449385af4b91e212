import type { ParsedNode } from 'yaml';

/** Part of a text; its offsets count UTF-16 code units, as editors do. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Value in a settings file, with its place. */
export type ConfigNode = TextRange &
  (
    | { readonly kind: 'map'; readonly entries: readonly ConfigEntry[] }
    | { readonly kind: 'list'; readonly items: readonly ConfigNode[] }
    | { readonly kind: 'scalar' }
  );

/** Name with a value in a settings file. */
export interface ConfigEntry {
  /** Name as the values of the file have it, also one that is a number, or missing. */
  readonly name: string;
  readonly key: TextRange;
  /** Null: nothing is written after the name. */
  readonly value: ConfigNode | null;
}

/** Fault of a text that is not YAML; a fault of the text as a whole has no place. */
export interface ConfigError {
  readonly place: TextRange | null;
  readonly cause: Error;
}

/** Text of a settings file. */
export interface ConfigText {
  /** Names with values, unchecked; `{}` if the text is empty or has errors. */
  readonly values: unknown;
  readonly root: ConfigNode | null;
  readonly errors: readonly ConfigError[];
}

/** Parses the text of a settings file (YAML 1.2). */
export async function parseConfig(text: string): Promise<ConfigText> {
  // Loaded on demand, since most queues have no settings file.
  const { isMap, isScalar, isSeq, parseDocument } = await import('yaml');
  const toNode = (node: unknown): ConfigNode | null => {
    if (isMap<ParsedNode, ParsedNode | null>(node)) {
      const entries = node.items.map(({ key, value }) => ({
        name: isScalar(key) ? nameKey(key.value) : JSON.stringify(key),
        key: toRange(key.range),
        value: toNode(value),
      }));
      return { ...toRange(node.range), kind: 'map', entries };
    }
    if (isSeq<ParsedNode>(node)) {
      const items = node.items.flatMap((item) => toNode(item) ?? []);
      return { ...toRange(node.range), kind: 'list', items };
    }
    const range = isScalar(node) ? toRange(node.range) : null;
    return range === null || range.start === range.end ? null : { ...range, kind: 'scalar' };
  };
  const document = parseDocument(text, { prettyErrors: false, logLevel: 'error' });
  const root = toNode(document.contents);
  const errors = document.errors.map((cause) => ({ place: toRange(cause.pos), cause }));
  if (errors.length > 0) return { values: {}, root, errors };
  try {
    const values: unknown = document.toJS();
    return { values: values ?? {}, root, errors: [] };
  } catch (cause) {
    // An alias without its anchor, or aliases that would grow without bounds.
    if (cause instanceof ReferenceError) return { values: {}, root, errors: [{ place: null, cause }] };
    throw cause;
  }
}

/** Returns the entry with this name; undefined if the node is no map, or has none. */
export function entryOf(node: ConfigNode | null, name: string): ConfigEntry | undefined {
  return node?.kind === 'map' ? node.entries.find((entry) => entry.name === name) : undefined;
}

function toRange(range: readonly number[] | null | undefined): TextRange {
  const [start = 0, end = start] = range ?? [];
  return { start, end };
}

function nameKey(value: unknown): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
