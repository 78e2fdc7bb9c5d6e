import type { ProviderKey } from '@tallyport/contracts';
import { basePathOf } from '@tallyport/simulator';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { defaultRouting } from '../settings.ts';
import { type DispatchBench, type JobOptions, startDispatchBench } from '../testing/dispatch-bench.ts';
import type { OwnKeys } from './own-keys.ts';

const first = 'openai';
const second = 'mistral';
const stems = { OPENAI: first, MISTRAL: second } as const;

const keyAt = (provider: string, key: string): ProviderKey => ({ id: `${provider} ${key}`, provider, key });
const own = (...keys: ProviderKey[]): OwnKeys => ({ mode: 'own_first', keys });
const onlyOwn = (...keys: ProviderKey[]): OwnKeys => ({ mode: 'own_only', keys });
const good = keyAt(first, 'own-good');
const bad = keyAt(first, 'own-bad');

let bench: DispatchBench;
beforeEach(async () => {
  bench = await startDispatchBench({
    routing: { ...defaultRouting, exploration: 0 },
    providers: [first, second],
    simulator: { apiKeys: ['service', 'own-good', 'own-other'] },
    access: (stem, url) => {
      const provider = Object.entries(stems).find(([name]) => name === stem)?.[1];
      return provider === undefined
        ? { keys: [], baseUrl: undefined }
        : { keys: ['service'], baseUrl: url + basePathOf(provider) };
    },
  });
});
afterEach(() => bench.close());

/** The keys of all requests by provider, in order. */
const sent = () => bench.simulator.requests.map(({ provider, headers }) => `${provider} ${headers.authorization}`);
const ask = (options: JobOptions) => bench.dispatch.complete(bench.job({ fallback: 'never', ...options }));
const standing = (at: number) => {
  const offer = bench.job().plan.model.offers[at];
  if (offer === undefined) throw new Error(`There is no offer ${at}.`);
  return bench.standings.of(offer);
};
const attempt = (provider: string, changes: object = {}) => ({
  provider,
  model: 'sandbox-chat',
  status_code: 200,
  error_type: 'none',
  succeeded: true,
  duration_ms: expect.any(Number),
  ...changes,
});
const refused = { status_code: 401, error_type: 'own_key_refused', succeeded: false, own_key: true };

describe('an account’s own key', () => {
  test('is used first, and the outcome says that the account pays', async () => {
    const { routing } = await ask({ own: own(good) });
    expect(sent()).toEqual([`${first} Bearer own-good`]);
    expect(routing).toEqual([attempt(first, { own_key: true })]);
    expect(bench.outcomes).toMatchObject([{ ownKey: true, attempts: routing }]);
    await ask({});
    expect(sent()[1]).toBe(`${first} Bearer service`);
    expect(bench.outcomes[1]).toMatchObject({ ownKey: false });
  });

  test('puts its provider ahead of those that the service would have to pay', async () => {
    const plan = bench.job({ own: own(keyAt(second, 'own-good')) }).plan;
    expect(plan.candidates.map(({ offer, ownKey }) => [offer.providerId, ownKey])).toEqual([
      [second, true],
      [first, undefined],
    ]);
    await bench.dispatch.complete(bench.job({ own: own(keyAt(second, 'own-good')) }));
    expect(sent()).toEqual([`${second} Bearer own-good`]);
  });

  test('that is refused is followed by the next one, and then by the service’s', async () => {
    const { routing } = await ask({ own: own(bad, good) });
    expect(sent()).toEqual([`${first} Bearer own-bad`, `${first} Bearer own-good`]);
    expect(routing).toEqual([attempt(first, refused), attempt(first, { own_key: true })]);
    bench.simulator.reset();
    const other = keyAt(first, 'own-worse');
    const { routing: again } = await ask({ own: own(other) });
    expect(sent()).toEqual([`${first} Bearer own-worse`, `${first} Bearer service`]);
    expect(again).toEqual([attempt(first, refused), attempt(first)]);
    expect(bench.outcomes[1]).toMatchObject({ ownKey: false });
  });

  test('that was refused is benched, for its account alone', async () => {
    await ask({ own: own(bad) });
    await ask({ own: own(bad) });
    expect(sent()).toEqual(['own-bad', 'service', 'service'].map((key) => `${first} Bearer ${key}`));
    bench.simulator.reset();
    await ask({ own: own(keyAt(first, 'own-bad')) });
    expect(sent()).toEqual(['own-bad', 'service'].map((key) => `${first} Bearer ${key}`));
  });

  test('is one of at most three before the service’s are used', async () => {
    await ask({ own: own(bad, ...['x', 'y', 'z'].map((name) => keyAt(first, `own-${name}`))) });
    expect(sent()).toEqual(['own-bad', 'own-x', 'own-y', 'service'].map((key) => `${first} Bearer ${key}`));
  });
});

