import { type Html, markup } from './html';

/** Draws the options of a list to choose from. Each has its value and its label. */
export function drawOptions(options: readonly (readonly [string, string])[], chosen: string): Html {
  return markup`${options.map(
    ([value, label]) =>
      markup`<option value="${value}"${value === chosen ? SELECTED : null}>${label}</option>`,
  )}`;
}

const SELECTED = markup` selected`;
