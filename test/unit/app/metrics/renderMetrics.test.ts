import assert from 'node:assert/strict';
import { renderMetrics } from '../../../../src/app/metrics/renderMetrics';

const gauge = (name: string, samples: readonly { labels: Record<string, string>; value: number }[]) =>
  ({ name, help: 'Help.', type: 'gauge', samples }) as const;

describe('The text of metrics', () => {
  it('has help, type and values, with quotes and line breaks in labels escaped', async () => {
    const text = await renderMetrics([gauge('one', [{ labels: { model: 'a"b\nc' }, value: 1 }])]);
    assert.equal(text, '# HELP one Help.\n# TYPE one gauge\none{model="a\\"b\\nc"} 1\n');
  });

  it('leaves out a metric without values', async () => {
    assert.doesNotMatch(await renderMetrics([gauge('none', [])]), /none/);
  });

  it('is made anew each time', async () => {
    const metrics = [
      { name: 'c_total', help: 'Help.', type: 'counter', samples: [{ labels: {}, value: 2 }] },
    ] as const;
    await renderMetrics(metrics);
    assert.match(await renderMetrics(metrics), /^c_total 2$/m);
  });
});
