import { expect, test } from 'vitest';
import { inflightRequests } from './inflight.ts';
import { createMetrics, durationBuckets, overheadBuckets } from './metrics.ts';

async function lines(metrics: { text(): Promise<string> }, name: string): Promise<string[]> {
  const text = await metrics.text();
  return text.split('\n').filter((line) => line.startsWith(name));
}

test('a counter counts per label set', async () => {
  const metrics = createMetrics({ defaults: false });
  const requests = metrics.counter({
    name: 'requests_total',
    help: 'Requests.',
    labels: { route: 'any', ok: ['yes', 'no'] },
  });
  requests.with({ route: '/a', ok: 'yes' }).increment();
  requests.with({ route: '/a', ok: 'yes' }).increment(2.5);
  requests.with({ route: '/b', ok: 'no' }).increment();
  expect(await lines(metrics, 'requests_total')).toEqual([
    'requests_total{route="/a",ok="yes"} 3.5',
    'requests_total{route="/b",ok="no"} 1',
  ]);
  expect(await lines(metrics, 'requests_total')).toHaveLength(2);
});

test('a kept handle stays valid, and every scrape has its latest value', async () => {
  const metrics = createMetrics({ defaults: false });
  const kept = metrics.counter({ name: 'hits_total', help: 'Hits.' }).with();
  kept.increment();
  expect(await lines(metrics, 'hits_total')).toEqual(['hits_total 1']);
  kept.increment();
  kept.increment(-5);
  expect(await lines(metrics, 'hits_total')).toEqual(['hits_total 2']);
});

test('an undeclared label value becomes "other"', async () => {
  const metrics = createMetrics({ defaults: false });
  const calls = metrics.counter({ name: 'calls_total', help: 'Calls.', labels: { method: ['GET'], model: 'any' } });
  calls.with({ method: 'BREW', model: 'x'.repeat(129) }).increment();
  calls.with({ method: 'GET', model: 'a\u0000b' }).increment();
  expect(await lines(metrics, 'calls_total')).toEqual([
    'calls_total{method="other",model="other"} 1',
    'calls_total{method="GET",model="other"} 1',
  ]);
});

test('a metric has a limited number of series and counts dropped observations', async () => {
  const metrics = createMetrics({ defaults: false, seriesCap: 2 });
  const labels = { model: 'any' } as const;
  const counter = metrics.counter({ name: 'a_total', help: 'A.', labels });
  const gauge = metrics.gauge({ name: 'b', help: 'B.', labels });
  const histogram = metrics.histogram({ name: 'c', help: 'C.', labels, buckets: [1] });
  for (const model of ['one', 'two', 'three', 'one', 'four']) {
    counter.with({ model }).increment();
    gauge.with({ model }).set(1);
    gauge.with({ model }).add(1);
    histogram.with({ model }).observe(0.5);
  }
  expect(await lines(metrics, 'a_total')).toEqual(['a_total{model="one"} 2', 'a_total{model="two"} 1']);
  expect(await lines(metrics, 'b{')).toEqual(['b{model="one"} 2', 'b{model="two"} 2']);
  expect(await lines(metrics, 'c_count')).toEqual(['c_count{model="one"} 2', 'c_count{model="two"} 1']);
  expect(await lines(metrics, 'gateway_metric_series_dropped_total')).toEqual([
    'gateway_metric_series_dropped_total{metric="a_total"} 2',
    'gateway_metric_series_dropped_total{metric="b"} 4',
    'gateway_metric_series_dropped_total{metric="c"} 2',
  ]);
});

test('a gauge can be read at the scrape', async () => {
  const metrics = createMetrics({ defaults: false });
  let held = 3;
  metrics.gauge({ name: 'held_bytes', help: 'Held.', read: () => held });
  expect(await lines(metrics, 'held_bytes')).toEqual(['held_bytes 3']);
  held = 4;
  expect(await lines(metrics, 'held_bytes')).toEqual(['held_bytes 4']);
});

test('a histogram has the buckets it was given', async () => {
  const metrics = createMetrics({ defaults: false });
  const overhead = metrics.histogram({ name: 'overhead_seconds', help: 'Overhead.', buckets: overheadBuckets });
  overhead.with().observe(0.0004);
  expect((await lines(metrics, 'overhead_seconds_bucket')).slice(0, 2)).toEqual([
    'overhead_seconds_bucket{le="0.00025"} 0',
    'overhead_seconds_bucket{le="0.0005"} 1',
  ]);
});

test('modules in one process share identical declarations, and others throw', () => {
  const metrics = createMetrics({ defaults: false });
  const labels = { model: 'any' } as const;
  const declare = () => metrics.counter({ name: 'shared_total', help: 'Shared.', labels });
  expect(declare()).toBe(declare());
  expect(() => metrics.gauge({ name: 'shared_total', help: 'Shared.', labels })).toThrow(
    'shared_total is declared as counter(model) and as gauge(model).',
  );
});

test('services in one process count their requests in progress separately', async () => {
  const metrics = createMetrics({ defaults: false });
  const [edge, images] = [inflightRequests(metrics, 'edge'), inflightRequests(metrics, 'image')];
  edge.add(2);
  images.add(1);
  edge.add(-1);
  expect(await lines(metrics, 'gateway_inflight_requests')).toEqual([
    'gateway_inflight_requests{service="edge"} 1',
    'gateway_inflight_requests{service="image"} 1',
  ]);
});

