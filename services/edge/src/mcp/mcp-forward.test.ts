import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type RequestListener, type Server } from 'node:http';
import { createClient, type IncomingExchange, inProcessLink, type Link, type Listener, serve } from '@tallyport/bus';
import { GatewayError, mcpService, service } from '@tallyport/contracts';
import { appHandler } from '@tallyport/http-exchange';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { publicUrls } from '../http/public-url.ts';
import { createRunningRequests, type RunningRequests } from '../relay/running-requests.ts';
import type { RelayOutcome } from '../request-context.ts';
import { closeNow, listening, openStream, pouring } from '../testing/test-servers.ts';
import { mcpForward } from './mcp-forward.ts';

const diedDuring = 'The MCP service stopped during this request. It may have had its effect.';
const principal = { accountId: 'acc_1', keyId: 'key_1' };

describe('the way to mcp-svc', () => {
  let link: Link;
  let listener: Listener;
  let running: RunningRequests;
  let edge: Server;
  let behave: RequestListener;
  let heads: IncomingExchange['head'][];
  let base: string;
  let outcomes: RelayOutcome[];

  beforeEach(async () => {
    outcomes = [];
    heads = [];
    link = inProcessLink();
    running = createRunningRequests();
    const answer = appHandler((incoming, response) => behave(incoming, response));
    listener = await serve(link, service('mcp', { serve: mcpService.operations.serve }), {
      serve: (exchange) => (heads.push(exchange.head), answer(exchange)),
    });
    const forward = mcpForward({
      open: createClient(link, mcpService).serve,
      publicUrl: publicUrls('https://gateway.example'),
      addressOf: () => '192.0.2.1',
      running,
      timeoutMs: 60_000,
    });
    edge = createServer(async (incoming, response) => {
      const context = { request: incoming, response, requestId: 'req_1', traceparent: 'a-trace' };
      const body = Buffer.concat(await incoming.toArray());
      outcomes.push(await forward(context, { body, principal, rights: { limits: {} } }));
    });
    base = await listening(edge);
  });
  afterEach(async () => {
    closeNow(edge);
    await link.close();
  });

  const echo: RequestListener = async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    response.writeHead(200, { 'content-length': body.length }).end(body);
  };
  const bytes = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, index) => (index * 7) % 256));
  const open = (): Promise<IncomingMessage> => openStream(`${base}/mcp`);

  test.each([0, 1, 16 * 1024, 16 * 1024 + 1, 3_000_000])('forwards %i bytes unchanged, both ways', async (size) => {
    behave = echo;
    const answer = await fetch(`${base}/mcp`, { method: 'POST', body: bytes(size) });
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes(size))).toBe(true);
    expect(outcomes).toEqual([{ status: 200 }]);
  });

  test('forwards bodies of undeclared length, both ways', async () => {
    behave = (incoming, response) => void incoming.pipe(response);
    const outgoing = request(`${base}/mcp`, { method: 'POST' });
    outgoing.write('one ');
    outgoing.end('two');
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    let text = '';
    for await (const chunk of answer as AsyncIterable<Buffer>) text += chunk.toString();
    expect(text).toBe('one two');
  });

  test('withholds every header that may hold a key, and says who calls and from where', async () => {
    behave = (_request, response) => response.writeHead(202, { 'x-own': 'kept', 'keep-alive': 'timeout=1' }).end();
    const keys = ['authorization', 'proxy-authorization', 'x-api-key', 'x-goog-api-key', 'api-key', 'cookie'];
    const secrets = Object.fromEntries(keys.map((name) => [name, 'Bearer secret']));
    const answer = await fetch(`${base}/mcp?a=1`, {
      method: 'POST',
      body: '{}',
      headers: { ...secrets, te: 'trailers', 'content-type': 'application/json', 'mcp-protocol-version': '2025-06-18' },
    });
    expect([answer.status, answer.headers.get('x-own'), await answer.text()]).toEqual([202, 'kept', '']);
    expect(answer.headers.get('keep-alive')).not.toBe('timeout=1');
    const [sent = expect.fail('nothing was sent')] = heads;
    const { headers, ...head } = sent;
    const { accept: _a, 'accept-encoding': _b, 'accept-language': _c, 'sec-fetch-mode': _d, ...own } = headers;
    expect(own).toEqual({
      host: new URL(base).host,
      'user-agent': expect.any(String),
      'content-length': '2',
      'content-type': 'application/json',
      'mcp-protocol-version': '2025-06-18',
    });
    expect(head).toEqual({
      requestId: 'req_1',
      principal,
      rights: { limits: {} },
      timeoutMs: 60_000,
      traceparent: 'a-trace',
      http: { method: 'POST', url: '/mcp?a=1', address: '192.0.2.1', publicOrigin: 'https://gateway.example' },
    });
  });

  test('sends the headers of a quiet event stream at once, its events unbuffered', async () => {
    let push: (text: string) => void = () => undefined;
    behave = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      push = (text) => response.write(text);
    };
    const response = await open();
    for (const event of ['data: 1\n\n', 'data: 2\n\n']) {
      push(event);
      const [data] = (await once(response, 'data')) as [Buffer];
      expect(data.toString()).toBe(event);
    }
    response.destroy();
    await expect.poll(() => outcomes).toEqual([{ status: 200 }]);
  });

  test('aborts the forwarded request when the client disconnects, before and after the headers', async () => {
    const left: string[] = [];
    const begun = Promise.withResolvers<void>();
    behave = (incoming, response) => {
      begun.resolve();
      response.on('close', () => left.push(incoming.headers['x-case'] as string));
      if (incoming.headers['x-case'] === 'streaming') response.writeHead(200).write('a');
    };
    for (const name of ['silent', 'streaming']) {
      const outgoing = request(`${base}/mcp`, { method: 'POST', headers: { 'x-case': name } });
      outgoing.on('error', () => undefined).end('{}');
      await (name === 'silent' ? begun.promise : once(outgoing, 'response'));
      outgoing.destroy();
      await expect.poll(() => left.at(-1)).toBe(name);
    }
    await expect.poll(() => outcomes).toEqual([{ status: 499 }, { status: 200 }]);
  });

  test.each(['before its head', 'in a small response'])('answers 502 if the service breaks off %s', async (when) => {
    behave = (_request, response) => {
      if (when === 'in a small response') response.writeHead(200, { 'content-length': 10 }).write('half');
      setImmediate(() => response.destroy());
    };
    const answer = await fetch(`${base}/mcp`, { method: 'POST', body: '{}' });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([502, '1']);
    expect(await answer.json()).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: {
        code: -32_603,
        message: 'The MCP service is not responding. Try again shortly.',
        data: { retryAfter: 1 },
      },
    });
    expect(outcomes).toMatchObject([{ status: 502, error: { code: 'unavailable' } }]);
  });

  test('answers 502 if no replica serves', async () => {
    await listener.drain(0);
    const answer = await fetch(`${base}/mcp`, { method: 'POST', body: '{}' });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([502, '1']);
    expect(outcomes).toMatchObject([{ status: 502, error: { code: 'unavailable' } }]);
  });

  test('a shutdown is the reason of the calls it ends', async () => {
    behave = () => undefined;
    const asked = fetch(`${base}/mcp`, { method: 'POST', body: '{}' });
    await expect.poll(() => heads.length).toBe(1);
    running.endAll(new GatewayError('unavailable', 'This server is shutting down.'));
    const answer = await asked;
    expect([answer.status, await answer.json()]).toMatchObject([
      503,
      { error: { message: 'This server is shutting down.' } },
    ]);
  });

  test('breaks the client’s connection if the service dies during a stream', async () => {
    behave = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: half\n\n');
      setImmediate(() => response.destroy());
    };
    const response = await open();
    response.resume();
    await new Promise((resolve) => response.on('close', resolve));
    expect(response.complete).toBe(false);
  });

  test.each([
    ['a request', { id: 'a', method: 'tools/call' }, ['a']],
    ['the requests of a batch', [{ id: 1, method: 'x' }, { method: 'notice' }, { id: 2, method: 'y' }], [1, 2]],
  ])('answers %s with an error if the service dies during its stream', async (_what, message, ids) => {
    behave = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"half');
      setImmediate(() => response.destroy());
    };
    const answer = await fetch(`${base}/mcp`, { method: 'POST', body: JSON.stringify(message) });
    const [half, ...events] = (await answer.text()).split('\n\n');
    const error = { code: -32_603, message: diedDuring };
    expect([answer.status, half, events.pop()]).toEqual([200, 'data: {"half', '']);
    expect(events).toEqual(ids.map((id) => `data: ${JSON.stringify({ jsonrpc: '2.0', id, error })}`));
    expect(outcomes).toMatchObject([{ status: 200, error: { code: 'unavailable' } }]);
  });

  test.each([
    ['no request', { method: 'notice' }],
    ['no JSON', '{"id":'],
    ['more requests than a batch may have', Array.from({ length: 21 }, (_, id) => ({ id, method: 'x' }))],
  ])('cuts the stream if there is %s to answer', async (_what, message) => {
    behave = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: half');
      setImmediate(() => response.destroy());
    };
    const body = typeof message === 'string' ? message : JSON.stringify(message);
    const answer = await fetch(`${base}/mcp`, { method: 'POST', body });
    await expect(answer.text()).rejects.toThrow();
  });

  test('a slow client pauses the service', async () => {
    const poured = pouring();
    behave = poured.behave;
    const response = await open();
    response.pause();
    await poured.isPaused();
    response.destroy();
  });
});
