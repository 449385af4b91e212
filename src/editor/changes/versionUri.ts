import { isObjectFormat, type ObjectFormat } from '../../platform/git/privateRepository';
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

/** Returns the URI of a version. Its path is for people, and for the language of the file. */
export function composeUri({ queue, format, kind, object }: KeptVersion, path: string): UriParts {
  return { authority: queue, path: `/${path}`, query: [format, kind, object].join(' ') };
}

const QUEUE = /^[0-9a-f]{32}$/;

/** Length of an object's name in each format. */
const LENGTHS: Readonly<Record<ObjectFormat, number>> = { sha1: 40, sha256: 64 };
const KINDS: Readonly<Record<FileVersion['kind'], true>> = { file: true, link: true, submodule: true };

/** Returns the version that a URI names; null: none, for anyone can write a URI. */
export function parseUri({ authority, query }: Pick<UriParts, 'authority' | 'query'>): KeptVersion | null {
  const [format = '', kind = '', object = '', ...more] = query.split(' ');
  if (!QUEUE.test(authority) || !isObjectFormat(format) || !isKind(kind) || more.length > 0) return null;
  if (!/^[0-9a-f]+$/.test(object) || object.length !== LENGTHS[format]) return null;
  return { queue: authority, format, kind, object };
}

function isKind(word: string): word is FileVersion['kind'] {
  return Object.hasOwn(KINDS, word);
}
