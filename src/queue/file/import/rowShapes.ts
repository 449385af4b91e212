import * as path from 'node:path';
import { type Check, isId, isText, orNull, pairOf } from '../../../platform/text/shapes';
import { SHARED_COLUMNS } from '../../row/columns';
import type { SharedTexts } from '../fileState';

/** Checks the name of a file in a known folder: it must not lead to another folder. */
export const isFileName: Check<string> = (value): value is string =>
  isText(value) && !['', '.', '..'].includes(value) && path.basename(value) === value;

/** Checks the texts of a row's shared cells. */
export const isSharedTexts: Check<SharedTexts> = (value): value is SharedTexts =>
  Array.isArray(value) && value.length === SHARED_COLUMNS.length && value.every(orNull(isText));

/** Checks a row's id with the texts of its shared cells. */
export const isRowTexts = pairOf(isId, isSharedTexts);
