import type { Metric } from '../../../../src/app/metrics/metric';

/** The values of a metric by its labels, such as `kind=overage model=opus`. */
export function samplesOf(metrics: readonly Metric[], name: string): Readonly<Record<string, number>> {
  const metric = metrics.find((one) => one.name === name);
  if (metric === undefined || metric.type === 'histogram') throw new Error(`No values of ${name}.`);
  return Object.fromEntries(metric.samples.map(({ labels, value }) => [nameLabels(labels), value]));
}

function nameLabels(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}
