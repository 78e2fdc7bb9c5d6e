import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type RequestListener, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { publicUrls } from '../http/public-url.ts';
import type { RelayOutcome } from '../request-context.ts';
import { mcpForward } from './mcp-proxy.ts';
import { closeNow, listening, openStream, pouring } from '../testing/behaving.ts';

describe('what edge hands on to mcp-svc', () => {
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
    const forward = mcpForward({ mcpUrls: () => [target], publicUrl });
    edge = createServer((incoming, response) => {
      const context = { request: incoming, response, requestId: 'req_1', query: '', traceparent: '' };
      void forward(context, { 'x-request-id': 'req_1', 'x-gw-token': 'ours' }).then((ended) => outcomes.push(ended));
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

  test.each([0, 1, 16 * 1024, 16 * 1024 + 1, 3_000_000])('%i bytes arrive as they are, and come back', async (size) => {
    behave = echo;
    const answer = await fetch(`${base}/mcp`, { method: 'POST', body: bytes(size) });
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes(size))).toBe(true);
    expect(outcomes).toEqual([{ status: 200 }]);
  });

  test('a body of no told length arrives, and an answer of none comes back', async () => {
    behave = (incoming, response) => void incoming.pipe(response);
    const asked = request(`${base}/mcp`, { method: 'POST' });
    asked.write('one ');
    asked.end('two');
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    let text = '';
    for await (const chunk of answer as AsyncIterable<Buffer>) text += chunk.toString();
    expect(text).toBe('one two');
  });

  test('the client’s secrets stop here, and it can claim nothing that edge says', async () => {
    let heard: IncomingMessage['headers'] = {};
    behave = (incoming, response) => {
      heard = incoming.headers;
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
    const { accept: _a, 'accept-encoding': _b, 'accept-language': _c, 'sec-fetch-mode': _d, ...told } = heard;
    expect(told).toEqual({
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

  test('connections to the service are used again', async () => {
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

  test('headers of a quiet event stream go out at once, its events unbuffered', async () => {
    let say: (text: string) => void = () => undefined;
    behave = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      say = (text) => response.write(text);
    };
    const response = await open();
    for (const event of ['data: 1\n\n', 'data: 2\n\n']) {
      say(event);
      const [data] = (await once(response, 'data')) as [Buffer];
      expect(data.toString()).toBe(event);
    }
    response.destroy();
    await expect.poll(() => outcomes).toEqual([{ status: 200 }]);
  });

  test('a client that leaves is told to the service, before and after the headers', async () => {
    const left: string[] = [];
    behave = (incoming, response) => {
      response.on('close', () => left.push(incoming.headers['x-case'] as string));
      if (incoming.headers['x-case'] === 'streaming') response.writeHead(200).write('a');
    };
    for (const name of ['silent', 'streaming']) {
      const asked = request(`${base}/mcp`, { method: 'POST', headers: { 'x-case': name } });
      asked.on('error', () => undefined).end('{}');
      if (name === 'silent') await once(service, 'request');
      else await once(asked, 'response');
      asked.destroy();
      await expect.poll(() => left.at(-1)).toBe(name);
    }
    await expect.poll(() => outcomes).toEqual([{ status: 499 }, { status: 200 }]);
  });

  test('a client that leaves in the middle of its question is no fault of the service', async () => {
    behave = echo;
    const asked = request(`${base}/mcp`, { method: 'POST', headers: { 'content-length': 100 } });
    asked.on('error', () => undefined).write('half');
    await once(edge, 'request');
    asked.destroy();
    await expect.poll(() => outcomes).toEqual([{ status: 499 }]);
  });

  test.each(['before its head', 'in a small answer'])('a service that breaks off %s is told as away', async (when) => {
    behave = (_request, response) => {
      if (when === 'in a small answer') response.writeHead(200, { 'content-length': 10 }).write('half');
      setImmediate(() => response.destroy());
    };
    const answer = await fetch(`${base}/mcp`, { method: 'POST', body: '{}' });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([502, '1']);
    expect(await answer.json()).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: {
        code: -32_603,
        message: 'The service behind this path does not answer. Try again shortly.',
        data: { retryAfter: 1 },
      },
    });
    expect(outcomes).toMatchObject([{ status: 502, error: { code: 'unavailable' } }]);
  });

  test('a service that dies in a stream breaks the client’s connection rather than ending the answer', async () => {
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

  test('a large body that the service refuses at once: its refusal arrives', async () => {
    behave = (_request, response) => {
      response.writeHead(413, { connection: 'close', 'content-length': 9 }).end('too large');
    };
    const asked = request(`${base}/mcp`, { method: 'POST', headers: { 'content-length': 50_000_000 } });
    asked.on('error', () => undefined).write(Buffer.alloc(100_000));
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    const [text] = (await once(answer, 'data')) as [Buffer];
    expect([answer.statusCode, text.toString()]).toEqual([413, 'too large']);
    asked.destroy();
  });

  test('a slow reader holds the service back', async () => {
    const poured = pouring();
    behave = poured.behave;
    const response = await open();
    response.pause();
    await poured.isHeldBack();
    response.destroy();
  });
});
