import { createKit, createMetrics, silentLog } from '@tallyport/service-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chatEvents } from '../events.ts';
import { type AskOptions, type ChatBench, sharedModelEntry, startChatBench } from '../testing/chat-bench.ts';
import { defaultRouting } from '@tallyport/dispatch';

let bench: ChatBench;
let providers: readonly string[];
const entry = sharedModelEntry();
/** The first offer has cheaper tokens, which do not matter for images; the second one has cheaper images. */
const pictures = sharedModelEntry({
  id: defaultRouting.imageAutoModel,
  aliases: ['pictures'],
  outputModalities: ['text', 'image'],
  offers: [
    ...entry.offers.slice(0, 2).map((offer, at) => ({
      ...offer,
      modelName: 'pictures',
      vision: at === 0,
      pricing: { prompt: `0.00000${at + 1}`, image: at === 0 ? '0.08' : '0.04' },
    })),
    ...entry.offers.slice(0, 1).map((offer) => ({ ...offer, providerId: 'nobody', modelName: 'pictures' })),
  ],
});
const chat = (changes: object = {}) => ({ model: entry.id, messages: [{ role: 'user', content: 'Hi' }], ...changes });

beforeAll(async () => {
  bench = await startChatBench({
    environment: { ROUTING_HEALTH_WINDOW_MS: '300000', ROUTING_SHARE_EVERY_MS: '5' },
    catalogue: {
      version: '1',
      models: [
        entry,
        sharedModelEntry({ id: 'old', aliases: [], deactivatedAt: '2026-01-01T00:00:00Z', replacement: entry.id }),
        pictures,
        sharedModelEntry({ id: 'small', aliases: [], contextLength: 5_000, maxOutput: 100 }),
      ],
    },
  });
  ({ providers } = bench);
});
afterAll(() => bench.close());

test('explain returns the whole plan without calling a provider', async () => {
  const { status, headers, text } = await bench.explain(chat({ stream: true }));
  expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
  expect(bench.simulator.requests).toEqual([]);
  const unseen = {
    factors: { uptime: { value: expect.any(Number), ratio: 1, weight: 1 } },
    score: 1,
    uptime_penalty: 0,
    priority_penalty: 0,
    healthy: true,
    uptime: { ratio: null, expected: 1, lower: expect.any(Number), upper: 1, samples: 0 },
    latency_ms: null,
    tokens_per_second: null,
    breaker: 'closed',
    cooldown_ms: 0,
    recovery: null,
    key: 'service',
    reason: 'score',
  };
  expect(JSON.parse(text)).toEqual({
    object: 'route',
    requested_model: entry.id,
    requested_provider: null,
    model: entry.id,
    max_attempts: 3,
    candidates: providers.map((provider) => ({ provider, model: entry.id, model_name: entry.id, ...unseen })),
    excluded: [],
    reservation_usd: '0',
    weights: { from: 'operator', uptime: 0.5, throughput: 0.2, price: 0.2, latency: 0.1 },
    settings: expect.arrayContaining([
      { name: 'ROUTING_UPTIME_WEIGHT', value: 0.5, description: expect.stringContaining('Weight of the uptime') },
    ]),
  });
});

test('with a prefix, the others are listed with the reason for their exclusion', async () => {
  const { text } = await bench.explain(chat({ model: `${providers[1]}/${entry.id}` }));
  expect(JSON.parse(text)).toMatchObject({
    requested_provider: providers[1],
    candidates: [{ provider: providers[1], reason: 'pinned' }],
    excluded: [
      { provider: providers[0], reason: 'other_provider', detail: `${providers[1]} was requested` },
      { provider: providers[2], reason: 'other_provider' },
    ],
  });
});

