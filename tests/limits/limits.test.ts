import OpenAI, { RateLimitError } from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callerOf, type Edges, startEdges } from './edges.ts';

const edgeCount = 3;
const waiting = { interval: 20 };
const ofKey = (limit: number) => `This key's limit of ${limit} requests at once is reached. Try again in 1 second.`;
const perMinute = (chat: number) => ({ requestsPerMinute: { chat } });

describe('three edges over one Redis', () => {
  let edges: Edges;
  beforeAll(async () => {
    edges = await startEdges(edgeCount, { TRUSTED_PROXIES: '127.0.0.1/32' });
  });
  afterAll(() => edges?.stop());

  const statuses = async (count: number, key: string): Promise<number[]> =>
    Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const response = await edges.chat(index % edgeCount, { key });
        await response.arrayBuffer();
        return response.status;
      }),
    );
  const accepted = (all: readonly number[]): number => all.filter((status) => status === 200).length;
  const decided = async (result: string): Promise<number> => {
    const line = new RegExp(`^gateway_rate_limit_decisions_total\\{scope="account",result="${result}"\\} (\\d+)$`, 'm');
    const texts = await Promise.all(edges.addresses.map((_address, edge) => edges.metrics(edge)));
    return texts.reduce((sum, text) => sum + Number(line.exec(text)?.[1] ?? 0), 0);
  };

  test('accept exactly the limit under ten times the load, with only 200 and 429', async () => {
    edges.callers.set('overload', callerOf('overload', { limits: { account: perMinute(300) } }));
    const all: number[] = [];
    for (let round = 0; round < 20; round += 1) all.push(...(await statuses(150, 'overload')));
    expect(new Set(all)).toEqual(new Set([200, 429]));
    // If Redis does not answer an edge for half a second, as on a busy machine, the edge decides alone and counts it.
    const allowedAlone = await decided('allowed_alone');
    const refusedAlone = await decided('refused_alone');
    expect(accepted(all)).toBeGreaterThanOrEqual(300 - allowedAlone - refusedAlone);
    expect(accepted(all)).toBeLessThanOrEqual(303 + allowedAlone);
  });

  test('accept exactly the limit of sequential requests', async () => {
    edges.callers.set('exact', callerOf('exact', { limits: { account: perMinute(5) } }));
    const all: number[] = [];
    for (let index = 0; index < 6; index += 1) all.push((await edges.chat(index % edgeCount, { key: 'exact' })).status);
    expect(all).toEqual([200, 200, 200, 200, 200, 429]);
  });

  test('send the rate limit headers of the standard and of OpenAI', async () => {
    edges.callers.set('headers', callerOf('headers', { limits: { account: perMinute(2) } }));
    const limitHeaders = async () => {
      const { headers } = await edges.chat(0, { key: 'headers' });
      return Object.fromEntries([...headers].filter(([name]) => /ratelimit|retry-after$/.test(name)));
    };
    const first = await limitHeaders();
    const reset = first['ratelimit-reset'];
    expect(first).toEqual({
      'ratelimit-limit': '2',
      'ratelimit-remaining': '1',
      'ratelimit-reset': expect.stringMatching(/^(60|61)$/),
      'ratelimit-policy': '"requests";q=2;w=60',
      ratelimit: expect.stringMatching(/^"requests";r=1;t=(60|61)$/),
      'x-ratelimit-limit-requests': '2',
      'x-ratelimit-remaining-requests': '1',
      'x-ratelimit-reset-requests': expect.stringMatching(/^(59|60)(\.\d)?s$/),
    });
    expect(reset).toBeDefined();
    expect(await limitHeaders()).toMatchObject({ 'ratelimit-remaining': '0' });
    expect(await limitHeaders()).toMatchObject({
      'ratelimit-limit': '2',
      'ratelimit-remaining': '0',
      'retry-after': expect.stringMatching(/^(59|60|61)$/),
    });
  });

  test('send errors that the OpenAI SDK recognises', async () => {
    edges.callers.set('sdk', callerOf('sdk', { limits: { account: perMinute(1) } }));
    const client = new OpenAI({ apiKey: 'sdk', baseURL: `${edges.addresses[1]}/v1`, maxRetries: 0 });
    const ask = () => client.chat.completions.create({ model: 'm', messages: [] }).withResponse();
    const { response } = await ask();
    expect(response.headers.get('x-ratelimit-remaining-requests')).toBe('0');
    const error = await ask().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({
      status: 429,
      code: 'rate_limit_exceeded',
      type: 'rate_limit_error',
      message: expect.stringMatching(
        /^429 This account's limit of 1 chat requests per minute is reached\. Try again in \d\d seconds\.$/,
      ),
    });
  });

  test('apply the lower limit of a key, and count only accepted requests for its account', async () => {
    const limits = { key: perMinute(2), account: perMinute(4) };
    const principal = { accountId: 'shared', keyId: 'small' };
    edges.callers.set('small', { principal, limits });
    edges.callers.set('large', { principal: { ...principal, keyId: 'large' }, limits: { account: perMinute(4) } });
    const all: number[] = [];
    for (const key of ['small', 'small', 'small', 'small', 'large', 'large', 'large']) {
      all.push((await edges.chat(0, { key })).status);
    }
    expect(all).toEqual([200, 200, 429, 429, 200, 200, 429]);
  });

  test('apply a revoked key and a changed account everywhere without waiting for a cache to expire', async () => {
    edges.callers.set('revoked', callerOf('revoked'));
    edges.callers.set('changed', callerOf('changed'));
    const every = (key: string) =>
      Promise.all(edges.addresses.map((_, edge) => edges.chat(edge, { key }).then(({ status }) => status)));
    expect(await every('revoked')).toEqual([200, 200, 200]);
    expect(await every('changed')).toEqual([200, 200, 200]);
    edges.callers.delete('revoked');
    edges.callers.set('changed', callerOf('changed', { allowedAddresses: ['203.0.113.0/24'] }));
    edges.revoke('revoked');
    edges.changed('changed');
    await expect.poll(() => every('revoked'), { interval: 20 }).toEqual([401, 401, 401]);
    await expect.poll(() => every('changed'), { interval: 20 }).toEqual([403, 403, 403]);
  });

  test('share the concurrency limit of an account', async () => {
    edges.callers.set('busy', callerOf('busy', { limits: { account: { concurrency: 4 } } }));
    const holding = Array.from({ length: 4 }, (_, index) =>
      edges.chat(index % edgeCount, { key: 'busy', content: 'hold' }).then(({ status }) => status),
    );
    await expect.poll(edges.holding, waiting).toBe(4);
    const refused = await edges.chat(1, { key: 'busy' });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    edges.release();
    expect(await Promise.all(holding)).toEqual([200, 200, 200, 200]);
    await expect.poll(async () => (await edges.chat(2, { key: 'busy' })).status, waiting).toBe(200);
  });

  test('share the concurrency limit of a key, beside other keys of its account', async () => {
    const principal = { accountId: 'several', keyId: 'narrow' };
    const account = { concurrency: 4 };
    edges.callers.set('narrow', { principal, limits: { key: { concurrency: 2 }, account } });
    edges.callers.set('wide', { principal: { ...principal, keyId: 'wide' }, limits: { account } });
    const hold = (key: string) => [0, 1].map((edge) => edges.chat(edge, { key, content: 'hold' }));
    const narrow = hold('narrow');
    await expect.poll(edges.holding, waiting).toBe(2);
    const refused = await edges.chat(2, { key: 'narrow' });
    expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toMatchObject([
      429,
      '1',
      { error: { code: 'rate_limit_exceeded', message: ofKey(2) } },
    ]);
    expect(await edges.metrics(2)).toMatch(
      /^gateway_rate_limit_decisions_total\{scope="concurrency",result="refused"\} [1-9]/m,
    );
    // A refusal of the key takes no room from its account.
    const wide = hold('wide');
    await expect.poll(edges.holding, waiting).toBe(4);
    expect((await edges.chat(2, { key: 'wide' })).status).toBe(429);
    edges.release();
    const all = await Promise.all([...narrow, ...wide]);
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await expect.poll(async () => (await edges.chat(2, { key: 'narrow' })).status, waiting).toBe(200);
  });

  test.each([
    '/v1/chat/completions',
    '/v1/responses',
    '/v1/messages',
    '/v1beta/models/m:generateContent',
    '/v1/embeddings',
    '/v1/images/generations',
  ])('count a running request and a running stream of a key at %s', async (path) => {
    const key = `key-of${path.replaceAll(/\W/g, '-')}`;
    edges.callers.set(key, callerOf(key, { limits: { key: { concurrency: 2 } } }));
    const held = edges.chat(0, { key, path, content: 'hold' });
    await expect.poll(edges.holding, waiting).toBe(1);
    const stream = await edges.chat(1, { key, path, content: 'stream' });
    expect(stream.status).toBe(200);
    await expect.poll(edges.holding, waiting).toBe(2);
    const refused = await edges.chat(2, { key, path });
    expect([refused.status, await refused.text()]).toEqual([
      429,
      expect.stringContaining('limit of 2 requests at once'),
    ]);
    edges.release();
    expect(await stream.text()).toBe('data: 1\n\ndata: 2\n\n');
    expect((await held).status).toBe(200);
    await expect.poll(async () => (await edges.chat(2, { key, path })).status, waiting).toBe(200);
  });

  test('restrict a key to its allowed addresses, as reported by trusted proxies', async () => {
    edges.callers.set('at-home', callerOf('at-home', { allowedAddresses: ['198.51.100.0/24', '2001:db8::/32'] }));
    const from = async (forwarded?: string) => {
      const sent = { key: 'at-home', ...(forwarded && { headers: { 'x-forwarded-for': forwarded } }) };
      return (await edges.chat(0, sent)).status;
    };
    expect([await from(), await from('198.51.100.7'), await from('198.51.101.7')]).toEqual([403, 200, 403]);
    expect([await from('2001:db8::1'), await from('::ffff:198.51.100.7')]).toEqual([200, 200]);
    // The address set by the client is first in the list and must not count.
    expect(await from('198.51.100.7, 203.0.113.9')).toBe(403);
  });
});

