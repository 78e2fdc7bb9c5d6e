import { once } from 'node:events';
import { createServer, get, type IncomingMessage, request, type RequestListener, type Server } from 'node:http';
import { connect } from 'node:net';
import { readVisitorToken, type RequestKind } from '@tallyport/contracts';
import express from 'express';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addressRanges } from '../authenticate/address-ranges.ts';
import { clientAddresses } from '../authenticate/client-address.ts';
import { createFormReader } from '../forward/read-form.ts';
import { publicUrls } from '../http/public-url.ts';
import type { Door } from '../door.ts';
import { closeNow, listening, openStream, pouring } from '../testing/test-servers.ts';
import { dashboardRoutes } from './dashboard-routes.ts';

const secret = 'x'.repeat(32);
const notHere = () => Promise.reject(new Error('not here'));

describe('the way to console-svc', () => {
  let upstream: Server;
  let edge: Server;
  let behave: RequestListener;
  let targets: string[];
  let base: string;
  let door: Pick<Door, 'sessionCaller' | 'admit'>;

  beforeEach(async () => {
    door = { sessionCaller: notHere, admit: notHere };
    upstream = createServer((incoming, response) => behave(incoming, response));
    targets = [await listening(upstream)];
    const app = express();
    app.use((_request, response, next) => {
      response.setHeader('x-request-id', 'req_1');
      next();
    });
    const addressOf = clientAddresses(addressRanges([]));
    const routes = dashboardRoutes({
      consoleUrls: () => targets,
      publicUrl: publicUrls('https://gateway.example'),
      door: {
        addressOf,
        sessionCaller: (session) => door.sessionCaller(session),
        admit: (...entry) => door.admit(...entry),
      },
      readForm: createFormReader(addressOf),
      secret,
      hasStatusPage: false,
      silenceMs: 2_000,
    });
    for (const { path, handler } of routes) app.all(path, handler);
    edge = createServer(app);
    base = await listening(edge);
  });
  afterEach(() => {
    closeNow(edge);
    closeNow(upstream);
  });

  const gone = async (): Promise<string> => {
    const server = createServer();
    const address = await listening(server);
    closeNow(server);
    return address;
  };
  const away = 'The dashboard (console-svc) is not responding. Try again in a moment.';

  test('replicas take turns', async () => {
    const other = createServer((_request, response) => response.end('other'));
    targets.push(await listening(other));
    behave = (_request, response) => response.end('one');
    const answers = [];
    for (let count = 0; count < 4; count += 1) answers.push(await (await fetch(`${base}/dashboard`)).text());
    closeNow(other);
    expect(answers).toEqual(['one', 'other', 'one', 'other']);
  });

  test.each(['GET', 'POST'])('a %s that is refused a connection is sent to another replica, once', async (method) => {
    behave = (incoming, response) => void incoming.pipe(response);
    targets.unshift(await gone());
    const body = method === 'POST' ? 'a=1' : null;
    for (let count = 0; count < 4; count += 1)
      expect(await (await fetch(`${base}/dashboard/a`, { method, body })).text()).toBe(body ?? '');
    targets = [await gone(), await gone(), ...targets];
    const statuses = new Set();
    for (let count = 0; count < 8; count += 1)
      statuses.add((await fetch(`${base}/dashboard/a`, { method, body })).status);
    expect(statuses).toEqual(new Set([200, 503]));
  });

  test('a request that a replica has begun is not repeated', async () => {
    let tried = 0;
    behave = (incoming) => {
      tried += 1;
      incoming.socket.destroy();
    };
    targets.push(targets[0]!);
    const answer = await fetch(`${base}/dashboard/a`);
    expect([answer.status, tried]).toEqual([503, 1]);
  });

  test.each([
    ['/dashboard/a', 'text/html', 'br', 'br'],
    ['/dashboard/a', 'text/html', 'gzip', 'gzip'],
    ['/dashboard/a', 'text/html', 'identity', null],
    ['/dashboard/a', 'image/png', 'br', null],
  ])('compresses %s as %s for a client that accepts %s: %s', async (path, type, accepted, encoding) => {
    const page = '<p>Hello</p>'.repeat(1_000);
    behave = (_request, response) => response.writeHead(200, { 'content-type': type }).end(page);
    const answer = await fetch(base + path, { headers: { 'accept-encoding': accepted } });
    expect(answer.headers.get('content-encoding')).toBe(encoding);
    expect(answer.headers.get('vary')).toBe(encoding === null ? null : 'Accept-Encoding');
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

  test('sends a page to people and JSON to programs if no replica responds', async () => {
    targets = [await gone()];
    const page = await fetch(`${base}/dashboard/a`, { headers: { accept: 'text/html,*/*' } });
    expect([page.status, page.headers.get('content-type'), page.headers.get('retry-after')]).toEqual([
      503,
      'text/html; charset=utf-8',
      '1',
    ]);
    expect(await page.text()).toContain(away);
    const answer = await fetch(`${base}/dashboard/a`);
    expect([answer.status, await answer.json()]).toMatchObject([
      503,
      { error: { code: 'unavailable', message: away } },
    ]);
  });

  test('a name that cannot be resolved is a service that does not respond', async () => {
    targets = ['http://console.invalid:4004'];
    expect((await fetch(`${base}/dashboard`)).status).toBe(503);
  });

  test('stops waiting for a service that accepts a request but never responds', async () => {
    behave = () => undefined;
    const silent = await fetch(`${base}/dashboard/a`);
    expect([silent.status, silent.headers.get('retry-after')]).toEqual([503, '1']);
  });

  test('signs where a request comes from, and replaces what the client claims', async () => {
    behave = (incoming, response) => response.end(JSON.stringify({ url: incoming.url, headers: incoming.headers }));
    const forged = {
      'x-gw-token': 'forged',
      'x-gw-status-page': 'yes',
      'x-request-id': 'forged',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'ftp',
      'x-forwarded-for': '9.9.9.9',
    };
    const url = '/dashboard/a%2Fb?a=%20';
    const answer = await fetch(base + url, { headers: { cookie: 'a=secret', te: 'trailers', ...forged } });
    const seen = (await answer.json()) as { url: string; headers: Record<string, string> };
    expect(seen.url).toBe(url);
    expect(seen.headers).toMatchObject({ host: new URL(base).host, cookie: 'a=secret', 'x-request-id': 'req_1' });
    expect(seen.headers['x-gw-status-page']).toBe('no');
    expect(Object.keys(seen.headers).filter((name) => /^(te|x-forwarded-.*)$/.test(name))).toEqual([]);
    const check = { requestId: 'req_1', secrets: [secret] };
    expect(readVisitorToken(seen.headers['x-gw-token'] ?? '', check)).toEqual({
      address: '127.0.0.1',
      publicOrigin: 'https://gateway.example',
    });
  });

  test('a client that expects to be asked for its body is signed for as well', async () => {
    behave = (incoming, response) => response.end(incoming.headers['x-gw-token'] === 'forged' ? 'forged' : 'signed');
    const outgoing = request(`${base}/dashboard/a`, {
      method: 'POST',
      headers: { expect: '100-continue', 'x-gw-token': 'forged', 'content-length': '1' },
    });
    outgoing.once('continue', () => outgoing.end('a'));
    outgoing.flushHeaders();
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    expect(Buffer.concat(await answer.toArray()).toString()).toBe('signed');
  });

  test.each(['POST', 'DELETE'])('hands a %s body of undeclared length over completely', async (method) => {
    behave = (incoming, response) => void incoming.pipe(response);
    const outgoing = request(`${base}/dashboard/a`, { method, headers: { 'transfer-encoding': 'chunked' } });
    outgoing.write('one ');
    outgoing.end('two');
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    expect(Buffer.concat(await answer.toArray()).toString()).toBe('one two');
  });

  test('accepts 64 KiB and not a byte more', async () => {
    behave = (incoming, response) => void incoming.pipe(response);
    const send = (size: number) => fetch(`${base}/dashboard/a`, { method: 'POST', body: Buffer.alloc(size, 'a') });
    expect(await (await send(65_536)).text()).toHaveLength(65_536);
    expect((await send(65_537)).status).toBe(413);
  });

  test.each([
    ['playground', 'chat'],
    ['playground/images', 'images'],
    ['playground/embeddings', 'chat'],
    ['playground/speech', 'chat'],
  ])('a form of %s is counted as a request of the kind %s', async (page, kind) => {
    behave = (_request, response) => response.end('answer');
    const admitted: RequestKind[] = [];
    const caller = { principal: { accountId: 'a', keyId: 'playground_a_u' }, limits: {} };
    door = {
      sessionCaller: async () => caller,
      admit: (_, counted) => (admitted.push(counted), () => {}),
    };
    const answer = await fetch(`${base}/dashboard/a/${page}`, { method: 'POST', body: 'prompt=Hello' });
    expect([await answer.text(), admitted]).toEqual(['answer', [kind]]);
  });

  test('the connection of the client stays open until it wishes it closed', async () => {
    behave = (_request, response) => response.writeHead(200, { 'set-cookie': ['a=1', 'b=2'] }).end('here');
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(base).port) });
    const ask = (value: string) => `GET /dashboard HTTP/1.1\r\nhost: a\r\nconnection: ${value}\r\n\r\n`;
    socket.write(ask('keep-alive') + ask('close'));
    const received = Buffer.concat(await socket.toArray()).toString();
    expect(received.match(/^(connection|set-cookie): \S+/gim)).toEqual([
      'set-cookie: a=1',
      'set-cookie: b=2',
      'connection: keep-alive',
      'set-cookie: a=1',
      'set-cookie: b=2',
      'connection: close',
    ]);
  });

  test('a client that leaves ends the request of the service', async () => {
    const left = Promise.withResolvers<boolean>();
    behave = (_request, response) => response.on('close', () => left.resolve(response.writableFinished));
    const outgoing = get(`${base}/dashboard/a`);
    outgoing.on('error', () => undefined);
    await once(upstream, 'request');
    outgoing.destroy();
    expect(await left.promise).toBe(false);
  });

  test('breaks the client’s connection if the service dies in the middle of a response', async () => {
    behave = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).write('half');
      setImmediate(() => response.destroy());
    };
    const response = await openStream(`${base}/dashboard/a`);
    response.resume();
    await new Promise((resolve) => response.on('close', resolve));
    expect(response.complete).toBe(false);
  });

  test('a slow client pauses the service', async () => {
    const poured = pouring();
    behave = poured.behave;
    const response = await openStream(`${base}/dashboard/a`);
    response.pause();
    await poured.isPaused();
    response.destroy();
  });
});
