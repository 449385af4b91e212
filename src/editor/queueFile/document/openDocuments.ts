import type { TextDocument } from 'vscode';
import type { Clock } from '../../../platform/clock';
import { QueueDocument } from './queueDocument';

/** Parsed text of a document at one version. */
interface Parsed {
  readonly version: number;
  readonly document: QueueDocument;
}

const PARSED = new WeakMap<object, Parsed>();

/** Returns the parsed text of an open document as it is now. Each version of a document is parsed once. */
export function parseOpen(open: Pick<TextDocument, 'version' | 'getText'>): QueueDocument {
  const last = PARSED.get(open);
  if (last?.version === open.version) return last.document;
  const document = QueueDocument.parse(open.getText(), last?.document);
  PARSED.set(open, { version: open.version, document });
  return document;
}

/** Part of VS Code's CancellationToken. */
interface Cancellation {
  readonly onCancellationRequested: (listener: () => void) => { dispose: () => unknown };
}

/** Lines of a document that takes milliseconds to parse: VS Code would ask for that several times after each key. */
const MANY_LINES = 2_000;

/** Pause after the last key before such a document is parsed again. */
const QUIET_MS = 250;

/** Waits until no more keys follow, in a long document that was changed since it was parsed; at most until `cancel`. */
export async function awaitQuiet(
  open: Pick<TextDocument, 'version' | 'lineCount'>,
  cancel: Cancellation,
  clock: Pick<Clock, 'sleep'>,
): Promise<void> {
  const last = PARSED.get(open);
  if (last === undefined || last.version === open.version || open.lineCount <= MANY_LINES) return;
  const over = new AbortController();
  const subscription = cancel.onCancellationRequested(() => {
    over.abort();
  });
  await clock.sleep(QUIET_MS, over.signal);
  subscription.dispose();
}