describe('own keys only', () => {
  test('never uses the service’s, and the error names what was refused', async () => {
    const error = await ask({ own: onlyOwn(bad) }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      status: 502,
      code: 'upstream_auth',
      message: expect.stringMatching(`^${first} rejected your account's own key: `),
      attempts: [{ provider: first, status: 401, kind: 'own_key_refused' }],
    });
    expect(sent()).toEqual([`${first} Bearer own-bad`]);
    expect(JSON.stringify(error)).not.toContain('own-bad');
  });

  test('excludes every provider for which the account has no key, and says so', async () => {
    const { candidates, excluded } = bench.job({ own: onlyOwn(good) }).plan;
    expect(candidates.map(({ offer }) => offer.providerId)).toEqual([first]);
    const detail = `add your own key for ${second}: this account uses only its own keys`;
    expect(excluded).toMatchObject([{ offer: { providerId: second }, reason: 'no_access', detail }]);
    expect(() => bench.job({ own: onlyOwn() })).toThrow(`add your own key for ${first}`);
  });
});

describe('failures that only an own key causes', () => {
  test.each([
    ['status:401', 'own_key_refused'],
    ['status:403', 'own_key_refused'],
    ['status:402', 'own_key_billing'],
    ['status:429', 'own_key_rate_limited', 429],
    ['status:404', 'own_key_model_not_found'],
  ])('%s is reported as %s and affects no other account', async (fault, kind, status = 502) => {
    const before = [standing(0), standing(1)];
    bench.simulator.faults.set({ provider: first, fault });
    for (let count = 0; count < 5; count += 1) {
      const error = await ask({ own: onlyOwn(keyAt(first, `own-${count}`)) }).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ status, attempts: [{ provider: first, kind }] });
    }
    expect([standing(0), standing(1)]).toEqual(before);
    bench.simulator.reset();
    await ask({});
    expect(sent()).toEqual([`${first} Bearer service`]);
  });

  test('do not prove that a provider works either', async () => {
    bench.simulator.faults.set({ provider: first, fault: 'status:503' });
    for (let count = 0; count < 3; count += 1) await ask({ own: onlyOwn(good) }).catch(() => {});
    expect(standing(0).breaker).toBe('open');
    bench.simulator.faults.clear();
    await ask({ own: onlyOwn(bad) }).catch(() => {});
    expect(standing(0).breaker).toBe('open');
  });

  test('an unhealthy provider is unhealthy for every account', async () => {
    bench.simulator.faults.set({ provider: first, fault: 'status:503' });
    await ask({ own: onlyOwn(good) }).catch(() => {});
    expect(standing(0).uptime.samples).toBeGreaterThan(0.9);
    expect(sent()).toHaveLength(1);
  });

  test('if several providers fail, the error says which own keys were rejected', async () => {
    bench.simulator.faults.set({ provider: second, fault: 'status:503' });
    const error = await bench.dispatch
      .complete(bench.job({ own: onlyOwn(bad, keyAt(second, 'own-good')) }))
      .catch(String);
    expect(error).toContain(`All of ${first}, ${second} failed. Last: `);
    expect(error).toContain(`Your account's own keys were rejected by ${first}.`);
  });
});

test('a stream is sent with the own key too', async () => {
  const stream = await bench.dispatch.stream(bench.job({ stream: true, own: own(bad, good) }));
  stream.render((chunk) => chunk);
  while ((await stream.read()) !== undefined);
  expect(sent()).toEqual([`${first} Bearer own-bad`, `${first} Bearer own-good`]);
  expect(bench.outcomes).toMatchObject([{ ownKey: true, attempts: [{ own_key: true }, { own_key: true }] }]);
});
