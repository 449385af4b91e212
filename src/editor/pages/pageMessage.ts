import { fields, isText, listOf } from '../../platform/text/shapes';

/** Message of a page to the extension: the user pressed a button. */
export interface PageMessage {
  /** Name of the action (`data-action`). */
  readonly action: string;
  /** Object of the action (`data-value`); empty if it has none. */
  readonly value: string;
  /** Keys of the boxes that are ticked (`data-key`). */
  readonly ticked: readonly string[];
}

const isPageMessage = fields<PageMessage>({ action: isText, value: isText, ticked: listOf(isText) });

/** Returns a message as it is if its shape is right; else null. */
export function readMessage(message: unknown): PageMessage | null {
  return isPageMessage(message) ? message : null;
}
