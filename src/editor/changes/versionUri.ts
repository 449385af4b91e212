import type { TaskId } from '../../domain/task/task';
import { isObjectFormat, type ObjectFormat } from '../../platform/git/bareRepository';
import type { FileVersion } from '../../platform/git/treeDiff';

/** Scheme of the URIs of kept versions. */
export const SCHEME = 'claude-queue-attempt';

/** Version of a file that is kept of an attempt. Its content never changes. */
export interface KeptVersion extends FileVersion {
  /** Key of the queue (`queueKey`). */
  readonly queue: string;
  readonly format: ObjectFormat;
}

/** Parts of a URI. */
export interface UriParts {
  readonly authority: string;
  readonly path: string;
  readonly query: string;
}

/** Side of a difference that shows a version. */
export interface DiffSide {
  readonly task: TaskId;
  readonly attempt: number;
  readonly side: 'before' | 'after';
}

/**
 * Returns the URI of a version. Its path is for people, and for the language of the file. `shownAt` makes it another
 * document in each difference.
 */
export function composeUri(
  { queue, format, kind, object }: KeptVersion,
  path: string,
  shownAt?: DiffSide,
): UriParts {
  const place = shownAt === undefined ? [] : [shownAt.task, shownAt.attempt, shownAt.side];
  return { authority: queue, path: `/${path}`, query: [format, kind, object, ...place].join(' ') };
}

const QUEUE = /^[0-9a-f]{32}$/;

/** Length of an object's name in each format. */
const LENGTHS: Readonly<Record<ObjectFormat, number>> = { sha1: 40, sha256: 64 };
const KINDS: Readonly<Record<FileVersion['kind'], true>> = { file: true, link: true, submodule: true };

/** Returns the version that a URI names; null: none, for anyone can write a URI. */
export function parseUri({ authority, query }: Pick<UriParts, 'authority' | 'query'>): KeptVersion | null {
  const [format = '', kind = '', object = '', ...place] = query.split(' ');
  if (!QUEUE.test(authority) || !isObjectFormat(format) || !isKind(kind)) return null;
  if (place.length > 0 && readPlace(place) === null) return null;
  if (!/^[0-9a-f]+$/.test(object) || object.length !== LENGTHS[format]) return null;
  return { queue: authority, format, kind, object };
}

/** Returns the side of the difference for which a URI was made; null: it is of none. */
export function parseSide(uri: Pick<UriParts, 'authority' | 'query'>): DiffSide | null {
  return parseUri(uri) === null ? null : readPlace(uri.query.split(' ').slice(3));
}

const NUMBER = /^[1-9]\d{0,15}$/;

function readPlace([task = '', attempt = '', side, ...more]: readonly string[]): DiffSide | null {
  if (!NUMBER.test(task) || !NUMBER.test(attempt) || more.length > 0) return null;
  return side === 'before' || side === 'after'
    ? { task: Number(task), attempt: Number(attempt), side }
    : null;
}

function isKind(word: string): word is FileVersion['kind'] {
  return Object.hasOwn(KINDS, word);
}
