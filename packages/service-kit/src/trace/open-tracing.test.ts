import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../config/read.ts';
import { createLog, silentLog } from '../log/index.ts';
import { createMetrics } from '../metrics/index.ts';
import { openTracing } from './open-tracing.ts';
import { runningTrace } from './running-trace.ts';
import { traceConfig } from '../config/trace-config.ts';

const read = (environment: Readonly<Record<string, string>>) => readConfig(traceConfig, { environment });

function open(endpoint: string, environment: Readonly<Record<string, string>> = {}) {
  const metrics = createMetrics({ defaults: false });
  const running = runningTrace();
  const config = read({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...environment });
  const tracing = openTracing({ name: 'test', endpoint, config, running, log: silentLog(), metrics });
  onTestFinished(() => tracing.stop(100));
  const became = async (result: string): Promise<number> =>
    Number(
      new RegExp(`^gateway_trace_spans_total\\{result="${result}"\\} (\\d+)$`, 'm').exec(await metrics.text())?.[1] ??
        0,
    );
  return { tracing, running, became };
}

async function collector(answer: boolean) {
  const bodies: unknown[] = [];
  const server = createServer(async (request, response) => {
    bodies.push(await json(request));
    if (answer) response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => server.close().closeAllConnections());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies };
}

/** No server listens there. */
const nowhere = 'http://127.0.0.1:9';

test('the queue for an unavailable collector is bounded, and further spans are counted and dropped', async () => {
  const { tracing, became } = open(nowhere);
  for (let count = 0; count < 5_000; count++) tracing.begin('span', { kind: 'internal' }).end();
  // 512 are in flight, 2,048 wait.
  expect(await became('dropped')).toBe(5_000 - 512 - 2_048);
});

test('a collector that never answers does not delay the shutdown', async () => {
  const { url } = await collector(false);
  const { tracing } = open(url);
  tracing.begin('span', { kind: 'internal' }).end();
  await tracing.stop(50);
});

test('waiting spans are exported at the shutdown', async () => {
  const { url, bodies } = await collector(true);
  const { tracing, became } = open(url);
  tracing.begin('span', { kind: 'internal' }).end();
  await tracing.stop(5_000);
  expect(bodies).toHaveLength(1);
  expect(await became('exported')).toBe(1);
});

test('without a parent the sampler decides, with a parent the parent does', () => {
  const { tracing } = open(nowhere, { OTEL_TRACES_SAMPLER_ARG: '0' });
  expect(tracing.begin('span', { kind: 'server' }).trace.sampled).toBe(false);
  const parent = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`;
  const span = tracing.begin('span', { kind: 'server', parent });
  expect(span.trace).toEqual({ traceId: 'ab'.repeat(16), spanId: expect.not.stringMatching(/^(cd)+$/), sampled: true });
});

test('work within a span, also when kept for later, logs the ids of the span', async () => {
  const lines: string[] = [];
  const { tracing, running } = open(nowhere);
  const destination = { write: (line: string) => void lines.push(line) };
  const log = createLog({ service: 'test', level: 'info', destination, fields: running.fields });
  const span = tracing.begin('span', { kind: 'server' });
  const kept = tracing.within(span, () => tracing.keep(() => log.info('kept')));
  await tracing.within(span, async () => {
    await Promise.resolve();
    expect(tracing.current()).toBe(span.traceparent);
    log.info('within');
  });
  expect(tracing.current()).toBeUndefined();
  log.info('outside');
  kept();
  const { traceId, spanId } = span.trace;
  expect(
    lines.map((line) => JSON.parse(line)).map(({ message, ...line }) => [message, line.traceId, line.spanId]),
  ).toEqual([
    ['within', traceId, spanId],
    ['outside', undefined, undefined],
    ['kept', traceId, spanId],
  ]);
});

test('settings are read as OpenTelemetry defines them', () => {
  expect(read({ OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a=b, x-team=one' })).toEqual({
    OTEL_EXPORTER_OTLP_ENDPOINT: undefined,
    OTEL_EXPORTER_OTLP_HEADERS: { authorization: 'Bearer a=b', 'x-team': 'one' },
    OTEL_TRACES_SAMPLER_ARG: 1,
    OTEL_SEMCONV_STABILITY_OPT_IN: undefined,
  });
  expect(() => read({ OTEL_EXPORTER_OTLP_HEADERS: 'nothing' })).toThrow(/OTEL_EXPORTER_OTLP_HEADERS/);
  expect(() => read({ OTEL_TRACES_SAMPLER_ARG: '1.1' })).toThrow(/from 0 to 1/);
  expect(() => read({ OTEL_TRACES_SAMPLER_ARG: 'all' })).toThrow(/OTEL_TRACES_SAMPLER_ARG/);
});
