import { once } from 'node:events';
import { createServer, get, type IncomingMessage, request, type RequestListener, type Server } from 'node:http';
import { connect } from 'node:net';
import express from 'express';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addressRanges } from '../authenticate/address-ranges.ts';
import { clientAddresses } from '../authenticate/client-address.ts';
import { publicUrls } from '../http/public-url.ts';
import { authRoutes } from './auth-proxy.ts';
import { closeNow, listening, openStream, pouring } from '../testing/behaving.ts';

describe('what edge hands on over HTTP', () => {
  let upstream: Server;
  let edge: Server;
  let behave: RequestListener;

  let target: string;
  let base: string;
  beforeEach(async () => {
    upstream = createServer((incoming, response) => behave(incoming, response));
    target = await listening(upstream);
    const app = express();
    app.use((_request, response, next) => {
      response.setHeader('x-request-id', 'req_1');
      next();
    });
    const needs = {
      authUrls: () => [target],
      publicUrl: publicUrls('https://gateway.example'),
      addressOf: clientAddresses(addressRanges([])),
      silenceMs: 2_000,
    };
    for (const { path, handler } of authRoutes(needs)) app.all(path, handler);
    edge = createServer(app);
    base = await listening(edge);
  });
  afterEach(() => {
    closeNow(edge);
    closeNow(upstream);
  });

  const open = (path: string): Promise<IncomingMessage> => openStream(`${base}${path}`);

  test('headers of a quiet event stream go out at once, its events unbuffered', async () => {
    let say: (text: string) => void = () => undefined;
    behave = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      say = (text) => response.write(text);
    };
    const response = await open('/oauth/x');
    expect(response.headers['content-type']).toBe('text/event-stream');
    for (const event of ['data: 1\n\n', 'data: 2\n\n']) {
      say(event);
      const [data] = (await once(response, 'data')) as [Buffer];
      expect(data.toString()).toBe(event);
    }
    response.destroy();
  });

  test('a client that leaves is told to the service, before and after the headers', async () => {
    const left: string[] = [];
    behave = (incoming, response) => {
      response.on('close', () => left.push(incoming.url ?? ''));
      if (incoming.url === '/oauth/x?headers') {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(': open\n\n');
      }
    };
    (await open('/oauth/x?headers')).destroy();
    await expect.poll(() => left).toEqual(['/oauth/x?headers']);
    const asked = get(`${base}/oauth/x?silent`);
    asked.on('error', () => undefined);
    const [incoming] = (await once(upstream, 'request')) as [IncomingMessage];
    expect(incoming.url).toBe('/oauth/x?silent');
    asked.destroy();
    await expect.poll(() => left).toEqual(['/oauth/x?headers', '/oauth/x?silent']);
  });

  test('a slow reader holds the service back', async () => {
    const poured = pouring();
    behave = poured.behave;
    const response = await open('/oauth/x');
    response.pause();
    await poured.isHeldBack();
    response.destroy();
  });

  test('a service that is away or breaks is told to programs and to people', async () => {
    behave = (_request, response) => response.destroy();
    const error = {
      message: 'Signing in and managing do not answer right now. Try again in a moment.',
      type: 'api_error',
      param: null,
      code: 'unavailable',
    };
    const broken = await fetch(`${base}/oauth/token`, { method: 'POST', body: '{}' });
    expect([broken.status, broken.headers.get('retry-after'), await broken.json()]).toEqual([503, '1', { error }]);
    expect(broken.headers.get('x-request-id')).toBe('req_1');
    const gone = createServer();
    target = await listening(gone);
    closeNow(gone);
    const away = await fetch(`${base}/api/v1/account`);
    expect([away.status, await away.json()]).toEqual([503, { error }]);
    const page = await fetch(`${base}/sign-in`, { headers: { accept: 'text/html,*/*' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain(error.message);
  });

  test('a service that takes a request and says nothing is not waited for for ever', async () => {
    behave = () => undefined;
    const silent = await fetch(`${base}/api/v1/account`);
    expect([silent.status, silent.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await silent.json()).toMatchObject({ error: { code: 'unavailable' } });
  });

  test('a service that dies in the middle breaks the client’s connection rather than ending the answer', async () => {
    behave = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: half\n\n');
      setImmediate(() => response.destroy());
    };
    const response = await open('/oauth/x');
    response.resume();
    await new Promise((resolve) => response.on('close', resolve));
    expect(response.complete).toBe(false);
  });

  test('what a client claims of its origin is overwritten', async () => {
    behave = (incoming, response) => response.end(JSON.stringify({ url: incoming.url, headers: incoming.headers }));
    const secrets = {
      authorization: 'Bearer secret',
      'x-api-key': 'secret',
      cookie: 'a=secret',
      'x-gw-principal': 'me',
    };
    const forged = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'ftp', 'x-forwarded-for': '9.9.9.9' };
    const seen = async (path: string) => {
      const answer = await fetch(`${base}${path}`, { headers: { ...secrets, ...forged } });
      return (await answer.json()) as { url: string; headers: Record<string, string> };
    };
    const { url, headers } = await seen('/oauth/token?a=1');
    expect(url).toBe('/oauth/token?a=1');
    expect(headers).toMatchObject({
      'x-forwarded-host': 'gateway.example',
      'x-forwarded-proto': 'https',
      'x-forwarded-for': '127.0.0.1',
      // The OAuth server needs the client's own credentials and cookies.
      authorization: 'Bearer secret',
      cookie: 'a=secret',
    });
    expect(headers).not.toHaveProperty('x-gw-principal');
  });

  test.each(['POST', 'DELETE'])('a %s whose body has no length arrives whole', async (method) => {
    behave = (incoming, response) => void incoming.pipe(response);
    const asked = request(`${base}/api/v1/keys/1`, { method, headers: { 'transfer-encoding': 'chunked' } });
    asked.write('one ');
    asked.end('two');
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    expect(Buffer.concat(await answer.toArray()).toString()).toBe('one two');
  });

  test('connections to the service are used again, whatever the method', async () => {
    const ports = new Set<number | undefined>();
    behave = (incoming, response) => {
      ports.add(incoming.socket.remotePort);
      response.writeHead(200, { 'set-cookie': ['a=1', 'b=2'] }).end(incoming.method);
    };
    for (const method of ['GET', 'DELETE', 'POST', 'GET']) {
      const answer = await fetch(`${base}/api/v1/account`, { method });
      expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
      expect(await answer.text()).toBe(method);
    }
    expect(ports.size).toBe(1);
  });

  test.each([
    ['names another host', 'GET http://192.0.2.1/oauth/x HTTP/1.1\r\nhost: a\r\n', 'http://192.0.2.1/oauth/x'],
    ['has dots and escapes', 'GET /oauth/a%2Fb/../c HTTP/1.1\r\nhost: a\r\n', '/oauth/a%2Fb/../c'],
    ['comes without a host', 'GET /oauth/x HTTP/1.0\r\n', '/oauth/x'],
  ])('a path that %s reaches the service as it was written', async (_, head, url) => {
    behave = (incoming, response) => response.end(incoming.url);
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(base).port) });
    socket.write(`${head}connection: close\r\n\r\n`);
    const answer = Buffer.concat(await socket.toArray()).toString();
    expect([answer.split('\r\n')[0], answer.split('\r\n\r\n')[1]]).toEqual(['HTTP/1.1 200 OK', url]);
  });

  test('a body of 30 MB passes whole', async () => {
    behave = (incoming, response) => {
      let bytes = 0;
      incoming.on('data', (chunk: Buffer) => (bytes += chunk.length));
      incoming.on('end', () => response.end(String(bytes)));
    };
    const upload = request(`${base}/oauth/x`, { method: 'POST' });
    upload.end(Buffer.alloc(30 * 1024 * 1024));
    const [response] = (await once(upload, 'response')) as [IncomingMessage];
    const [data] = (await once(response, 'data')) as [Buffer];
    expect(data.toString()).toBe(String(30 * 1024 * 1024));
  });

  test('a hundred open streams leave room for the next request', async () => {
    behave = (incoming, response) => {
      if (incoming.url === '/oauth/x?ping') return response.end('pong');
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return response.write(': open\n\n');
    };
    const streams = await Promise.all(Array.from({ length: 100 }, () => open('/oauth/x')));
    expect(await (await fetch(`${base}/oauth/x?ping`)).text()).toBe('pong');
    for (const stream of streams) stream.destroy();
  });
});
