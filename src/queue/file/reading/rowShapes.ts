import { type Check, isId, isText, orNull, pairOf } from '../../../platform/text/shapes';
import { SHARED_COLUMNS } from '../../row/columns';
import type { SharedTexts } from '../../row/sharedCells';

/** Checks the texts of a row's shared cells. */
export const isSharedTexts: Check<SharedTexts> = (value): value is SharedTexts =>
  Array.isArray(value) && value.length === SHARED_COLUMNS.length && value.every(orNull(isText));

/** Checks a row's id with the texts of its shared cells. */
export const isRowTexts = pairOf(isId, isSharedTexts);