test('a counter with few series starts at 0, so that the first event is an increase', async () => {
  const metrics = createMetrics({ defaults: false });
  const labels = { result: ['kept', 'lost'], kind: ['a', 'b', 'c', 'd'] } as const;
  metrics.counter({ name: 'few_total', help: 'Eight.', labels });
  metrics.counter({
    name: 'many_total',
    help: 'Nine.',
    labels: { ...labels, result: ['x', 'y', 'z'], kind: ['a', 'b', 'c'] },
  });
  metrics.counter({ name: 'any_total', help: 'Unknown.', labels: { ...labels, kind: 'any' } });
  const few = await lines(metrics, 'few_total');
  expect([few.length, few[0], few[7]]).toEqual([
    8,
    'few_total{result="kept",kind="a"} 0',
    'few_total{result="lost",kind="d"} 0',
  ]);
  expect([await lines(metrics, 'many_total'), await lines(metrics, 'any_total')]).toEqual([[], []]);
});

test('a label that allows no value is refused where it is declared', () => {
  const declare = () =>
    createMetrics({ defaults: false }).counter({ name: 'a_total', help: 'A.', labels: { route: [] } });
  expect(declare).toThrow('a_total: the label route has no values');
});

test('two metrics registries are independent, and default metrics of Node are included', async () => {
  const one = createMetrics();
  const two = createMetrics({ defaults: false });
  one.counter({ name: 'mine_total', help: 'Mine.' }).with().increment();
  expect(await lines(two, 'mine_total')).toEqual([]);
  expect(await lines(one, 'nodejs_eventloop_lag_p99_seconds')).toHaveLength(1);
});

const offer = { provider: 'any', model: 'model' } as const;

test('200 offers have series of their own, and the next one counts under its provider and the model other', async () => {
  const metrics = createMetrics({ defaults: false });
  const calls = metrics.counter({ name: 'calls_total', help: 'Calls.', labels: offer });
  const times = metrics.histogram({ name: 'times', help: 'Times.', labels: offer, buckets: durationBuckets });
  const call = (at: number) => {
    const series = { provider: String(at % 20), model: String(at) };
    calls.with(series).increment();
    times.with(series).observe(1);
  };
  for (let at = 0; at < 200; at += 1) call(at);
  expect((await lines(metrics, 'calls_total')).filter((line) => line.includes('other'))).toEqual([]);
  call(200);
  call(220);
  call(0);
  const counts = await lines(metrics, 'calls_total');
  expect(counts).toHaveLength(201);
  expect(counts.at(-1)).toBe('calls_total{provider="0",model="other"} 2');
  expect(counts[0]).toBe('calls_total{provider="0",model="0"} 2');
  // A histogram has a line per bucket, one for longer times, the sum and the count.
  expect(await lines(metrics, 'times')).toHaveLength(201 * (durationBuckets.length + 3));
  expect(await lines(metrics, 'gateway_metric_series_dropped_total')).toEqual([]);
});

test('an offer has a series of its own in all metrics or in none', async () => {
  const metrics = createMetrics({ defaults: false, offersCap: 1 });
  const one = metrics.counter({ name: 'one_total', help: 'One.', labels: offer });
  const labels = { provider: 'any', request_model: 'model' } as const;
  const two = metrics.counter({ name: 'two_total', help: 'Two.', labels });
  one.with({ provider: 'p', model: 'first' }).increment();
  two.with({ provider: 'p', request_model: 'second' }).increment();
  two.with({ provider: 'p', request_model: 'first' }).increment();
  expect(await lines(metrics, 'two_total')).toEqual([
    'two_total{provider="p",request_model="other"} 1',
    'two_total{provider="p",request_model="first"} 1',
  ]);
});

test('a full metric of offers still counts what a broken provider answers, under the model other', async () => {
  const metrics = createMetrics({ defaults: false, seriesCap: 3, offersCap: 3 });
  const labels = { ...offer, outcome: ['ok', 'failed'] } as const;
  const calls = metrics.counter({ name: 'calls_total', help: 'Calls.', labels });
  for (const provider of ['a', 'b', 'c']) calls.with({ provider, model: 'm', outcome: 'ok' }).increment();
  for (const provider of ['a', 'b', 'c']) calls.with({ provider, model: 'm', outcome: 'failed' }).increment();
  expect((await lines(metrics, 'calls_total')).slice(3)).toEqual([
    'calls_total{provider="a",model="other",outcome="failed"} 1',
    'calls_total{provider="b",model="other",outcome="failed"} 1',
    'calls_total{provider="c",model="other",outcome="failed"} 1',
  ]);
  calls.with({ provider: 'd', model: 'm', outcome: 'failed' }).increment();
  expect(await lines(metrics, 'calls_total')).toHaveLength(6);
  expect(await lines(metrics, 'gateway_metric_series_dropped_total')).toEqual([
    'gateway_metric_series_dropped_total{metric="calls_total"} 1',
  ]);
});

test('the model of an offer is not a label without its provider', () => {
  const declare = () =>
    createMetrics({ defaults: false }).counter({ name: 'a_total', help: 'A.', labels: { model: 'model' } });
  expect(declare).toThrow('a_total: the label model names the model of an offer');
});