describe('an edge whose Redis is killed', () => {
  let edges: Edges;
  beforeAll(async () => {
    edges = await startEdges(2);
  });
  afterAll(() => edges?.stop());

  test('accepts its share, counts it, and shares the limit again when Redis is back', async () => {
    edges.callers.set('part', callerOf('part', { limits: { account: perMinute(10) } }));
    edges.callers.set('later', callerOf('later', { limits: { account: perMinute(10) } }));
    const send = async (edge: number, key: string) => (await edges.chat(edge, { key })).status;
    // Wait until the edges know each other: then each accepts half of the limit alone.
    await expect
      .poll(async () => (await send(0, 'part'), (await edges.metrics(0)).includes('allowed"')), waiting)
      .toBe(true);
    await edges.redis.kill('SIGKILL');
    const alone: number[] = [];
    for (let index = 0; index < 12; index += 1) alone.push(await send(1, 'later'));
    const acceptedAlone = alone.filter((status) => status === 200).length;
    expect(acceptedAlone).toBeGreaterThanOrEqual(5);
    expect(acceptedAlone).toBeLessThanOrEqual(10);
    expect(new Set(alone)).toEqual(new Set([200, 429]));
    expect(await edges.metrics(1)).toMatch(
      /gateway_rate_limit_decisions_total\{scope="account",result="refused_alone"\} [1-9]/,
    );
    await edges.redis.restart();
    await expect
      .poll(async () => {
        await send(1, 'later');
        return Number((await edges.chat(0, { key: 'later' })).headers.get('ratelimit-remaining'));
      }, waiting)
      .toBeLessThan(10 - acceptedAlone + 1);
  });
});

