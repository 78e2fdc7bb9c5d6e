import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Distributed, startDistributed } from '../../scripts/distributed/start.ts';
import { forgetfulRouting } from '../../packages/serving/src/upstreams/testing/index.ts';
import { type GatewayServers, startGatewayServers } from '../support/gateway-servers.ts';
import { type Collector, startCollector, treeOf } from './collector.ts';

// Long: it runs every service.
// About: packages/service-kit/src/trace.

const prompt = 'a private sentence of the client';
const seconds: unknown = expect.any(Number);
const lines: string[] = [];
let collector: Collector;
let running: Distributed;
let servers: GatewayServers;

beforeAll(async () => {
  collector = await startCollector();
  servers = await startGatewayServers();
  running = await startDistributed({
    servers: servers.urls,
    environment: {
      ...forgetfulRouting,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20for-the-collector',
      OTEL_SEMCONV_STABILITY_OPT_IN: 'gen_ai_latest_experimental',
    },
    onLine: (_name, line) => lines.push(line),
  });
});
afterAll(async () => {
  await running?.stop();
  await servers?.stop();
  await collector?.close();
});

interface TraceStart {
  traceId: string;
  traceparent: string;
}

function beginTrace(flags: '00' | '01' = '01'): TraceStart {
  const traceId = randomBytes(16).toString('hex');
  return { traceId, traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-${flags}` };
}

async function post(path: string, body: object, { traceparent }: TraceStart): Promise<string> {
  const response = await fetch(`${running.baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${running.apiKey}`, 'content-type': 'application/json', traceparent },
    body: JSON.stringify(body),
  });
  return response.text();
}

const chat = (trace: TraceStart, options: object = {}): Promise<string> =>
  post(
    '/v1/chat/completions',
    { model: 'sandbox-chat', messages: [{ role: 'user', content: prompt }], ...options },
    trace,
  );
const breakProvider = (provider: string, fault: string): Promise<Response> =>
  fetch(`${running.sandboxUrl}/control/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ provider, fault }),
  });
const clearFaults = (): Promise<Response> => fetch(`${running.sandboxUrl}/control/faults`, { method: 'DELETE' });
/** Removes the key lookups, which are cached and so not part of every trace. */
const withoutLookUps = (tree: readonly string[]): string[] => tree.filter((line) => !line.includes(': auth.'));
const treeWith = (trace: TraceStart, spans: number) =>
  expect.poll(() => withoutLookUps(treeOf(collector.spans(trace.traceId)))).toHaveLength(spans);

const wholeChat = [
  'edge: POST /v1/chat/completions',
  '  edge: chat.complete',
  '    chat-svc: chat.complete',
  '      chat-svc: chat sandbox-chat',
];

test.each([false, true])('one trace covers all processes, below the client’s span (stream: %s)', async (stream) => {
  const trace = beginTrace();
  await chat(trace, { stream });
  await treeWith(trace, wholeChat.length);
  expect(withoutLookUps(treeOf(collector.spans(trace.traceId)))).toEqual(wholeChat);
  const [root] = collector.spans(trace.traceId).filter(({ name }) => name.startsWith('POST'));
  expect(trace.traceparent).toContain(root?.parentSpanId);
});

test.each([false, true])(
  'the span of a provider call has the attributes of the GenAI conventions (stream: %s)',
  async (stream) => {
    const trace = beginTrace();
    await chat(trace, { stream, messages: [{ role: 'user', content: `[reasoning] ${prompt}` }] });
    await treeWith(trace, wholeChat.length);
    const call = collector.spans(trace.traceId).find(({ name }) => name === 'chat sandbox-chat');
    expect({ kind: call?.kind, status: call?.status, attributes: call?.attributes }).toEqual({
      kind: 3,
      status: { code: 0 },
      attributes: {
        'tallyport.provider': expect.stringMatching(/^sandbox-/),
        'tallyport.model': 'sandbox-chat',
        'tallyport.attempt': 1,
        'http.response.status_code': 200,
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': call?.attributes['tallyport.provider'],
        'gen_ai.request.model': 'sandbox-chat',
        'gen_ai.response.model': 'sandbox-chat',
        'gen_ai.response.finish_reasons': ['stop'],
        'gen_ai.usage.input_tokens': expect.any(Number),
        'gen_ai.usage.output_tokens': expect.any(Number),
        'gen_ai.usage.cache_read.input_tokens': expect.any(Number),
        'gen_ai.usage.reasoning.output_tokens': expect.any(Number),
        ...(stream && {
          'gen_ai.request.stream': true,
          'gen_ai.response.time_to_first_chunk': seconds,
        }),
      },
    });
  },
);

