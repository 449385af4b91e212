import type { Row, RowSource } from '../../../src/queue/model/rows';

/** Source of rows that are all there, each at one place. */
export const WHOLE: RowSource<Row> = {
  whole: true,
  problem: null,
  columns: [],
  whereOf: ({ where }) => where,
};
