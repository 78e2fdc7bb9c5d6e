import { inProcessLink, type Link, createClient, serve } from '@tallyport/bus';
import { authService, type Caller, catalogService, chatService, hashKey, service } from '@tallyport/contracts';
import { createKit, createMetrics, readConfig, silentLog } from '@tallyport/service-kit';
import { openStore } from '@tallyport/store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { edgeConfig } from './config.ts';
import { edgeModule } from './module.ts';

const principal = { accountId: 'acc', keyId: 'key' };
const callers: Record<string, Caller> = {
  'a-key': { principal, limits: {} },
  'an-mcp-token': { principal, limits: {}, oauth: { resource: 'mcp', scopes: ['mcp:tools'] } },
  'a-rest-token': { principal, limits: {}, oauth: { resource: 'v1', scopes: ['mcp:tools'] } },
  'a-read-only-token': {
    principal: { accountId: 'looks', keyId: 'oauth' },
    limits: {},
    oauth: { resource: 'v1', scopes: ['mcp:models'] },
  },
};

describe('the door', () => {
  let link: Link;
  let base: string;
  let stop: () => Promise<void>;
  const metrics = createMetrics({ defaults: false });

  beforeAll(async () => {
    link = inProcessLink();
    const { authenticate } = authService.operations;
    await serve(link, service(authService.name, { authenticate }), {
      authenticate: ({ keyHash }) => ({
        caller: Object.entries(callers).find(([key]) => hashKey(key) === keyHash)?.[1] ?? null,
      }),
    });
    const json = { status: 200, headers: { 'content-type': 'application/json' } };
    const answer = async () => ({ head: json, body: Buffer.from('{}') });
    const { complete } = chatService.operations;
    await serve(link, service(chatService.name, { complete }), { complete: answer });
    const { listModels } = catalogService.operations;
    await serve(link, service(catalogService.name, { listModels }), { listModels: answer });
    const config = readConfig(edgeConfig, {
      environment: { PORT: '0', INTERNAL_SECRET: 'x'.repeat(32), LIMIT_MODELS_PER_MINUTE: '3' },
    });
    const kit = createKit({ name: 'edge', config, log: silentLog(), metrics });
    const edge = edgeModule(kit, {
      link,
      store: await openStore(),
      consoleUrls: () => [],
    });
    await edge.start?.();
    base = edge.address();
    stop = async () => edge.stop?.(2_000);
  });
  afterAll(async () => {
    await stop();
    await link.close();
  });

  const chat = (headers: Record<string, string>, query = '') =>
    fetch(`${base}/v1/chat/completions${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: '{}',
    });
  const errorOf = async (response: Response) => ({
    status: response.status,
    challenge: response.headers.get('www-authenticate'),
    ...((await response.json()) as { error: { code: string; message: string } }).error,
  });

  test.each<Record<string, string>>([
    { authorization: 'Bearer a-key' },
    { authorization: 'bearer  a-key' },
    { 'x-api-key': 'a-key' },
    { authorization: 'Bearer a-rest-token' },
  ])('accepts %j', async (headers) => {
    expect((await chat(headers)).status).toBe(200);
  });

  test.each(['?key=a-key', '?api_key=a-key', '?x=1&x-api-key=a-key', '?access_token=a-key', '?API-KEY=a-key'])(
    'refuses a key in the URL, even next to a valid header: %s',
    async (query) => {
      expect(await errorOf(await chat({ authorization: 'Bearer a-key' }, query))).toMatchObject({
        status: 401,
        code: 'invalid_api_key',
        message: expect.stringContaining('Do not send a key in the URL: it ends up in logs.'),
      });
    },
  );

  test.each(['?keyword=x', '?key=', '?monkey=x'])('accepts the harmless query %s', async (query) => {
    expect((await chat({ authorization: 'Bearer a-key' }, query)).status).toBe(200);
  });

  test('a token for /mcp is refused elsewhere, and the challenge says so', async () => {
    expect(await errorOf(await chat({ authorization: 'Bearer an-mcp-token' }))).toMatchObject({
      status: 401,
      code: 'invalid_api_key',
      message: 'This token is valid for /mcp only. Use an API key here.',
      challenge:
        'Bearer realm="tallyport", error="invalid_token", error_description="This token is valid for /mcp only"',
    });
  });

  test('a read-only token cannot spend', async () => {
    const token = { authorization: 'Bearer a-read-only-token' };
    expect(await errorOf(await chat(token))).toMatchObject({
      status: 403,
      code: 'permission_denied',
      message: 'This token lacks the scope mcp:tools. Authorise again with this scope, or use an API key.',
      challenge: 'Bearer realm="tallyport", error="insufficient_scope", scope="mcp:tools"',
    });
    expect((await fetch(`${base}/v1/models`, { headers: token })).status).toBe(200);
  });

  test.each([
    ['GET', '/v1/responses/resp_1'],
    ['GET', '/v1/responses/resp_1/input_items'],
    ['DELETE', '/v1/responses/resp_1'],
    ['POST', '/v1/responses/resp_1/cancel'],
    ['POST', '/v1/responses/input_tokens'],
  ])('a read-only token has no stored responses: %s %s', async (method, path) => {
    const headers = { authorization: 'Bearer a-read-only-token', 'content-type': 'application/json' };
    const refused = await errorOf(await fetch(base + path, { method, headers }));
    expect(refused).toMatchObject({ status: 403, challenge: expect.stringContaining('insufficient_scope') });
  });

  test('counts requests per address without a key, and per key with one', async () => {
    const models = (headers: Record<string, string> = {}) => fetch(`${base}/v1/models`, { headers });
    const remaining: (string | null)[] = [];
    for (let index = 0; index < 3; index += 1) remaining.push((await models()).headers.get('ratelimit-remaining'));
    expect(remaining).toEqual(['2', '1', '0']);
    expect(await errorOf(await models())).toMatchObject({
      status: 429,
      code: 'rate_limit_exceeded',
      message: expect.stringMatching(/^The limit of 3 requests per minute without a key is reached\. Try again in/),
    });
    const withKey = await models({ 'x-api-key': 'a-key' });
    expect([withKey.status, withKey.headers.get('ratelimit-remaining')]).toEqual([200, '2']);
  });

  test('keeps the connection after a refusal, unless the body is large', async () => {
    const wrong = (bytes: number) =>
      fetch(`${base}/v1/chat/completions`, { method: 'POST', headers: { 'x-api-key': 'b' }, body: 'x'.repeat(bytes) });
    expect((await wrong(1_000)).headers.get('connection')).toBe('keep-alive');
    expect((await wrong(200_000)).headers.get('connection')).toBe('close');
  });

  test('counts rate limit decisions', async () => {
    expect(await metrics.text()).toMatch(
      /gateway_rate_limit_decisions_total\{scope="account",result="allowed"\} [1-9]\d*\n/,
    );
  });

  test('applies account changes that are published on the bus', async () => {
    callers['moved'] = { principal: { ...principal, accountId: 'moved' }, limits: {} };
    expect((await chat({ 'x-api-key': 'moved' })).status).toBe(200);
    callers['moved'] = { ...callers['moved'], allowedAddresses: ['203.0.113.0/24'] };
    createClient(link, authService).accountChanged.publish({ accountId: 'moved' });
    await expect.poll(async () => (await chat({ 'x-api-key': 'moved' })).status).toBe(403);
  });
});
