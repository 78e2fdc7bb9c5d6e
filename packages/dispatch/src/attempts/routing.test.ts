import { once } from 'node:events';
import { createServer } from 'node:http';
import { openAiCompatible } from '@tallyport/providers';
import { openMemoryStore, type Store } from '@tallyport/store';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createKeyBench } from './key-bench.ts';
import { defaultRouting, halfLifeOf } from '../settings.ts';
import { shareHealth } from '../standing/share.ts';
import { readTargets } from '../targets/targets.ts';
import { type DispatchBench, startDispatchBench } from '../testing/dispatch-bench.ts';
import { startScriptedVendor } from '../testing/scripted-vendor.ts';

let bench: DispatchBench;
let first: string;
let second: string;
beforeEach(async () => {
  bench = await startDispatchBench({ routing: { ...defaultRouting, exploration: 0 } });
  [first = '', second = ''] = bench.providers;
});
afterEach(() => bench.close());

const breakAll = (fault: string) => bench.simulator.faults.set({ fault });
const breakFirst = (fault: string) => bench.simulator.faults.set({ provider: first, fault });
const ask = (options: Parameters<DispatchBench['job']>[0] = {}) =>
  bench.dispatch.complete(bench.job(options)).then(
    ({ routing }) => routing.map(({ provider }) => provider),
    (error: { code: string; retryAfterMs?: number }) => error.code,
  );

describe('effects of attempts', () => {
  test('a failing offer is skipped, and its failures count against it alone', async () => {
    breakFirst('status:503');
    expect(await ask()).toEqual([first, second]);
    expect(await ask()).toEqual([second]);
    const plan = bench.job().plan.candidates.map(({ offer, reason }) => [offer.providerId, reason]);
    expect(plan.at(-1)).toEqual([first, 'recovering']);
  });

  test('of two requests that are planned as trials of it, one tries it, and a success permits the next', async () => {
    breakFirst('status:503');
    await ask();
    bench.simulator.reset();
    const firstReason = () => bench.job().plan.candidates[0]?.reason;
    await expect.poll(firstReason).toBe('trial');
    const jobs = [bench.job(), bench.job()];
    const answers = await Promise.all(jobs.map((job) => bench.dispatch.complete(job)));
    expect(answers.map(({ routing }) => routing.map(({ provider, trial }) => [provider, trial]))).toEqual([
      [[first, true]],
      [[second, undefined]],
    ]);
    expect(firstReason()).toBe('trial');
    expect(await ask()).toEqual([first]);
  });

  test.each(['status:400', 'status:413'])(
    'a fault of the caller (%s) does not count against the offer',
    async (fault) => {
      breakFirst(fault);
      await ask();
      const [candidate] = bench.job().plan.candidates;
      expect(candidate?.standing.uptime).toMatchObject({ ratio: undefined, samples: 0 });
    },
  );

  test('honours Retry-After', async () => {
    breakFirst('status:429;retry-after=2');
    expect(await ask()).toEqual([first, second]);
    const cooling = bench.job().plan.candidates.find(({ offer }) => offer.providerId === first);
    expect(cooling).toMatchObject({ reason: 'cooldown' });
    expect(cooling?.standing.cooldownMs).toBeGreaterThan(1_500);
    expect(cooling?.standing.cooldownMs).toBeLessThanOrEqual(2_000);
  });

  test('an answer counts towards the latency of its offer', async () => {
    await ask();
    const standing = bench.job().plan.candidates.find(({ offer }) => offer.providerId === first)?.standing;
    expect(standing?.uptime).toMatchObject({ ratio: 1, samples: expect.closeTo(1, 2) });
    expect(standing?.throughput.mean).toBeGreaterThan(0);
  });
});

describe('every offer fails', () => {
  test('breakers open, then one request at a time probes, and its success ends the outage', async () => {
    breakAll('status:503');
    for (let round = 0; round < 3; round += 1) expect(await ask()).toBe('all_providers_failed');
    const states = bench.job().plan.candidates.map(({ standing }) => standing.breaker);
    expect(states).toEqual(['open', 'open', 'open']);
    bench.simulator.reset();
    breakAll('hang');
    const leaving = new AbortController();
    const trying = Array.from({ length: 3 }, () => ask({ signal: leaving.signal }));
    await bench.simulator.waitFor(({ requests }) => requests.length === 3);
    expect(await ask()).toBe('all_providers_failed');
    expect(bench.simulator.requests).toHaveLength(3);
    leaving.abort();
    await Promise.all(trying);
    bench.simulator.reset();
    expect(await ask()).toHaveLength(1);
    expect(bench.job().plan.candidates.filter(({ standing }) => standing.breaker === 'closed')).toHaveLength(1);
  });
});

