import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import type { Simulator } from '@tallyport/simulator';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { untilFound } from '../../../../tests/support/probe.ts';
import { type ChatBench, startChatBench } from '../testing/chat-bench.ts';
import { speakMessages } from '../testing/messages-client.ts';

/** Those of the vendor's own price list. */
const pricing = {
  prompt: '0.000005',
  completion: '0.000025',
  input_cache_read: '0.0000005',
  input_cache_write: '0.00000625',
  input_cache_write_1h: '0.00001',
};
const names = {
  anthropic: 'claude-opus-4-8',
  'aws-bedrock': 'global.anthropic.claude-opus-4-8',
  'google-vertex': 'claude-opus-4-8@default',
  openrouter: 'anthropic/claude-opus-4.8',
} as const;
type Vendor = keyof typeof names;
const vendors: readonly Vendor[] = ['anthropic', 'aws-bedrock', 'google-vertex', 'openrouter'];
const awsCredentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };

let bench: ChatBench;
beforeAll(async () => {
  bench = await startChatBench({
    catalogue: catalogueOf(
      ...vendors.map((id) => modelOf(`at ${id}`, [offerOf(id, { modelName: names[id], pricing })])),
    ),
    awsCredentials,
    environment: ({ baseUrl }: Simulator) => ({
      ANTHROPIC_API_KEY: 'key',
      ANTHROPIC_BASE_URL: baseUrl('anthropic'),
      AWS_ACCESS_KEY_ID: awsCredentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: awsCredentials.secretAccessKey,
      AWS_BEDROCK_BASE_URL: baseUrl('aws-bedrock'),
      GOOGLE_VERTEX_API_KEY: 'key',
      GOOGLE_VERTEX_BASE_URL: baseUrl('google-vertex'),
      GOOGLE_VERTEX_PROJECT: 'our-project',
      OPENROUTER_API_KEY: 'key',
      OPENROUTER_BASE_URL: baseUrl('openrouter'),
    }),
  });
});
afterEach(() => bench.simulator.reset());
afterAll(() => bench.close());

interface Turn {
  /** In the answer, if its API has it. */
  answered: number;
  recorded: number;
  billed: number;
  tokens: { read: number; written: number };
  /** In dollars. */
  surcharge: number;
  cacheable: number;
}

interface Asking {
  caching: 'off' | 'auto';
  native: boolean;
}

const itemsOf = (received: ChatBench['simulator']['requests'][number] | undefined) =>
  received === undefined ? [] : bench.simulator.bill.itemsOf(received);

async function ask(body: object, { caching, native }: Asking): Promise<Turn> {
  const options = { principal: { accountId: 'account', keyId: 'key', promptCaching: caching } };
  bench.usage.length = 0;
  const { status, text } = native ? await speakMessages(bench, body, options) : await bench.ask(body, options);
  expect(status).toBe(200);
  const record = await untilFound(() => bench.usage.at(0));
  const items = itemsOf(bench.simulator.requests.at(-1));
  return {
    answered: Number(/"cost":([\d.e-]+)/.exec(text)?.[1]),
    recorded: Number(record.cost),
    billed: items.reduce((sum, { dollars }) => sum + Number(dollars), 0),
    tokens: { read: record.tokens.cacheRead, written: record.tokens.cacheWrite },
    surcharge: Number(record.promptCacheSurcharge ?? 0),
    cacheable: record.cacheableTokens ?? 0,
  };
}

const rules = 'Rules of the house. '.repeat(400);
const said = ['What is new?', 'And then?', 'Thank you. What else?', 'Good.'];
/** A conversation that no other one begins like. */
const bodyOf = (name: string, turns: number, { native }: Pick<Asking, 'native'>) => {
  const messages = said
    .slice(0, turns)
    .flatMap((question, at) => [
      ...(at === 0 ? [] : [{ role: 'assistant', content: `An answer of some length. ${'It goes on. '.repeat(40)}` }]),
      { role: 'user', content: `${question} ${'With some details. '.repeat(20)}` },
    ]);
  const system = `${name}. ${rules}`;
  return native ? { system, messages } : { messages: [{ role: 'system', content: system }, ...messages] };
};

