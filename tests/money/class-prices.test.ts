import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { AskOptions, ChatBench, ClientAnswer } from '../../services/chat-svc/src/testing/chat-bench.ts';
import { speakMessages } from '../../services/chat-svc/src/testing/messages-client.ts';
import { claude, gemini, gpt, type Sample, samples, user } from './class-samples.ts';
import { startPricedBench } from './priced-bench.ts';

/** Each class that a vendor bills, at the prices of our catalogue, against the bill of the simulator. */
let bench: ChatBench;
beforeAll(async () => {
  bench = await startPricedBench();
});
afterEach(() => bench.simulator.reset());
afterAll(() => bench.close());

const none = { bills: {}, counts: {} };
const principal = { accountId: 'account', keyId: 'key' };

function speak({ api, model, body }: Sample, stream: boolean): Promise<ClientAnswer> {
  const asked = { model, stream, ...body };
  const ask: AskOptions = { principal };
  if (api === 'messages') return speakMessages(bench, { max_tokens: 50, ...asked }, ask);
  if (api === 'responses') return bench.inApi('responses', { store: false, ...asked }, ask);
  if (api === 'gemini') {
    const path = `${model}:${stream ? 'streamGenerateContent' : 'generateContent'}`;
    return bench.inApi('generateContent', body, { ...ask, path, query: stream ? 'alt=sse' : '' });
  }
  return bench.ask({ max_tokens: 50, ...asked, ...(stream && { stream_options: { include_usage: true } }) }, ask);
}

interface Paid {
  text: string;
  record: ChatBench['usage'][number];
  items: ReturnType<ChatBench['simulator']['bill']['itemsOf']>;
}

async function pay(sample: Sample, stream: boolean): Promise<Paid> {
  bench.usage.length = 0;
  const { status, text, error } = await speak(sample, stream);
  expect([status, error?.message]).toEqual([200, undefined]);
  await expect.poll(() => bench.usage.length).toBe(1);
  const [record] = bench.usage;
  const received = bench.simulator.requests.at(-1);
  if (record === undefined || received === undefined) throw new Error('Nothing was called.');
  return { text, record, items: bench.simulator.bill.itemsOf(received) };
}

const dollarsOf = (items: Paid['items']): number => items.reduce((sum, { dollars }) => sum + Number(dollars), 0);
const costIn = (text: string): number | undefined => {
  const cost = /"cost":([\d.e-]+)/.exec(text)?.[1];
  return cost === undefined ? undefined : Number(cost);
};

describe.each([false, true])('streamed: %s', (stream) => {
  test.each(Object.entries(samples))('%s costs what the vendor bills', async (name, sample) => {
    const { text, record, items } = await pay(
      stream ? { ...sample, body: renamed(sample.body, name) } : sample,
      stream,
    );
    const { tokens, flags, cost } = record;
    const billed = Object.fromEntries(items.map(({ of, count }) => [of, count]));
    expect(billed).toMatchObject(sample.bills);
    expect({ ...record, ...tokens }).toMatchObject(sample.counts);
    expect(flags).toEqual([]);
    expect(Number(cost)).toBeCloseTo(dollarsOf(items), 9);
    expect(Number(cost)).toBeGreaterThan(0);
    // Answers of other APIs have no cost.
    const expected = sample.api === 'chat' ? dollarsOf(items) : undefined;
    expect(costIn(text)?.toPrecision(12)).toBe(expected?.toPrecision(12));
  });
});

test('a cost that a vendor reports is compared with the catalogue, by request and by provider', async () => {
  const { record } = await pay({ api: 'chat', model: 'openrouter/claude-opus-4-8', body: user('Hi.'), ...none }, false);
  expect(record).toMatchObject({ flags: [], details: { catalogueCost: record.cost } });
  // A key of the vendor's own costs five per cent more: the catalogue has no more than that.
  const byok = await pay({ api: 'chat', model: 'openrouter/gpt-5.2', body: user('Hi. [byok]'), ...none }, false);
  expect(byok.record.flags).toEqual([]);
  // Its list has another price than the catalogue.
  const dearer = await pay({ api: 'chat', model: 'xai/grok-4.5', body: user('Hi.'), ...none }, false);
  expect(dearer.record).toMatchObject({ flags: ['off_catalogue'], costs: { vendor: dearer.record.cost } });
  expect(Number(dearer.record.details?.catalogueCost)).toBeGreaterThan(Number(dearer.record.cost));
  const metrics = await bench.metrics();
  for (const by of ['provider', 'catalogue'])
    expect(metrics).toMatch(new RegExp(`gateway_reported_cost_usd_total{provider="xai",by="${by}"}`));
});

const unknown = 'Hello. [unknown-class]';
const surprised: Readonly<Record<string, Omit<Sample, 'bills' | 'counts'>>> = {
  'a chat of Claude': { api: 'chat', model: claude, body: user(unknown) },
  'a message of Claude': { api: 'messages', model: claude, body: user(unknown) },
  'a chat of GPT': { api: 'chat', model: gpt, body: user(unknown) },
  'a response of GPT': { api: 'responses', model: gpt, body: { input: unknown } },
  'a chat of Gemini': { api: 'chat', model: gemini, body: user(unknown) },
  'content of Gemini': {
    api: 'gemini',
    model: gemini,
    body: { contents: [{ role: 'user', parts: [{ text: unknown }] }] },
  },
  'a chat at Bedrock': { api: 'chat', model: 'aws-bedrock/claude-sonnet-4-6', body: user(unknown) },
};

describe.each([false, true])('streamed: %s', (stream) => {
  test.each(Object.entries(surprised))('%s keeps an unknown class by its name', async (_name, sample) => {
    const { record, items } = await pay({ ...sample, bills: {}, counts: {} }, stream);
    expect(items.find(({ of }) => of === 'unknown')).toMatchObject({ count: 7 });
    expect(record.flags).toEqual(['unpriced_class']);
    expect(record.details?.unpricedClasses).toEqual(['future_tokens']);
    const known = items.filter(({ of }) => of !== 'unknown');
    expect(Number(record.cost)).toBeCloseTo(dollarsOf(known), 9);
    const [name] = sample.model.split('/');
    expect(await bench.metrics()).toMatch(new RegExp(`gateway_usage_unpriced_class_total{provider="${name}",model=`));
  });
});

/** Another prefix of the same length, so that the cache does not have it. */
const renamed = (body: object, name: string): object =>
  JSON.parse(
    JSON.stringify(body, (_key, value: unknown) =>
      typeof value === 'string' && value.length === 4_400 ? `streamed ${name} `.repeat(400).slice(0, 4_400) : value,
    ),
  ) as object;
