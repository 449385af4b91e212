import { isCount, isObject } from '../../platform/text/shapes';
import { FIELDS, type FormValues } from './formValues';

/** Message from the page of the form. */
export type FormMessage =
  /** The page was loaded, for the first time or again. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'change'; readonly values: FormValues }
  /** `again`: another task follows. */
  | { readonly kind: 'submit'; readonly values: FormValues; readonly again: boolean }
  /** Removes an attachment. */
  | { readonly kind: 'detach'; readonly index: number }
  /** Chooses a folder in a dialog. */
  | { readonly kind: 'browse' }
  /** Opens the prompt in an editor. */
  | { readonly kind: 'editPrompt' }
  | { readonly kind: 'cancel' };

/** Longest text of a field. */
const LONGEST = 1_000_000;

/** Returns the message if it has the right shape; null for anything else. The page is not trusted. */
export function parseMessage(message: unknown): FormMessage | null {
  if (!isObject(message)) return null;
  const { kind } = message;
  switch (kind) {
    case 'ready':
    case 'browse':
    case 'editPrompt':
    case 'cancel':
      return { kind };
    case 'detach':
      return isCount(message['index']) ? { kind, index: message['index'] } : null;
    case 'change': {
      const values = parseValues(message['values']);
      return values === null ? null : { kind, values };
    }
    case 'submit': {
      const values = parseValues(message['values']);
      return values === null ? null : { kind, values, again: message['again'] === true };
    }
    default:
      return null;
  }
}

/** Returns the values of a form if each field is a text; null for anything else. */
export function parseValues(values: unknown): FormValues | null {
  if (!isObject(values)) return null;
  const texts = FIELDS.map((field) => [field, values[field]] as const);
  const areTexts = texts.every(([, text]) => typeof text === 'string' && text.length <= LONGEST);
  // Every field has been checked to be a text.
  return areTexts ? (Object.fromEntries(texts) as unknown as FormValues) : null;
}
