import { readCsv, type CsvFile } from '../../../queue/csv/csvFile';

/** Text that was read last: several parts of the editor read each version of a document. */
let last: { readonly text: string; readonly file: CsvFile } | null = null;

/** Parses the text of a queue file as `readCsv` does. The text that was read last is not parsed again. */
export function readText(text: string, previous?: CsvFile): CsvFile {
  if (last?.text !== text) last = { text, file: readCsv(Buffer.from(text), previous) };
  return last.file;
}
