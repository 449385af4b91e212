import type { TextDocument } from 'vscode';
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
