import * as path from 'node:path';
import { type Check, isId, isText, orNull, pairOf } from '../../../platform/text/shapes';
import { SHARED_COLUMNS } from '../../csv/columns';

/** The name of a file in a folder that is known: it leads nowhere else. */
export function isFileName(value: unknown): value is string {
  return isText(value) && !['', '.', '..'].includes(value) && path.basename(value) === value;
}

/** The texts of a row's shared cells. */
export const isSharedTexts: Check = (value) =>
  Array.isArray(value) && value.length === SHARED_COLUMNS.length && value.every(orNull(isText));

/** A row's id with the texts of its shared cells. */
export const isRowTexts = pairOf(isId, isSharedTexts);
