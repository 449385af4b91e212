/** Names and values that tell the series of one metric apart. */
export type Labels = Readonly<Record<string, string>>;

/** Value of one series. */
export interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

/** Observed values of one series of a histogram. */
export interface Observed {
  readonly labels: Labels;
  readonly values: readonly number[];
}

interface Named {
  readonly name: string;
  /** A sentence. */
  readonly help: string;
}

/** A metric with all its series, as data; `renderMetrics` makes its text. */
export type Metric =
  | (Named & { readonly type: 'gauge' | 'counter'; readonly samples: readonly Sample[] })
  | (Named & {
      readonly type: 'histogram';
      /** Upper bounds, smallest first. */
      readonly buckets: readonly number[];
      readonly series: readonly Observed[];
    });
