import type { RowContext } from '../../../queue/row/rowContext';
import { RowReader } from '../../../queue/file/reading/rowReader';
import type { QueueDocument } from '../document/queueDocument';
import { findMisspelledCells } from './misspelledColumns';
import { placeProblems, type PlacedProblem } from './placeProblems';

/** Finds the problems of a document, saved or not, as the queue finds them in the file. */
export class OpenFileProblems {
  private readonly reader: RowReader;
  private context: RowContext;
  private reading: Promise<unknown> = Promise.resolve();

  constructor(context: RowContext) {
    this.context = context;
    this.reader = new RowReader(() => this.context);
  }

  /** Returns the problems of a document. Rows that did not change since the last call are not read again. */
  find(document: QueueDocument, context: RowContext): Promise<readonly PlacedProblem[]> {
    // Reads must not overlap.
    const found = this.reading.then(async () => {
      this.context = context;
      const { set } = await this.reader.read(document.file);
      return [...placeProblems(document, set.problems), ...warnOfColumns(document)];
    });
    this.reading = found.catch(() => undefined);
    return found;
  }
}

function warnOfColumns(document: QueueDocument): readonly PlacedProblem[] {
  return findMisspelledCells(document).map(({ range, message }) => ({
    ...{ range, message, related: [] },
    severity: 'warning',
  }));
}