async function conversation(vendor: Vendor, asking: Asking & { stream: boolean }): Promise<[Turn, Turn, Turn]> {
  const { stream, native, caching } = asking;
  const name = [vendor, stream, native, caching].join(' ');
  const options = stream && !native ? { stream_options: { include_usage: true } } : {};
  const turn = (count: number) =>
    ask({ model: `at ${vendor}`, max_tokens: 50, stream, ...options, ...bodyOf(name, count, asking) }, asking);
  return [await turn(1), await turn(2), await turn(3)];
}

const nothing = { read: 0, written: 0 };
const cases = [false, true].flatMap((stream) =>
  [false, true].flatMap((native) =>
    // OpenRouter is sent chats only.
    vendors.slice(0, native ? 3 : 4).map((vendor) => ({ vendor, stream, native })),
  ),
);

test.each(cases)('the third turn costs less with marks, and all agree on the cost: %j', async (each) => {
  const plain = await conversation(each.vendor, { ...each, caching: 'off' });
  const marked = await conversation(each.vendor, { ...each, caching: 'auto' });
  for (const { answered, recorded, billed } of [...plain, ...marked]) {
    expect(billed).toBeGreaterThan(0);
    expect(recorded).toBeCloseTo(billed, 12);
    // Messages have no cost.
    expect(each.native ? billed : answered).toBeCloseTo(billed, 12);
  }
  const [first, second, third] = marked;
  expect([...plain, first].map(({ tokens }) => tokens)).toEqual([nothing, nothing, nothing, nothing]);
  expect(second.tokens).toEqual({ read: 0, written: expect.any(Number) });
  expect(second.tokens.written).toBeGreaterThan(2_000);
  // The third turn reads all that the second one wrote, and writes what is new.
  expect(third.tokens).toEqual({ read: second.tokens.written, written: expect.any(Number) });
  expect(third.tokens.written).toBeGreaterThan(0);
  expect(third.recorded).toBeLessThan(plain[2].recorded / 2);
  // A vendor that reports its cost does not say how much of it is for writing.
  const surcharge = each.vendor === 'openrouter' ? 0 : (second.tokens.written * 1.25) / 1e6;
  expect(second.surcharge).toBeCloseTo(surcharge, 12);
  // Without marks, the record has an estimate of what they would have read.
  expect(plain.map(({ cacheable }) => cacheable > 2_000)).toEqual([false, true, true]);
  expect(plain[2].cacheable / third.tokens.read).toBeCloseTo(1, 1);
});

test('a conversation that pauses is written for an hour, and read after the next pause', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const billed: Record<string, number>[] = [];
  for (const [index, pause] of [0, 1, 7, 7].entries()) {
    vi.setSystemTime(Date.now() + pause * 60_000);
    const chat = { model: 'at anthropic', max_tokens: 50, prompt_cache_key: 'slow' };
    const turn = await ask(
      { ...chat, ...bodyOf('slow', index + 1, { native: false }) },
      { caching: 'auto', native: false },
    );
    expect([turn.answered, turn.recorded]).toEqual([expect.closeTo(turn.billed, 12), expect.closeTo(turn.billed, 12)]);
    const items = itemsOf(bench.simulator.requests.at(-1));
    billed.push(Object.fromEntries(items.map(({ of, count }) => [of, count])));
  }
  const [first, second, third, fourth] = billed;
  expect(first).toEqual({ input: expect.any(Number), output: expect.any(Number) });
  expect(second).toMatchObject({ cache_write_5m: expect.any(Number) });
  expect(Object.keys(third ?? {})).not.toContain('cache_read');
  expect(third?.['cache_write_1h']).toBeGreaterThan(2_000);
  expect(fourth).toMatchObject({ cache_read: third?.['cache_write_1h'], cache_write_1h: expect.any(Number) });
});
