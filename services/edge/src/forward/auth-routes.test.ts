import { once } from 'node:events';
import { createServer, get, type IncomingMessage, request, type RequestListener, type Server } from 'node:http';
import { connect } from 'node:net';
import { createClient, inProcessLink, type Link, type Listener, serve } from '@tallyport/bus';
import { authService, service } from '@tallyport/contracts';
import { appHandler } from '@tallyport/http-exchange';
import express from 'express';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addressRanges } from '../authenticate/address-ranges.ts';
import { clientAddresses } from '../authenticate/client-address.ts';
import { publicUrls } from '../http/public-url.ts';
import { createRunningRequests } from '../relay/running-requests.ts';
import { closeNow, listening, openStream, pouring } from '../testing/test-servers.ts';
import { authRoutes } from './auth-routes.ts';
import { createFormReader } from './read-form.ts';

describe('the way to auth-svc', () => {
  let link: Link;
  let listener: Listener;
  let edge: Server;
  let behave: RequestListener;
  let base: string;
  beforeEach(async () => {
    link = inProcessLink();
    listener = await serve(link, service('auth', { serve: authService.operations.serve }), {
      serve: appHandler((incoming, response) => behave(incoming, response)),
    });
    const app = express();
    app.use((_request, response, next) => {
      response.setHeader('x-request-id', 'req_1');
      next();
    });
    const addressOf = clientAddresses(addressRanges([]));
    const routes = authRoutes({
      open: createClient(link, authService).serve,
      publicUrl: publicUrls('https://gateway.example'),
      addressOf,
      readForm: createFormReader(addressOf),
      running: createRunningRequests(),
      timeoutMs: 60_000,
      silenceMs: 2_000,
    });
    for (const { path, handler } of routes) app.all(path, handler);
    edge = createServer(app);
    base = await listening(edge);
  });
  afterEach(async () => {
    closeNow(edge);
    await link.close();
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
    let asked = 0;
    behave = (incoming, response) => {
      asked += 1;
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
    await expect.poll(() => asked).toBe(2);
    outgoing.destroy();
    await expect.poll(() => left).toEqual(['/oauth/x?headers', '/oauth/x?silent']);
  });

  test('a slow client pauses the service', async () => {
    const poured = pouring();
    behave = poured.behave;
    const response = await open('/oauth/x');
    response.pause();
    await poured.isPaused();
    response.destroy();
  });

  test('does not compress pages, which hold secrets beside texts that others choose', async () => {
    const page = '<p>Hello</p>'.repeat(1_000);
    behave = (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    const answer = await fetch(`${base}/oauth/interaction/x`, { headers: { 'accept-encoding': 'br' } });
    expect([answer.headers.get('content-encoding'), answer.headers.get('vary')]).toEqual([null, null]);
    expect(await answer.text()).toBe(page);
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
    await listener.drain(0);
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
    expect(headers['x-request-id']).toBe('req_1');
  });

  test.each(['POST', 'DELETE'])('forwards a %s body of undeclared length completely', async (method) => {
    behave = (incoming, response) => void incoming.pipe(response);
    const outgoing = request(`${base}/api/v1/keys/1`, { method, headers: { 'transfer-encoding': 'chunked' } });
    outgoing.write('one ');
    outgoing.end('two');
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    expect(Buffer.concat(await answer.toArray()).toString()).toBe('one two');
  });

  test.each(['GET', 'DELETE', 'POST', 'PATCH'])('passes the cookies of a %s back one by one', async (method) => {
    behave = (incoming, response) => {
      response.writeHead(200, { 'set-cookie': ['a=1', 'b=2'] }).end(incoming.method);
    };
    const answer = await fetch(`${base}/api/v1/account`, { method });
    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(await answer.text()).toBe(method);
  });

  test.each([204, 304])('passes the status %i back without a body', async (status) => {
    behave = (_request, response) => response.writeHead(status, { etag: '"a"' }).end();
    const answer = await fetch(`${base}/api/v1/account`, { headers: { 'if-none-match': '"a"' } });
    expect([answer.status, answer.headers.get('etag'), await answer.text()]).toEqual([status, '"a"', '']);
  });

  test('passes the head of a HEAD back', async () => {
    behave = (_request, response) => response.writeHead(200, { 'content-length': 10 }).end('ten bytes!');
    const answer = await fetch(`${base}/sign-in`, { method: 'HEAD' });
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([200, '10', '']);
  });

  test('an upload that never ends does not reach the service', async () => {
    let asked = 0;
    behave = (_request, response) => {
      asked += 1;
      response.end('here');
    };
    const outgoing = request(`${base}/oauth/token`, { method: 'POST', headers: { 'content-length': '10' } });
    outgoing.on('error', () => undefined);
    outgoing.write('half');
    expect(await (await fetch(`${base}/sign-in`)).text()).toBe('here');
    outgoing.destroy();
    expect([asked, listener.active()]).toEqual([1, 0]);
  });

  test('a client’s headers pass up to the limit of edge', async () => {
    behave = (incoming, response) => response.end(String(incoming.headers['x-long']?.length));
    const ask = (length: number) => fetch(`${base}/sign-in`, { headers: { 'x-long': 'x'.repeat(length) } });
    expect(await (await ask(15_500)).text()).toBe('15500');
    expect((await ask(16_384)).status).toBe(431);
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