test('each attempt is a separate span with its error', async () => {
  for (const provider of ['sandbox-a', 'sandbox-b', 'sandbox-c']) await breakProvider(provider, 'status:503');
  const trace = beginTrace();
  await chat(trace);
  await clearFaults();
  const calls = () =>
    collector
      .spans(trace.traceId)
      .filter(({ name }) => name === 'chat sandbox-chat')
      .toSorted((one, other) => Number(one.startTimeUnixNano - other.startTimeUnixNano));
  await expect.poll(() => calls().length).toBeGreaterThan(1);
  for (const [index, { attributes, status }] of calls().entries()) {
    expect({ status, attempt: attributes['tallyport.attempt'], error: attributes['error.type'] }).toEqual({
      status: { code: 2 },
      attempt: index + 1,
      error: 'provider_overloaded',
    });
  }
  const [first, second] = calls();
  expect(first!.endTimeUnixNano <= second!.startTimeUnixNano + 1_000n).toBe(true);
});

test('an MCP tool call is part of the trace, with its requests below it', async () => {
  const trace = beginTrace();
  const params = { name: 'chat', arguments: { model: 'sandbox-chat', messages: [{ role: 'user', content: prompt }] } };
  await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, trace);
  await treeWith(trace, 7);
  expect(withoutLookUps(treeOf(collector.spans(trace.traceId)))).toEqual([
    'edge: POST /mcp',
    '  edge: mcp.serve',
    '    mcp-svc: mcp.serve',
    '      mcp-svc: tools/call chat',
    '        mcp-svc: chat.complete',
    '          chat-svc: chat.complete',
    '            chat-svc: chat sandbox-chat',
  ]);
});

test('traces images', async () => {
  const trace = beginTrace();
  await post('/v1/images/generations', { model: 'sandbox-image', prompt: prompt }, trace);
  await treeWith(trace, 4);
  expect(withoutLookUps(treeOf(collector.spans(trace.traceId)))).toEqual([
    'edge: POST /v1/images/generations',
    '  edge: image.generate',
    '    image-svc: image.generate',
    '      image-svc: image_generation sandbox-image',
  ]);
});

test('no process records a trace that the caller did not sample', async () => {
  const [unwanted, wanted] = [beginTrace('00'), beginTrace()];
  await chat(unwanted);
  await chat(wanted);
  await treeWith(wanted, wholeChat.length);
  expect(collector.spans(unwanted.traceId)).toEqual([]);
});

test('log lines of a request contain its trace id', async () => {
  const trace = beginTrace();
  await chat(trace);
  const traced = () => lines.filter((line) => line.includes(trace.traceId)).map((line) => JSON.parse(line));
  await expect.poll(() => traced().length).toBeGreaterThanOrEqual(2);
  expect(traced().map(({ service, message, traceId }) => ({ service, message, traceId }))).toEqual(
    expect.arrayContaining([
      { service: 'edge', message: 'request', traceId: trace.traceId },
      { service: 'chat-svc', message: 'chat answered', traceId: trace.traceId },
    ]),
  );
});

test('traces contain neither prompts nor keys, and use the configured headers', () => {
  expect(collector.sent()).not.toContain(prompt);
  expect(collector.sent()).not.toContain(running.apiKey);
  expect(collector.headers()).toEqual(['Bearer for-the-collector']);
});
