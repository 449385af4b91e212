import * as path from 'node:path';
import { type Check, isId, isText, orNull, pairOf } from '../../../platform/text/shapes';
import { SHARED_COLUMNS } from '../../row/columns';
import type { SharedTexts } from '../fileState';

/** The name of a file in a folder that is known: it leads nowhere else. */
export const isFileName: Check<string> = (value): value is string =>
  isText(value) && !['', '.', '..'].includes(value) && path.basename(value) === value;

/** The texts of a row's shared cells. */
export const isSharedTexts: Check<SharedTexts> = (value): value is SharedTexts =>
  Array.isArray(value) && value.length === SHARED_COLUMNS.length && value.every(orNull(isText));

/** A row's id with the texts of its shared cells. */
export const isRowTexts = pairOf(isId, isSharedTexts);