test('with an assumption, the plan is the one that would follow from it', async () => {
  const [first = '', second = ''] = providers;
  const candidates = async (query: string, body: object = chat()) => {
    const { text, error } = await bench.explain(body, { query });
    return error?.message ?? JSON.parse(text).candidates.map((each: Candidate) => each.provider);
  };
  expect(await candidates('')).toEqual(providers);
  expect((await candidates(`uptime=${first}:50`)).at(-1)).toBe(first);
  expect((await candidates(`path=/v1/chat/completions&uptime=${second}:10`)).at(-1)).toBe(second);
  const picture = { prompt: 'A cat' };
  expect(await candidates(`price=${first}:0.25`, picture)).toEqual([first, second]);
  expect(await candidates('uptime=stranger:50')).toBe(
    `'stranger' does not offer ${entry.id}. Its providers: ${providers.join(', ')}.`,
  );
  expect(await candidates('uptime=50')).toContain("'uptime' must name a provider and a percentage");
  expect(bench.simulator.requests).toEqual([]);
});

test('for images, the price of an image weighs more, and `auto` is the image model', async () => {
  const { text } = await bench.explain({ prompt: 'A cat', size: '1024x1024' });
  const { candidates, ...rest } = JSON.parse(text);
  expect(rest).toEqual({
    object: 'route',
    requested_model: 'auto',
    requested_provider: null,
    model: pictures.id,
    max_attempts: 3,
    excluded: [expect.objectContaining({ provider: 'nobody', reason: 'no_access' })],
    reservation_usd: '0.08',
    weights: { from: 'operator', uptime: 0.5, throughput: 0.2, price: 0.4, latency: 0.1 },
    settings: expect.any(Array),
  });
  expect(candidates.map(({ provider, factors }: Candidate) => [provider, factors.price])).toEqual([
    [providers[1], { value: 0.04, ratio: 1, weight: 0.4444 }],
    [providers[0], { value: 0.08, ratio: 2, weight: 0.4444 }],
  ]);
  expect(bench.simulator.requests).toEqual([]);
});

test('an account with weights of its own is scored with them, unless the request is sorted', async () => {
  const scoreWeights = { uptime: 0, throughput: 0, price: 3, latency: 1 };
  const principal = { accountId: 'acme', keyId: 'key', scoreWeights };
  const explained = async (body: object, as: AskOptions = { principal }) => {
    const { candidates, weights } = JSON.parse((await bench.explain(body, as)).text);
    return [weights, candidates[0].provider, candidates[0].factors];
  };
  const [first, second] = providers;
  const picture = { prompt: 'A cat' };
  const cheapest = { price: { value: 0.04, ratio: 1, weight: 1 } };
  expect(await explained(picture)).toEqual([{ from: 'account', ...scoreWeights }, second, cheapest]);
  const { scoreWeights: _none, ...other } = principal;
  const ofOperator = { from: 'operator', uptime: 0.5, throughput: 0.2, price: 0.4, latency: 0.1 };
  expect((await explained(picture, { principal: other }))[0]).toEqual(ofOperator);
  const sorted = await explained(chat({ provider: { sort: 'throughput' } }));
  expect(sorted).toEqual([{ from: 'request', uptime: 0, throughput: 1, price: 0, latency: 0 }, first, {}]);
});

test('editing images needs an offer with image input', async () => {
  const images = [{ image_url: 'https://example.com/cat.png' }];
  const { text } = await bench.explain({ model: 'pictures', prompt: 'Blue', images });
  const { candidates, excluded } = JSON.parse(text);
  expect(candidates.map(({ provider }: Candidate) => provider)).toEqual([providers[0]]);
  expect(excluded[0]).toMatchObject({ provider: providers[1], reason: 'unsupported', detail: 'image input' });
});

interface Candidate {
  provider: string;
  factors: { price: object };
}

