import { connect } from 'node:net';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { once } from 'node:events';
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { createClient, type ExchangeHandler, inProcessLink, type Link, serve } from '@tallyport/bus';
import {
  authService,
  catalogService,
  chatService,
  GatewayError,
  hashKey,
  ledgerService,
  service,
} from '@tallyport/contracts';
import { createKit, createMetrics, readConfig, silentLog } from '@tallyport/service-kit';
import { openStore } from '@tallyport/store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { edgeConfig } from './config.ts';
import { edgeModule } from './module.ts';
import { patient } from '../../../tests/support/patience.ts';

const key = 'an-operator-chosen-key';
const json = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
const ok = (
  body: string | AsyncIterable<Uint8Array>,
  headers: Record<string, string> = { 'content-type': 'application/json' },
) => ({
  head: { status: 200, headers },
  body: typeof body === 'string' ? Buffer.from(body) : body,
});
const text = (value: string): Uint8Array => Buffer.from(value);

describe('edge', () => {
  let link: Link;
  let base: string;
  let stop: () => Promise<void>;
  let complete: ExchangeHandler;
  let lookUps = 0;
  let databaseIsAway = false;
  let isRevoked = false;

  beforeAll(async () => {
    link = inProcessLink();
    await serve(link, service(ledgerService.name, { ownUsage: ledgerService.operations.ownUsage }), {
      ownUsage: async ({ head }) => ok(JSON.stringify({ usageOf: head.principal?.keyId })),
    });
    const { authenticate, databaseStatus, ownKey } = authService.operations;
    await serve(link, service(authService.name, { authenticate, databaseStatus, ownKey }), {
      authenticate({ keyHash }) {
        lookUps++;
        if (databaseIsAway) throw new GatewayError('unavailable', 'The database is away. Try again shortly.');
        const known = keyHash === hashKey(key) && !isRevoked;
        return { caller: known ? { principal: { accountId: 'acc', keyId: 'key' }, limits: {} } : null };
      },
      ownKey: async ({ head }) => ok(JSON.stringify({ key: head.principal?.keyId })),
      databaseStatus: () => ({ connected: !databaseIsAway, ...(databaseIsAway && { error: 'away' }) }),
    });
    await serve(link, catalogService, {
      snapshot: () => ({ version: '1', models: [] }),
      listModels: async ({ head }) =>
        ok(JSON.stringify({ query: head.query ?? '', account: head.principal?.accountId ?? null })),
      getModel: async ({ head }) => ok(JSON.stringify({ path: head.path, query: head.query ?? '' })),
      listGeminiModels: async ({ head }) => ok(JSON.stringify({ gemini: head.principal?.accountId ?? null })),
      getGeminiModel: async ({ head }) => ok(JSON.stringify({ gemini: head.path })),
      priceList: () => Promise.reject(new Error('not here')),
      setOverride: () => Promise.reject(new Error('not here')),
      removeOverride: () => ({ removed: false }),
      listOverrides: () => ({ overrides: [] }),
    });
    const { availableProviders, complete: chat, countGeminiTokens, generateContent } = chatService.operations;
    const chats = service(chatService.name, { availableProviders, complete: chat, countGeminiTokens, generateContent });
    await serve(link, chats, {
      availableProviders: () => ({ providers: [] }),
      complete: (exchange) => complete(exchange),
      countGeminiTokens: async ({ head }) => ok(JSON.stringify({ count: head.path })),
      generateContent: async ({ head }) => ok(JSON.stringify({ generate: head.path, query: head.query ?? '' })),
    });
    const config = readConfig(edgeConfig, {
      environment: { PORT: '0', MAX_BODY_BYTES: '1024', UPLOAD_TIMEOUT_MS: '400', INTERNAL_SECRET: 'x'.repeat(32) },
    });
    const kit = createKit({ name: 'edge', config, log: silentLog(), metrics: createMetrics({ defaults: false }) });
    const edge = edgeModule(kit, {
      link,
      store: await openStore(),
      consoleUrls: () => ['http://127.0.0.1:1'],
    });
    await edge.start?.();
    base = edge.address();
    stop = () => edge.stop!(2_000);
  });
  afterAll(async () => {
    await stop();
    await link.close();
  });

  const chat = (init: RequestInit = {}): Promise<Response> =>
    fetch(`${base}/v1/chat/completions`, { method: 'POST', headers: json, body: '{}', ...init });
  const errorOf = async (response: Response) => ({
    status: response.status,
    ...((await response.json()) as { error: object }).error,
  });

  test('relays a chat as bytes both ways, with the principal and without the key', async () => {
    complete = async ({ head, body }) => ok(JSON.stringify({ head, body: Buffer.from(await body.bytes()).toString() }));
    const response = await chat({
      body: '{"not":"parsed',
      headers: {
        ...json,
        'x-request-id': 'mine',
        'x-fallback': 'any-failure',
        'x-no-fallback': 'true',
        'X-Route-Tier': 'gold',
        'x-tier': 'gold',
        cookie: 'a=b',
      },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-request-id')).toBe('mine');
    const seen = (await response.json()) as { head: Record<string, unknown>; body: string };
    expect(seen.body).toBe('{"not":"parsed');
    expect(seen.head).toMatchObject({
      requestId: 'mine',
      principal: { accountId: 'acc', keyId: 'key' },
      headers: {
        'content-type': 'application/json',
        'x-fallback': 'any-failure',
        'x-no-fallback': 'true',
        'x-route-tier': 'gold',
      },
      traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/),
    });
    expect(JSON.stringify(seen)).not.toContain(key);
    expect(Object.keys(Object(seen.head['headers']))).not.toContain('x-tier');
    expect(Object.keys(Object(seen.head['headers']))).not.toContain('cookie');
  });

  test('relays a stream as it is produced, headers first', async () => {
    const gate = Promise.withResolvers<void>();
    complete = async () =>
      ok(
        (async function* () {
          await gate.promise;
          yield text('data: 1\n\n');
          yield text('data: [DONE]\n\n');
        })(),
        { 'content-type': 'text/event-stream; charset=utf-8' },
      );
    const response = await chat();
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    gate.resolve();
    expect(await response.text()).toBe('data: 1\n\ndata: [DONE]\n\n');
  });

  test('Server-Timing reports the key look-up, the service’s own times and the gateway’s total', async () => {
    complete = async () =>
      ok('{}', { 'content-type': 'application/json', 'server-timing': 'plan;dur=0.1, upstream;dur=0.0' });
    expect((await chat()).headers.get('server-timing')).toMatch(
      /^auth;dur=\d+\.\d, plan;dur=0\.1, upstream;dur=0\.0, gateway;dur=\d+\.\d$/,
    );
  });

  test('a broken stream ends with an error event and without [DONE]', async () => {
    complete = async () =>
      ok(
        (async function* () {
          yield text('data: 1\n\n');
          throw new GatewayError('stream_truncated', 'The provider broke off.');
        })(),
        { 'content-type': 'text/event-stream; charset=utf-8' },
      );
    expect(await (await chat()).text()).toBe(
      'data: 1\n\ndata: {"error":{"message":"The provider broke off.","type":"upstream_error","param":null,"code":"stream_truncated"}}\n\n',
    );
  });

  test('a broken plain response never looks complete', async () => {
    complete = async () =>
      ok(
        (async function* () {
          yield text('{"half":');
          throw new GatewayError('upstream_error', 'Broke.');
        })(),
      );
    await expect(chat().then((response) => response.text())).rejects.toThrow();
  });

  test('accepts a key in every documented header, with one look-up for many requests', async () => {
    complete = async () => ok('{}');
    await (await chat()).text();
    const before = lookUps;
    await (await chat()).text();
    for (const name of ['x-api-key', 'x-goog-api-key']) {
      const response = await chat({ headers: { 'content-type': 'application/json', [name]: key } });
      expect(response.status).toBe(200);
      await response.text();
    }
    expect(lookUps).toBe(before);
  });

  test.each([
    ['no key', {}, 'invalid_api_key'],
    ['an unknown key', { authorization: 'Bearer someone-elses-key-1234' }, 'invalid_api_key'],
    ['another scheme', { authorization: 'Basic dXNlcjpwYXNz' }, 'invalid_api_key'],
    ['a mistyped key of ours', { 'x-api-key': `sk-tp-${'a'.repeat(38)}` }, 'invalid_api_key'],
  ])('answers %s with 401 and a challenge', async (_name, headers, code) => {
    const response = await chat({ headers: { 'content-type': 'application/json', ...headers } });
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="tallyport"');
    expect(await errorOf(response)).toMatchObject({ status: 401, type: 'invalid_request_error', param: null, code });
  });

  test('refuses a revoked key as soon as the notice arrives', async () => {
    complete = async () => ok('{}');
    expect((await chat()).status).toBe(200);
    isRevoked = true;
    createClient(link, authService).keyRevoked.publish({ keyHash: hashKey(key) });
    await expect.poll(async () => (await chat()).status).toBe(401);
    isRevoked = false;
    createClient(link, authService).keyRevoked.publish({ keyHash: hashKey(key) });
    await expect.poll(async () => (await chat()).status).toBe(200);
  });

  test('without the database, known keys work and unknown ones get 503, never 401', async () => {
    complete = async () => ok('{}');
    await chat();
    databaseIsAway = true;
    expect((await chat()).status).toBe(200);
    const stranger = await chat({ headers: { ...json, authorization: 'Bearer never-seen-before-1' } });
    expect(await errorOf(stranger)).toMatchObject({ status: 503, code: 'unavailable' });
    databaseIsAway = false;
  });

  test('accepts a body at the limit and refuses one byte more, declared or chunked', async () => {
    complete = async ({ body }) => ok(String((await body.bytes()).length));
    expect(await (await chat({ body: 'x'.repeat(1024) })).text()).toBe('1024');
    expect(await errorOf(await chat({ body: 'x'.repeat(1025) }))).toMatchObject({
      status: 413,
      code: 'request_too_large',
    });
    const chunked = (size: number) => ({
      body: new Blob(['x'.repeat(size)]).stream(),
      duplex: 'half' as const,
    });
    expect(await (await chat(chunked(1024))).text()).toBe('1024');
    expect((await chat(chunked(1025))).status).toBe(413);
  });

  test.each<[string, (body: string) => Uint8Array]>([
    // The quickest levels, because the last body is large.
    ['gzip', (body) => gzipSync(body, { level: 1 })],
    ['deflate', (body) => deflateSync(body, { level: 1 })],
    ['br', (body) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
    ['zstd', zstdCompressSync],
  ])('decodes a %s body and limits its decoded size', async (encoding, encode) => {
    complete = async ({ body }) => ok(String((await body.bytes()).length));
    const headers = { ...json, 'content-encoding': encoding };
    expect(await (await chat({ headers, body: encode('x'.repeat(1024)) })).text()).toBe('1024');
    expect((await chat({ headers, body: encode('x'.repeat(1025)) })).status).toBe(413);
    expect((await chat({ headers, body: encode('x'.repeat(64 * 1024 * 1024)) })).status).toBe(413);
    expect(await errorOf(await chat({ headers, body: '{"not":"encoded"}' }))).toMatchObject({
      status: 400,
      message: `The body is not valid ${encoding}. Check its Content-Encoding.`,
    });
  });

  test('answers an unknown encoding with the supported ones', async () => {
    const response = await chat({ headers: { ...json, 'content-encoding': 'snappy' } });
    expect(await errorOf(response)).toMatchObject({
      status: 415,
      message: expect.stringContaining('gzip, deflate, br or zstd'),
    });
    const form = { method: 'POST', headers: { 'content-encoding': 'gzip' }, body: gzipSync('email=a') };
    expect((await fetch(`${base}/sign-in`, form)).status).toBe(415);
  });

  test('answers an unsupported content type with 415', async () => {
    const response = await chat({ headers: { ...json, 'content-type': 'application/x-www-form-urlencoded' } });
    expect(await errorOf(response)).toMatchObject({ status: 415, code: 'unsupported_media_type' });
  });

  test('answers unknown paths, wrong methods and preflights', async () => {
    expect(await errorOf(await fetch(`${base}/v2/nothing`))).toMatchObject({ status: 404, code: 'not_found' });
    const wrong = await fetch(`${base}/v1/chat/completions`);
    expect(wrong.headers.get('allow')).toBe('POST');
    expect(await errorOf(wrong)).toMatchObject({ status: 405, code: 'method_not_allowed' });
    const preflight = await fetch(`${base}/v1/chat/completions`, { method: 'OPTIONS' });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect((await fetch(`${base}/v1/nothing`, { method: 'OPTIONS' })).status).toBe(204);
    expect(await errorOf(await fetch(`${base}/v1/nothing`, { method: 'POST' }))).toMatchObject({
      status: 404,
      message: 'POST /v1/nothing does not exist. GET /v1 lists the API, and /docs describes it.',
    });
    expect((await fetch(`${base}/%zz`)).status).toBe(404);
  });

  test('a browser gets a page at / that leads to the dashboard and the reference', async () => {
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    const answer = await fetch(`${base}/`, { headers });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const links = [...(await answer.text()).matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href]) => href);
    expect(links).toEqual(['/dashboard', '/docs']);
    expect((await fetch(`${base}/`)).headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test('the files of pages are compressed, and kept forever under the address of their version', async () => {
    const page = await (await fetch(`${base}/`, { headers: { accept: 'text/html' } })).text();
    const [, style = ''] = /rel="stylesheet" href="([^"]+)"/.exec(page) ?? [];
    const answerTo = async (path: string) => {
      const { status, headers } = await fetch(base + path, { headers: { 'accept-encoding': 'br' } });
      return [status, headers.get('content-type'), headers.get('content-encoding'), headers.get('cache-control')];
    };
    const type = 'text/css; charset=utf-8';
    expect(await answerTo(style)).toEqual([200, type, 'br', 'public, max-age=31536000, immutable']);
    expect(await answerTo('/assets/style.css?v=other')).toEqual([200, type, 'br', 'no-cache']);
    expect((await answerTo('/assets/nothing.css'))[0]).toBe(404);
  });

  test.each(['br', 'gzip'])('compresses the API reference with %s for clients that accept it', async (encoding) => {
    const sizeWith = async (accepted: string) => {
      const outgoing = httpRequest(`${base}/openapi.json`, { headers: { 'accept-encoding': accepted } }).end();
      const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
      let bytes = 0;
      for await (const chunk of response) bytes += (chunk as Uint8Array).length;
      const { 'content-encoding': encoding, vary } = response.headers;
      return { encoding, vary, bytes };
    };
    const plain = await sizeWith('identity');
    const packed = await sizeWith(encoding);
    expect([plain.encoding, packed.encoding, packed.vary]).toEqual([undefined, encoding, 'Accept-Encoding']);
    expect(packed.bytes).toBeLessThan(plain.bytes / 5);
  });

  test('every response carries a request id and forbids to guess its type', async () => {
    for (const response of [await chat(), await fetch(`${base}/nope`), await fetch(`${base}/`)]) {
      expect(response.headers.get('x-request-id')).toMatch(/^req_/);
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response.headers.get('x-powered-by')).toBeNull();
    }
  });

  test('pages may read every response, and other clients get no headers for pages', async () => {
    const origin = 'https://page.example';
    const allowed = async (response: Promise<Response>) => (await response).headers.get('access-control-allow-origin');
    expect(await allowed(chat({ headers: { ...json, origin } }))).toBe('*');
    expect(await allowed(chat({ headers: { ...json, origin }, body: '[' }))).toBe('*');
    expect(await allowed(chat())).toBeNull();
    // A cache may give it to a page later.
    expect(await allowed(fetch(`${base}/v1/models`))).toBe('*');
    expect(await allowed(fetch(`${base}/nope`))).toBe('*');
  });

  test('replaces a request id that could corrupt a log', async () => {
    const response = await chat({ headers: { ...json, 'x-request-id': 'a b"c' } });
    expect(response.headers.get('x-request-id')).toMatch(/^req_/);
  });

  test('the model list works without a key, and uses the key if there is one', async () => {
    expect(await (await fetch(`${base}/v1/models?x=1`)).json()).toEqual({ query: 'x=1', account: null });
    expect(await (await fetch(`${base}/v1/models`, { headers: json })).json()).toEqual({ query: '', account: 'acc' });
    expect((await fetch(`${base}/v1/models`, { headers: { authorization: 'Bearer wrong-wrong-wrong' } })).status).toBe(
      401,
    );
  });

  test.each<[string, { path: string; query: string }]>([
    ['gpt-6-luna', { path: 'gpt-6-luna', query: '' }],
    ['acme/large/v1?x=1', { path: 'acme/large/v1', query: 'x=1' }],
    ['acme%2Flarge%20%C3%A9', { path: 'acme/large é', query: '' }],
  ])('takes the model id from the rest of the path: %s', async (model, seen) => {
    expect(await (await fetch(`${base}/v1/models/${model}`)).json()).toEqual(seen);
  });

  test('usage and key details require a key', async () => {
    const read = (path: string, headers = {}) => fetch(`${base}${path}`, { headers });
    const authorization = `Bearer ${key}`;
    expect(await (await read('/v1/usage', { authorization })).json()).toEqual({ usageOf: 'key' });
    expect(await (await read('/v1/key', { authorization })).json()).toEqual({ key: 'key' });
    for (const path of ['/v1/usage', '/v1/key']) expect((await read(path)).status).toBe(401);
  });

  // Clients leave out models/ before a name with a slash.
  const places = ['/v1/models/', '/v1beta/models/', '/v1/', '/v1beta/'];
  test.each(places)("%s has the methods of Google's API at the end of an address", async (place) => {
    const post = async (path: string) => {
      const headers = { 'content-type': 'application/json', 'x-goog-api-key': key };
      return (await fetch(`${base}${place}${path}`, { method: 'POST', headers, body: '{}' })).json();
    };
    for (const verb of ['generateContent', 'embedContent', 'batchEmbedContents']) {
      expect(await post(`a/b%3A8:${verb}`)).toEqual({ generate: `a/b:8:${verb}`, query: '' });
    }
    expect(await post('a/b:streamGenerateContent?alt=sse')).toEqual({
      generate: 'a/b:streamGenerateContent',
      query: 'alt=sse',
    });
    expect(await post('a/b:countTokens')).toEqual({ count: 'a/b:countTokens' });
  });

  test("Google's API answers a missing key, and one in the address, with 400 in its own form", async () => {
    const path = `${base}/v1beta/models/a:generateContent`;
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    for (const [url, sentence] of [
      [path, 'An API key is required.'],
      [`${path}?key=${key}`, 'Do not send a key in the URL'],
    ] as const) {
      const response = await fetch(url, init);
      expect(response.status).toBe(400);
      expect(response.headers.get('www-authenticate')).toBeNull();
      expect(await response.json()).toMatchObject({
        error: {
          code: 400,
          status: 'INVALID_ARGUMENT',
          message: expect.stringContaining(sentence),
          details: expect.arrayContaining([expect.objectContaining({ reason: 'API_KEY_INVALID' })]),
        },
      });
    }
  });

  test("lists the models in Google's form, and one of them", async () => {
    const read = async (path: string) => (await fetch(`${base}${path}`)).json();
    expect(await read('/v1beta/models')).toEqual({ gemini: null });
    expect(await read('/v1beta/models/a/b')).toEqual({ gemini: 'a/b' });
  });

  test('answers invalid ids and methods on a route with an id', async () => {
    expect(await errorOf(await fetch(`${base}/v1/models/%zz`))).toMatchObject({ status: 400 });
    expect(await errorOf(await fetch(`${base}/v1/models/`))).toMatchObject({ status: 404, code: 'not_found' });
    const wrong = await fetch(`${base}/v1/models/a/b`, { method: 'DELETE' });
    expect(wrong.headers.get('allow')).toBe('GET, HEAD, POST');
    expect(await errorOf(wrong)).toMatchObject({ status: 405, code: 'method_not_allowed' });
    expect((await fetch(`${base}/v1/models/gpt-6-luna`, { method: 'HEAD' })).status).toBe(200);
  });

  test('health reports what works and what is unavailable, and skips checks on request', async () => {
    const others = { redis: { connected: true }, nats: { connected: true }, services: { connected: true } };
    const healthy = { database: { connected: true }, ...others };
    const answer = await fetch(`${base}/`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      message: 'OK',
      version: expect.any(String),
      health: { status: 'ok', ...healthy },
    });
    databaseIsAway = true;
    await expect.poll(async () => (await fetch(`${base}/`)).status).toBe(503);
    const ill = await fetch(`${base}/`);
    expect(await ill.json()).toMatchObject({
      message: 'Not reachable: database.',
      health: {
        status: 'error',
        redis: { connected: true },
        database: { connected: false, error: 'database is not reachable' },
      },
    });
    const skipping = await fetch(`${base}/?skip=%20Database%20`);
    expect([skipping.status, await skipping.json()]).toEqual([
      200,
      {
        message: 'OK',
        version: expect.any(String),
        health: {
          status: 'ok',
          ...others,
          database: { connected: false, error: 'not checked, because the request skips it' },
        },
      },
    ]);
    databaseIsAway = false;
    expect(await errorOf(await fetch(`${base}/?skip=kafka`))).toMatchObject({ status: 400, param: 'skip' });
  });

  test('aborts the work within 300 ms after the client disconnects', async () => {
    const started = Promise.withResolvers<void>();
    const aborted = Promise.withResolvers<number>();
    complete = async ({ signal }) => {
      signal.addEventListener('abort', () => aborted.resolve(performance.now()));
      started.resolve();
      await aborted.promise;
      return ok('{}');
    };
    const controller = new AbortController();
    const call = chat({ signal: controller.signal });
    call.catch(() => undefined);
    await started.promise;
    const leftAt = performance.now();
    controller.abort();
    expect((await aborted.promise) - leftAt).toBeLessThan(patient(3_000));
  });

  test('an aborted upload leaves nothing behind', async () => {
    let calls = 0;
    complete = async ({ body }) => {
      calls++;
      await body.bytes();
      return ok('{}');
    };
    const upload = httpRequest(`${base}/v1/chat/completions`, {
      method: 'POST',
      headers: { ...json, 'content-length': '900' },
    });
    upload.on('error', () => undefined);
    await new Promise((resolve) => upload.write('half', resolve));
    upload.destroy();
    await expect.poll(() => chat().then((response) => response.status)).toBe(200);
    expect(calls).toBe(1);
  });

  test.each([
    [
      'a slow body',
      'POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer k\r\ncontent-length: 9\r\n\r\n1',
      408,
    ],
    ['a header flood', `GET / HTTP/1.1\r\nhost: x\r\nx-flood: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
    ['bytes that are not HTTP', 'hello there\r\n\r\n', 400],
  ])('answers %s, closes the connection and keeps running', async (_name, bytes, status) => {
    const socket = connect(Number(new URL(base).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(bytes);
    let answer = '';
    socket.on('data', (data) => (answer += data.toString()));
    await once(socket, 'close');
    expect([status, 401]).toContain(Number(answer.split(' ')[1]));
    expect((await fetch(`${base}/?skip=redis,database`)).status).toBe(200);
  });
});
