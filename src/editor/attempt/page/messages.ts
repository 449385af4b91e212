import type { TaskId } from '../../../domain/task/task';
import { isId, isObject, isText } from '../../../platform/text/shapes';
import type { Block } from './blocks';
import type { PageParts } from './pageParts';

/** Attempt that a page shows, as it is remembered for the next window. */
export interface ShownAttempt {
  /** Key of the queue. */
  readonly queue: string;
  readonly id: TaskId;
  /** Null: the newest. */
  readonly number: number | null;
}

/** Returns a remembered attempt if its shape is right; else null. */
export function readShown(state: unknown): ShownAttempt | null {
  if (!isObject(state)) return null;
  const { queue, id, number } = state;
  return isText(queue) && isId(id) && (number === null || isId(number)) ? { queue, id, number } : null;
}

/** Message to the page. */
export interface SentUpdate extends PageUpdate {
  /** Remembered by the page for the next window. */
  readonly shown: ShownAttempt;
}

/** Changed content of the page. */
export interface PageUpdate {
  readonly parts: Partial<PageParts>;
  /** Blocks that are new or changed, each in its place by its key. */
  readonly blocks: readonly Block[];
  /** Keys of blocks that are removed. Null: all are removed first. */
  readonly gone: readonly number[] | null;
  readonly isRunning: boolean;
}

/** Message from the page. */
export type PageMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'command'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string; readonly line?: number }
  | { readonly kind: 'attempt'; readonly number: number }
  | { readonly kind: 'continue'; readonly where: 'terminal' | 'extension' };

/** Reads a message of the page; null if it is none. */
export function readMessage(value: unknown): PageMessage | null {
  if (!isObject(value)) return null;
  const { kind, name, path, line, number, where } = value;
  switch (kind) {
    case 'ready':
      return { kind };
    case 'command':
      return typeof name === 'string' ? { kind, name } : null;
    case 'file':
      if (typeof path !== 'string') return null;
      return { kind, path, ...(isId(line) ? { line } : {}) };
    case 'attempt':
      return isId(number) ? { kind, number } : null;
    case 'continue':
      return where === 'terminal' || where === 'extension' ? { kind, where } : null;
    default:
      return null;
  }
}

/** State of the page as it was sent, so that only changes are sent. */
export class SentPage {
  private parts: Partial<PageParts> = {};
  private blocks = new Map<number, string>();
  private isEmpty = true;

  /** Returns the message that brings the page up to date, and counts it as sent. */
  update(parts: PageParts, blocks: readonly Block[], isRunning: boolean): PageUpdate {
    const changedParts = Object.entries(parts).filter(
      ([name, html]) => Reflect.get(this.parts, name) !== html,
    );
    const changed = blocks.filter(({ key, html }) => this.blocks.get(key) !== html);
    const now = new Map(blocks.map(({ key, html }) => [key, html]));
    const gone = this.isEmpty ? null : [...this.blocks.keys()].filter((key) => !now.has(key));
    this.parts = parts;
    this.blocks = now;
    this.isEmpty = false;
    return { parts: Object.fromEntries(changedParts), blocks: changed, gone, isRunning };
  }

  /** Forgets what was sent: the page is empty again. */
  clear(): void {
    this.parts = {};
    this.blocks = new Map();
    this.isEmpty = true;
  }
}
