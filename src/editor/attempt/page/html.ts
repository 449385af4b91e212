import { cutText, cutToEnd } from '../../../platform/text/plainText';
import { t } from '../../../platform/text/translate';
import { escapeHtml } from '../../pages/html';

/** Cuts a text to about `most` characters: its beginning and its end stay, with a line that says what is left out. */
export function cutMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = cutText(text, Math.floor((most * 2) / 3));
  const tail = cutToEnd(text, Math.floor(most / 3));
  const left = text.length - head.length - tail.length;
  return `${head}\n${t('… {0} characters are not shown …', left)}\n${tail}`;
}

/** File of the working directory that a page can open. */
export interface PageFile {
  /** Relative to the working directory. */
  readonly path: string;
  /** Line, from 1. */
  readonly line?: number;
}

/** Finds the file that a text names; null if it names none of the working directory. */
export type FindFile = (text: string) => PageFile | null;

/** Returns a button that opens a file. `label` is HTML. */
export function fileButton({ path, line }: PageFile, label: string): string {
  const at = line === undefined ? '' : ` data-line="${String(line)}"`;
  return `<button type="button" class="file" data-path="${escapeHtml(path)}"${at}>${label}</button>`;
}
