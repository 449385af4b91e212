import type * as PromClient from 'prom-client';
import type { Metric } from './metric';

/** Media type of the text. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Returns metrics in the text format of Prometheus. */
export async function renderMetrics(metrics: readonly Metric[]): Promise<string> {
  const library = await import('prom-client');
  const registry = new library.Registry();
  for (const metric of metrics) register(library, registry, metric);
  return registry.metrics();
}

function register(
  { Counter, Gauge, Histogram }: typeof PromClient,
  registry: PromClient.Registry,
  metric: Metric,
): void {
  const { name, help } = metric;
  // Without a label, the library would add a series with the value 0.
  if (metric.type !== 'histogram' && metric.samples.length === 0) return;
  const registers = [registry];
  if (metric.type === 'histogram') {
    const labelNames = namesOf(metric.series);
    const histogram = new Histogram({ name, help, registers, labelNames, buckets: [...metric.buckets] });
    for (const { labels, values } of metric.series) {
      histogram.zero(labels);
      for (const value of values) histogram.observe(labels, value);
    }
    return;
  }
  const labelNames = namesOf(metric.samples);
  if (metric.type === 'gauge') {
    const gauge = new Gauge({ name, help, registers, labelNames });
    for (const { labels, value } of metric.samples) gauge.set(labels, value);
  } else {
    const counter = new Counter({ name, help, registers, labelNames });
    for (const { labels, value } of metric.samples) counter.inc(labels, value);
  }
}

function namesOf(series: readonly { readonly labels: Readonly<Record<string, string>> }[]): string[] {
  return [...new Set(series.flatMap(({ labels }) => Object.keys(labels)))];
}
