import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OpenedQueue } from '../../../../src/editor/state/openedQueue';
import { composeCsv } from '../../../support/queue/rows';
import { makeFolder } from '../../queue/folder';

const refuse = (message: string): never => {
  throw new Error(message);
};

type Rows = Parameters<typeof composeCsv>[0];

/** Queue that a page shows. */
interface PageQueue {
  readonly session: OpenedQueue;
  /** The part of the services that all pages need. */
  readonly place: object;
  readonly write: (rows: Rows) => void;
}

/** Opens a queue with these rows for a page. */
export async function openQueue(
  rows: Rows,
  environment: Readonly<Record<string, string>> = {},
): Promise<PageQueue> {
  const folder = realpathSync(makeFolder());
  const file = join(folder, 'claude_queue', 'prompts.csv');
  mkdirSync(dirname(file));
  const write = (now: Rows): void => {
    writeFileSync(file, composeCsv(now));
  };
  write(rows);
  const none = { PATH: '', CLAUDE_QUEUE_CLAUDE: join(folder, 'none') };
  const env = { HOME: folder, XDG_STATE_HOME: join(folder, 'user'), ...none, ...environment };
  const session = await OpenedQueue.open({
    ...{ file, folder, env, window: null, lastAccount: undefined, warn: () => undefined },
  });
  const place = { key: 'queue', name: '', redis: null, log: { warn: refuse, error: refuse } };
  return { session, place, write };
}

/** Holds back answers until the test releases them. */
export class Holds {
  private readonly held: Promise<void>[] = [];

  /** Holds back the next answer. Returns what releases it. */
  hold(): () => void {
    let release = (): void => undefined;
    this.held.push(new Promise((end) => (release = end)));
    return release;
  }

  /** Whether an answer that is to be held back was not asked for yet. */
  get isDue(): boolean {
    return this.held.length > 0;
  }

  /** Takes the hold of the answer that was just asked for; undefined: it is not held back. */
  take(): Promise<void> | undefined {
    return this.held.shift();
  }
}
