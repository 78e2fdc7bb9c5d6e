import { Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { CountedHistogram } from './counted-histogram.ts';

const labelNames = ['route', 'status'];
const observations = [
  { labels: { route: '/a "quoted"', status: '2xx' }, values: [0, 0.1, 0.10001, 7] },
  { labels: { route: '/b', status: '5xx' }, values: [1, 0.25, 1e9] },
];

function declare() {
  const registry = new Registry();
  return {
    registry,
    options: { name: 'times', help: 'Times.', buckets: [0.1, 0.5, 1], labelNames, registers: [registry] },
  };
}

test('exports what the histogram of the library does', async () => {
  const [own, library] = [declare(), declare()];
  const counted = new CountedHistogram(own.options);
  const histogram = new Histogram(library.options);
  counted.add({ route: '/c', status: '2xx' });
  for (const { labels, values } of observations) {
    const series = counted.add(labels);
    for (const value of values) {
      series.observe(value);
      histogram.observe(labels, value);
    }
  }
  expect(await own.registry.metrics()).toBe(await library.registry.metrics());
  expect(await own.registry.getMetricsAsJSON()).toMatchObject([{ name: 'times', type: 'histogram' }]);
});

test('refuses what is no number', () => {
  const series = new CountedHistogram(declare().options).add({});
  expect(() => series.observe(NaN)).toThrow(TypeError);
});
