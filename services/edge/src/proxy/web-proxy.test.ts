import { once } from 'node:events';
import { createServer, get, type IncomingMessage, request, type RequestListener, type Server } from 'node:http';
import { connect } from 'node:net';
import { readVisitorToken } from '@tallyport/contracts';
import express from 'express';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addressRanges } from '../authenticate/address-ranges.ts';
import { clientAddresses } from '../authenticate/client-address.ts';
import { publicUrls } from '../http/public-url.ts';
import { webRoutes } from './web-proxy.ts';
import { closeNow, listening, openStream, pouring } from '../testing/test-servers.ts';

const secret = 'x'.repeat(32);

const notHere = () => Promise.reject(new Error('not here'));

describe('the proxy to auth-svc', () => {
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
      consoleUrls: () => [target],
      publicUrl: publicUrls('https://gateway.example'),
      door: { addressOf: clientAddresses(addressRanges([])), sessionCaller: notHere, admit: notHere },
      secret,
      silenceMs: 2_000,
    };
    for (const { path, handler } of webRoutes(needs)) app.all(path, handler);
    edge = createServer(app);
    base = await listening(edge);
  });
  afterEach(() => {
    closeNow(edge);
    closeNow(upstream);
  });

  const open = (path: string): Promise<IncomingMessage> => openStream(`${base}${path}`);

  test('sends the headers of a quiet event stream at once, its events unbuffered', async () => {
    let push: (text: string) => void = () => undefined;
    behave = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      push = (text) => response.write(text);
    };
    const response = await open('/oauth/x');
    expect(response.headers['content-type']).toBe('text/event-stream');
    for (const event of ['data: 1\n\n', 'data: 2\n\n']) {
      push(event);
      const [data] = (await once(response, 'data')) as [Buffer];
      expect(data.toString()).toBe(event);
    }
    response.destroy();
  });

  test('aborts the forwarded request when the client disconnects, before and after the headers', async () => {
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
    const outgoing = get(`${base}/oauth/x?silent`);
    outgoing.on('error', () => undefined);
    const [incoming] = (await once(upstream, 'request')) as [IncomingMessage];
    expect(incoming.url).toBe('/oauth/x?silent');
    outgoing.destroy();
    await expect.poll(() => left).toEqual(['/oauth/x?headers', '/oauth/x?silent']);
  });

  test.each([
    ['GET', 200, 2],
    ['POST', 503, 1],
  ])('a %s whose reused connection is closed gets %i after %i tries', async (method, status, tries) => {
    let tried = 0;
    behave = (incoming, response) => {
      tried += 1;
      if (tried === 1) incoming.socket.destroy();
      else response.end('here');
    };
    const answer = await fetch(`${base}/oauth/x`, { method });
    expect([answer.status, tried]).toEqual([status, tries]);
  });

  test('a slow client pauses the service', async () => {
    const poured = pouring();
    behave = poured.behave;
    const response = await open('/oauth/x');
    response.pause();
    await poured.isPaused();
    response.destroy();
  });

  test.each([
    ['/dashboard/a', 'text/html', 'br', 'br'],
    ['/dashboard/a', 'text/html', 'gzip', 'gzip'],
    ['/dashboard/a', 'text/html', 'identity', null],
    ['/dashboard/a', 'image/png', 'br', null],
    // Its pages hold secrets beside texts that others choose.
    ['/oauth/interaction/x', 'text/html', 'br', null],
  ])('compresses %s as %s for a client that accepts %s: %s', async (path, type, accepted, encoding) => {
    const page = '<p>Hello</p>'.repeat(1_000);
    behave = (_request, response) => response.writeHead(200, { 'content-type': type }).end(page);
    const answer = await fetch(base + path, { headers: { 'accept-encoding': accepted } });
    expect(answer.headers.get('content-encoding')).toBe(encoding);
    expect(answer.headers.get('vary')).toBe(encoding === null ? null : 'accept-encoding');
    expect(await answer.text()).toBe(page);
  });

  test.each(['br', 'gzip', 'identity'])('passes the parts of a page on as they arrive, as %s', async (accepted) => {
    let end: (text: string) => void = () => undefined;
    behave = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).write('<p>Menu</p>');
      end = (text) => response.end(text);
    };
    const page = await fetch(`${base}/dashboard/a`, { headers: { 'accept-encoding': accepted } });
    const parts = page.body!.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
    expect(await parts.next()).toEqual({ done: false, value: '<p>Menu</p>' });
    end('<p>Content</p>');
    expect(await parts.next()).toEqual({ done: false, value: '<p>Content</p>' });
    expect((await parts.next()).done).toBe(true);
  });

  test('reports an unreachable service as JSON to programs and as a page to people', async () => {
    behave = (_request, response) => response.destroy();
    const error = {
      message: 'The sign-in service is not responding. Try again in a moment.',
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

  test('stops waiting for a service that accepts a request but never responds', async () => {
    behave = () => undefined;
    const silent = await fetch(`${base}/api/v1/account`);
    expect([silent.status, silent.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await silent.json()).toMatchObject({ error: { code: 'unavailable' } });
  });

  test('breaks the client’s connection if the service dies in the middle of a response', async () => {
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

  test('overwrites forwarding headers sent by the client', async () => {
    behave = (incoming, response) => response.end(JSON.stringify({ url: incoming.url, headers: incoming.headers }));
    const secrets = {
      authorization: 'Bearer secret',
      'x-api-key': 'secret',
      cookie: 'a=secret',
      'x-gw-principal': 'me',
      'x-gw-token': 'forged',
      'x-request-id': 'forged',
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
    expect(headers['x-request-id']).toBe('req_1');
    const check = { requestId: 'req_1', secrets: [secret] };
    expect(readVisitorToken(headers['x-gw-token'] ?? '', check)).toEqual({
      address: '127.0.0.1',
      publicOrigin: 'https://gateway.example',
    });
  });

  test.each(['POST', 'DELETE'])('forwards a %s body of undeclared length completely', async (method) => {
    behave = (incoming, response) => void incoming.pipe(response);
    const outgoing = request(`${base}/api/v1/keys/1`, { method, headers: { 'transfer-encoding': 'chunked' } });
    outgoing.write('one ');
    outgoing.end('two');
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    expect(Buffer.concat(await answer.toArray()).toString()).toBe('one two');
  });

  test('reuses connections to the service for every method', async () => {
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
    ['has no Host header', 'GET /oauth/x HTTP/1.0\r\n', '/oauth/x'],
  ])('forwards unchanged a path that %s', async (_, head, url) => {
    behave = (incoming, response) => response.end(incoming.url);
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(base).port) });
    socket.write(`${head}connection: close\r\n\r\n`);
    const answer = Buffer.concat(await socket.toArray()).toString();
    expect([answer.split('\r\n')[0], answer.split('\r\n\r\n')[1]]).toEqual(['HTTP/1.1 200 OK', url]);
  });

  test.each(['/sign-in', '/oauth/token', '/api/v1/keys'])('%s accepts 64 KiB and not a byte more', async (path) => {
    let calls = 0;
    behave = (incoming, response) => {
      calls += 1;
      let bytes = 0;
      incoming.on('data', (chunk: Buffer) => (bytes += chunk.length));
      incoming.on('end', () => response.end(String(bytes)));
    };
    const send = (size: number, chunked: boolean) => {
      const bytes = Buffer.alloc(size, 'a');
      return fetch(`${base}${path}`, {
        method: 'POST',
        body: chunked ? new Blob([bytes]).stream() : bytes,
        ...(chunked && { duplex: 'half' as const }),
      });
    };
    for (const chunked of [false, true]) expect(await (await send(65_536, chunked)).text()).toBe('65536');
    for (const chunked of [false, true]) {
      const refused = await send(65_537, chunked);
      expect([refused.status, refused.headers.get('connection')]).toEqual([413, 'close']);
      expect(await refused.json()).toEqual({
        error: {
          message: "The body is larger than this server's limit of 65536 bytes. Send a smaller one.",
          type: 'invalid_request_error',
          param: null,
          code: 'request_too_large',
        },
      });
    }
    expect(calls).toBe(2);
  });

  test('serves requests next to a hundred open streams', async () => {
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