describe('refuses what the request itself would be refused for, with the same message', () => {
  test.each<[string, object, object]>([
    [
      'no model',
      chat({ model: 'old' }),
      {
        code: 'model_not_found',
        message: `'old' has not been offered since 2026-01-01T00:00:00Z. Use '${entry.id}' instead.`,
      },
    ],
    ['broken body', { model: entry.id }, { code: 'invalid_parameters' }],
    [
      'an image of a model without any',
      { model: entry.id, prompt: 'A cat' },
      {
        status: 400,
        param: 'model',
        message: expect.stringMatching(
          /cannot make images\. Image models that can be called: gemini-3-pro-image-preview/,
        ),
      },
    ],
    ['an image of nothing', { prompt: '' }, { code: 'invalid_parameters', param: 'prompt' }],
    ['an image of an unknown model', { model: 'picturez', prompt: 'A cat' }, { code: 'model_not_found' }],
    ['neither chat nor image', { model: entry.id }, { code: 'invalid_parameters', param: 'messages' }],
    ['a longer answer than the model can write', chat({ model: 'small', max_tokens: 32_000 }), { status: 200 }],
    [
      'a prompt at the limit',
      chat({ model: 'small', messages: [{ role: 'user', content: 'x'.repeat(30_000) }] }),
      { status: 200 },
    ],
    [
      'a prompt beyond it',
      chat({ model: 'small', messages: [{ role: 'user', content: 'x'.repeat(30_001) }] }),
      { code: 'context_length_exceeded', param: 'messages' },
    ],
  ])('%s', async (_name, body, expected) => {
    const { status, error } = await bench.explain(body);
    expect(error ?? { status }).toMatchObject(expected);
  });
});

test('providers and metrics report the standing of every offer', async () => {
  bench.simulator.faults.set({ provider: providers[0] ?? '', fault: 'status:503' });
  await bench.ask(chat());
  bench.simulator.reset();
  const { text } = await bench.listProviders();
  const { data } = JSON.parse(text);
  const of = (provider: string | undefined) => data.filter((each: { provider: string }) => each.provider === provider);
  expect(of(providers[0])[0]).toEqual({
    provider: providers[0],
    model: entry.id,
    model_name: entry.id,
    obstacle: null,
    key: 'service',
    healthy: false,
    uptime: {
      ratio: 0,
      expected: expect.any(Number),
      lower: expect.any(Number),
      upper: expect.any(Number),
      samples: expect.closeTo(1, 1),
    },
    latency_ms: null,
    tokens_per_second: null,
    breaker: 'closed',
    cooldown_ms: 0,
    recovery: { state: 'away', trial_in_ms: expect.any(Number) },
    last_error: { type: 'provider_overloaded', at: expect.any(String) },
  });
  expect(of(providers[1])[0]).toMatchObject({ uptime: { ratio: 1 }, last_error: null });
  expect(data.map(({ model }: { model: string }) => model)).not.toContain('old');
  await expect.poll(() => bench.metrics()).toContain(`gateway_provider_uptime_ratio{provider="${providers[0]}"`);
  const metrics = await bench.metrics();
  expect(metrics).toContain(`gateway_provider_circuit_state{provider="${providers[0]}",model="${entry.id}"} 0`);
  expect(metrics).toContain(`gateway_provider_connections_total{provider="${providers[0]}",connection="new"} 1`);
  expect(metrics).toContain('gateway_overhead_seconds_count{route="/v1/chat/completions",stage="route"} 1');
  expect(metrics).toContain(
    `gateway_fallbacks_total{from_provider="${providers[0]}",to_provider="${providers[1]}",reason="provider_overloaded",phase="pre_first_byte"} 1`,
  );
});

test('a key sees only the offers it may use', async () => {
  const principal = { accountId: 'a', keyId: 'k', allowedProviders: [providers[2] ?? ''] };
  const { text } = await bench.listProviders({ principal });
  expect(new Set(JSON.parse(text).data.map(({ provider }: { provider: string }) => provider))).toEqual(
    new Set([providers[2]]),
  );
});

test('a breaker that opens is logged as a warning, one that closes as information', () => {
  const lines: unknown[] = [];
  const log = {
    ...silentLog(),
    warn: (fields: unknown) => lines.push(['warn', fields]),
    info: (fields: unknown) => lines.push(['info', fields]),
  };
  const kit = createKit({
    name: 'chat-svc',
    config: {},
    log: Object.assign(silentLog(), log),
    metrics: createMetrics({ defaults: false }),
  });
  const unheld = { held: () => 0, limit: 1 };
  const events = chatEvents(kit, { budget: unheld, answers: unheld });
  events.breakerChanged('p/m', 'open');
  events.breakerChanged('p/m', 'closed');
  expect(lines).toEqual([
    ['warn', { offer: 'p/m' }],
    ['info', { offer: 'p/m', state: 'closed' }],
  ]);
});