describe('every provider is rate limited', () => {
  test('returns 429 and the shortest wait, also once the breakers are open', async () => {
    const [, , third = ''] = bench.providers;
    const waits = [30, 20, 40];
    [first, second, third].forEach((provider, at) =>
      bench.simulator.faults.set({ provider, fault: `status:429;retry-after=${waits[at]}` }),
    );
    const refused = () => bench.dispatch.complete(bench.job()).catch((error: unknown) => error);
    expect(await refused()).toMatchObject({
      code: 'providers_rate_limited',
      status: 429,
      retryAfterMs: 20_000,
      attempts: [first, second, third].map((provider) => ({ provider, status: 429, kind: 'provider_rate_limited' })),
    });
    await refused();
    await refused();
    const states = bench.job().plan.candidates.map(({ standing }) => standing.breaker);
    expect(states).toEqual(['open', 'open', 'open']);
    bench.simulator.faults.set({ fault: 'hang' });
    const leaving = new AbortController();
    const trying = Array.from({ length: 3 }, () => ask({ signal: leaving.signal }));
    await bench.simulator.waitFor(({ requests }) => requests.length === 12);
    expect(await refused()).toMatchObject({ code: 'providers_rate_limited', status: 429, attempts: [] });
    leaving.abort();
    await Promise.all(trying);
  });

  test('no money left is no rate limit, although OpenAI sends its status: nothing waits for it', async () => {
    breakAll('status:429;code=insufficient_quota;retry-after=7');
    const refused = await bench.dispatch.complete(bench.job()).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'upstream_auth', status: 502, retryAfterMs: undefined });
    expect(refused).toMatchObject({
      attempts: bench.providers.map((provider) => ({ provider, kind: 'provider_billing' })),
    });
    expect(bench.job().plan.candidates.map(({ standing }) => standing.cooldownMs)).toEqual([0, 0, 0]);
  });

  test('returns 502 if one of them failed differently', async () => {
    breakAll('status:429;retry-after=7');
    breakFirst('status:500');
    expect(await ask()).toBe('all_providers_failed');
  });
});

test('no request waits for the store: health is shared in the background', async () => {
  const store = openMemoryStore();
  let roundTrips = 0;
  const counting: Pick<Store, 'accumulate'> = {
    accumulate(...given) {
      roundTrips += 1;
      return store.accumulate(...given);
    },
  };
  const { health } = bench.standings;
  const share = shareHealth({
    store: counting,
    health,
    halfLifeMs: halfLifeOf(defaultRouting),
    everyMs: 60_000,
    replicas: () => 1,
  });
  for (let count = 0; count < 20; count += 1) await ask({ stream: false });
  expect(roundTrips).toBe(0);
  await share.now();
  expect(roundTrips).toBe(1);
  await share.stop();
  await store.close();
});

describe('several keys of a provider', () => {
  const vendor = openAiCompatible({ id: 'vendor', baseUrl: 'https://vendor.test/v1', keyVariable: 'VENDOR' });
  const targets = readTargets([vendor], () => ({ keys: ['one', 'two', 'three'], baseUrl: undefined })).all('vendor');
  const [one, two, three] = targets;
  if (one === undefined || two === undefined || three === undefined) throw new Error('One target for each key.');

  test('benches a refused key and takes the next one', () => {
    let now = 0;
    const keys = createKeyBench(() => now);
    const none: readonly (typeof one)[] = [];
    expect(keys.next(targets, none)).toBe(one);
    keys.bench(one, 1_000);
    expect(keys.next(targets, none)).toBe(two);
    expect(keys.next(targets, [two])).toBe(three);
    now = 999;
    expect(keys.next(targets, none)).toBe(two);
    now = 1_000;
    expect(keys.next(targets, none)).toBe(one);
  });

  test('when all keys are benched, takes none, or the one free soonest', () => {
    const keys = createKeyBench(() => 0);
    keys.bench(one, 3_000);
    keys.bench(two, 1_000);
    keys.bench(three, 2_000);
    expect(keys.next(targets, [])).toBeUndefined();
    expect(keys.next(targets, [], { anyway: true })).toBe(two);
  });

  test('when every provider refuses its key, the error names the settings to check', async () => {
    const vendorServer = await startScriptedVendor((response) => response.writeHead(401).end('{}'));
    const own = await startDispatchBench({ baseUrl: vendorServer.url, keys: ['bad'], providers: ['openai', 'groq'] });
    const error: unknown = await own.dispatch.complete(own.job()).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'upstream_auth',
      message: expect.stringMatching(
        / Check OPENAI_API_KEY, GROQ_API_KEY and the credit behind it, or use another model\.$/,
      ),
    });
    await own.close();
    await vendorServer.close();
  });

  test('a request continues with the next key and does not retry the refused one', async () => {
    const seen: string[] = [];
    const vendorServer = createServer((request, response) => {
      const key = String(request.headers.authorization).replace('Bearer ', '');
      seen.push(key);
      response.writeHead(key === 'good' ? 200 : 401, { 'content-type': 'application/json' });
      response.end(JSON.stringify(key === 'good' ? answer : { error: { message: 'Incorrect API key' } }));
    }).listen(0, '127.0.0.1');
    await once(vendorServer, 'listening');
    const address = vendorServer.address();
    const baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1`;
    const own = await startDispatchBench({ baseUrl, keys: ['spent', 'good'], providers: ['openai'] });
    const { routing } = await own.dispatch.complete(own.job());
    expect(routing.map(({ error_type: type, succeeded }) => [type, succeeded])).toEqual([
      ['provider_auth_failed', false],
      ['none', true],
    ]);
    await own.dispatch.complete(own.job());
    expect(seen).toEqual(['spent', 'good', 'good']);
    // A bad key does not count against the offer while another key works.
    expect(own.standings.lastFault(own.job().plan.candidates[0]!.offer)).toBeUndefined();
    await own.close();
    vendorServer.closeAllConnections();
    vendorServer.close();
  });
});

const answer = {
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hello' } }],
};