describe('an edge after a loss of NATS', () => {
  let edges: Edges;
  beforeAll(async () => {
    edges = await startEdges(1);
  });
  afterAll(() => edges?.stop());

  test('looks up keys again, because they may have been revoked in the meantime', async () => {
    edges.callers.set('lost', callerOf('lost'));
    const send = async () => (await edges.chat(0, { key: 'lost' })).status;
    expect(await send()).toBe(200);
    await edges.nats.kill('SIGKILL');
    edges.callers.delete('lost');
    await edges.nats.restart();
    // Earlier than the cached key would expire.
    await expect.poll(send, { interval: 50 }).toBe(401);
  });
});

describe('an edge that dies', () => {
  let edges: Edges;
  beforeAll(async () => {
    edges = await startEdges(2);
  });
  afterAll(() => edges?.stop());

  test('frees the concurrency of its requests', async () => {
    edges.callers.set('busy', callerOf('busy', { limits: { account: { concurrency: 2 } } }));
    const leaving = new AbortController();
    const holding = [0, 0].map((edge) =>
      edges.chat(edge, { key: 'busy', content: 'hold', signal: leaving.signal }).catch(() => undefined),
    );
    await expect.poll(edges.holding, waiting).toBe(2);
    expect((await edges.chat(1, { key: 'busy' })).status).toBe(429);
    await edges.crash(0);
    await expect.poll(async () => (await edges.chat(1, { key: 'busy' })).status, waiting).toBe(200);
    leaving.abort();
    await Promise.all(holding);
  });
});
