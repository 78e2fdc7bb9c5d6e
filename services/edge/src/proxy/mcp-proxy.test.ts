import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type RequestListener, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { publicUrls } from '../http/public-url.ts';
import type { RelayOutcome } from '../request-context.ts';
import { mcpForward } from './mcp-proxy.ts';
import { closeNow, listening, openStream, pouring } from '../testing/test-servers.ts';

describe('the proxy to mcp-svc', () => {
  let service: Server;
  let edge: Server;
  let behave: RequestListener;
  let target: string;
  let base: string;
  let outcomes: RelayOutcome[];

  beforeEach(async () => {
    outcomes = [];
    service = createServer((incoming, response) => behave(incoming, response));
    target = await listening(service);
    const publicUrl = publicUrls('https://gateway.example');
    const forward = mcpForward({ mcpUrls: () => [target], publicUrl, silenceMs: 60_000 });
    edge = createServer(async (incoming, response) => {
      const context = { request: incoming, response, requestId: 'req_1', query: '', traceparent: '' };
      const body = Buffer.concat(await incoming.toArray());
      const headers = { 'x-request-id': 'req_1', 'x-gw-token': 'ours' };
      outcomes.push(await forward(context, { body, headers }));
    });
    base = await listening(edge);
  });
  afterEach(() => {
    closeNow(edge);
    closeNow(service);
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

  test('withholds the client’s credentials and overwrites its claims', async () => {
    let received: IncomingMessage['headers'] = {};
    behave = (incoming, response) => {
      received = incoming.headers;
      response.writeHead(202, { 'x-own': 'kept', 'keep-alive': 'timeout=1' }).end();
    };
    const secrets = { authorization: 'Bearer secret', 'x-api-key': 'secret', cookie: 'a=secret' };
    const forged = { 'x-gw-token': 'forged', 'x-gw-other': 'me', 'x-request-id': 'forged', 'x-forwarded-host': 'evil' };
    const answer = await fetch(`${base}/mcp?a=1`, {
      method: 'POST',
      body: '{}',
      headers: { ...secrets, ...forged, 'content-type': 'application/json', 'mcp-protocol-version': '2025-06-18' },
    });
    expect([answer.status, answer.headers.get('x-own'), await answer.text()]).toEqual([202, 'kept', '']);
    expect(answer.headers.get('keep-alive')).not.toBe('timeout=1');
    const { accept: _a, 'accept-encoding': _b, 'accept-language': _c, 'sec-fetch-mode': _d, ...headers } = received;
    expect(headers).toEqual({
      host: new URL(base).host,
      connection: 'keep-alive',
      'user-agent': expect.any(String),
      'content-length': '2',
      'content-type': 'application/json',
      'mcp-protocol-version': '2025-06-18',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': 'gateway.example',
      'x-forwarded-proto': 'https',
      'x-request-id': 'req_1',
      'x-gw-token': 'ours',
    });
  });

  test('reuses connections to the service', async () => {
    const ports = new Set<number | undefined>();
    behave = (incoming, response) => {
      ports.add(incoming.socket.remotePort);
      void echo(incoming, response);
    };
    for (let count = 0; count < 5; count += 1) {
      await (await fetch(`${base}/mcp`, { method: 'POST', body: '{}' })).text();
    }
    expect(ports.size).toBe(1);
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
    behave = (incoming, response) => {
      response.on('close', () => left.push(incoming.headers['x-case'] as string));
      if (incoming.headers['x-case'] === 'streaming') response.writeHead(200).write('a');
    };
    for (const name of ['silent', 'streaming']) {
      const outgoing = request(`${base}/mcp`, { method: 'POST', headers: { 'x-case': name } });
      outgoing.on('error', () => undefined).end('{}');
      if (name === 'silent') await once(service, 'request');
      else await once(outgoing, 'response');
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

  test('a slow client pauses the service', async () => {
    const poured = pouring();
    behave = poured.behave;
    const response = await open();
    response.pause();
    await poured.isPaused();
    response.destroy();
  });
});
