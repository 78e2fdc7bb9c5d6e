import { totalDollars } from '@tallyport/simulator';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ChatBench } from '../../services/chat-svc/src/testing/chat-bench.ts';
import { messagesVersion } from '../../services/chat-svc/src/testing/messages-client.ts';
import { claude, gemini, gpt, type Sample, user } from './class-samples.ts';
import { startPricedBench } from './priced-bench.ts';

/** The estimate for a stream that its client left, against the bill of the simulator for what it had sent. */
let bench: ChatBench;
beforeAll(async () => {
  bench = await startPricedBench({ chunksPerSecond: 50 });
});
afterEach(() => {
  bench.simulator.reset();
  bench.usage.length = 0;
});
afterAll(() => bench.close());

const principal = { accountId: 'account', keyId: 'key' };

interface Stream {
  api: Sample['api'];
  model: string;
  bodyOf(text: string, most: number): object;
  /** Members of the request with which the model thinks. */
  thinking: object;
}

const chat = (model: string): Stream => ({
  api: 'chat',
  model,
  bodyOf: (text, most) => user(text, { model, stream: true, max_tokens: most }),
  thinking: { reasoning_effort: 'low' },
});

const streams: Readonly<Record<string, Stream>> = {
  'a chat of GPT': chat(gpt),
  'a response of GPT': {
    api: 'responses',
    model: gpt,
    bodyOf: (input, most) => ({ model: gpt, input, store: false, stream: true, max_output_tokens: most }),
    thinking: { reasoning: { effort: 'low', summary: 'auto' } },
  },
  'a chat of Claude': chat(claude),
  'a message of Claude': {
    api: 'messages',
    model: claude,
    bodyOf: (text, most) => user(text, { model: claude, stream: true, max_tokens: most }),
    thinking: { thinking: { type: 'enabled', budget_tokens: 1_024 } },
  },
  'a chat of Gemini': chat(gemini),
  'content of Gemini': {
    api: 'gemini',
    model: gemini,
    bodyOf: (text, most) => ({
      contents: [{ role: 'user', parts: [{ text }] }],
      generationConfig: { maxOutputTokens: most },
    }),
    thinking: { generationConfig: { maxOutputTokens: 2_000, thinkingConfig: { includeThoughts: true } } },
  },
};

function open({ api, model }: Stream, body: object, signal: AbortSignal): ReturnType<ChatBench['open']> {
  const ask = { principal, signal };
  if (api === 'chat') return bench.open(body, ask);
  if (api === 'messages') return bench.openInApi('messages', body, { ...ask, headers: messagesVersion });
  if (api === 'responses') return bench.openInApi('responses', body, ask);
  return bench.openInApi('generateContent', body, { ...ask, path: `${model}:streamGenerateContent`, query: 'alt=sse' });
}

/** Leaves after this number of events with text, and returns what the ledger and the vendor have of it. */
async function leave(stream: Stream, body: object, after: number) {
  const leaving = new AbortController();
  const answer = await open(stream, body, leaving.signal);
  let seen = '';
  for await (const piece of answer.body) {
    seen += Buffer.from(piece).toString();
    if (eventsWithText(seen) >= after) break;
  }
  leaving.abort();
  const received = await bench.simulator.waitFor(({ aborted }) => aborted[0]);
  await expect.poll(() => bench.usage.length).toBe(1);
  return { record: bench.usage[0], received, cost: Number(bench.usage[0]?.cost) };
}

const eventsWithText = (text: string): number => text.split('\n').filter((line) => textEvent.test(line)).length;
const textEvent = /"(content|text|delta|reasoning_content|thinking)":"[^"]/;

const story = 'Write a story. [words:400]';
const long = `${'Once upon a time there was a model. '.repeat(60)}${story}`;
const estimate = { source: 'estimated', endReason: 'client_gone' };

describe.each(Object.entries(streams))('%s that its client left', (_name, stream) => {
  test.each([
    ['after a few events', stream.bodyOf(story, 1_000), 24],
    ['after many events', stream.bodyOf(story, 1_000), 60],
    ['after a few events, with a long prompt,', stream.bodyOf(long, 1_000), 24],
    ['after the model thought', { ...stream.bodyOf(story, 2_000), ...stream.thinking }, 60],
  ])('%s has a cost within a fifth of the bill', async (_when, body, after) => {
    const { record, received, cost } = await leave(stream, body, after);
    const billed = Number(totalDollars(bench.simulator.bill.itemsOf(received)));
    expect(record).toMatchObject(estimate);
    expect(cost).toBeGreaterThan(billed * 0.8);
    expect(cost).toBeLessThan(billed * 1.2);
  });

  test('costs at most what was asked, however much was sent', async () => {
    const most = 20;
    bench.simulator.faults.set({ fault: 'endless, drip:4' });
    const { record, received, cost } = await leave(stream, stream.bodyOf(story, most), 100);
    const limit = priceOf(received, most);
    expect(record).toMatchObject(estimate);
    expect(cost).toBeGreaterThan(limit * 0.8);
    expect(cost).toBeLessThanOrEqual(limit);
  });
});

/** What the vendor bills for the prompt and this many tokens of an answer. */
function priceOf({ provider, model = '', metered }: Received, output: number): number {
  const prompt = (metered?.counts ?? []).filter(({ of }) => of === 'input');
  const counts = [...prompt, { of: 'output', count: output } as const];
  return Number(totalDollars(bench.simulator.bill.price(provider, { model, metered: { tier: 'default', counts } })));
}

type Received = ChatBench['simulator']['requests'][number];
