import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { UsageRecord } from '@tallyport/contracts';
import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AskOptions, type ChatBench, startChatBench } from './testing/chat-bench.ts';

const pricing = { prompt: '0.001', completion: '0.01' };
const tiers = { flex: { factor: '0.5' }, priority: { factor: '2' }, fast: { factor: '2' } };
const [plain, native, other, fast] = ['gpt', 'claude-opus-5', 'gemini-3.5-flash', 'claude-opus-4-8'] as const;

interface Received {
  url: string;
  body: Record<string, unknown>;
}

/** The stream of a chat at OpenAI ends after its first text. */
let hangs = false;
/** Vendors that answer in the tier `billed`, in the forms that their documents show. */
let billed: string;
/** Where Claude ran. */
let place: string | undefined;
let received: Received[] = [];
let vendors: Server;
let bench: ChatBench;

beforeAll(async () => {
  vendors = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => vendors.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(vendors.address() as AddressInfo).port}`;
  bench = await startChatBench({
    catalogue: catalogueOf(
      modelOf(plain, [offerOf('openai', { modelName: plain, pricing, tiers })]),
      modelOf(native, [offerOf('anthropic', { modelName: native, pricing, tiers, geos: { us: '1.1' } })]),
      modelOf(other, [offerOf('google', { modelName: other, pricing, tiers })]),
      modelOf(fast, [offerOf('anthropic', { modelName: fast, pricing, tiers: { fast: tiers.fast } })]),
    ),
    environment: {
      OPENAI_API_KEY: 'k',
      OPENAI_BASE_URL: `${url}/v1`,
      ANTHROPIC_API_KEY: 'k',
      ANTHROPIC_BASE_URL: `${url}/v1`,
      GEMINI_API_KEY: 'k',
      GEMINI_BASE_URL: `${url}/v1beta`,
    },
  });
});
afterEach(() => {
  received = [];
  hangs = false;
  place = undefined;
  bench.usage.length = 0;
});
afterAll(async () => {
  await bench.close();
  vendors.close();
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const url = request.url ?? '';
  const body: Record<string, unknown> = JSON.parse(Buffer.concat(chunks).toString());
  received.push({ url, body });
  const streams = body['stream'] === true || url.includes('stream');
  const { headers = {}, whole, events } = formOf(url);
  response.writeHead(200, { 'content-type': streams ? 'text/event-stream' : 'application/json', ...headers });
  if (!streams) return void response.end(JSON.stringify(whole));
  const named = (event: object) => ('type' in event ? `event: ${String(event.type)}\n` : '');
  const sent = hangs ? events.slice(0, 1) : events;
  response.write(sent.map((event) => `${named(event)}data: ${JSON.stringify(event)}\n\n`).join(''));
  if (!hangs) response.end();
}

interface VendorForm {
  headers?: Record<string, string>;
  whole: object;
  events: object[];
}

const formOf = (url: string): VendorForm =>
  url.includes('/chat/')
    ? openAi()
    : url.includes('/responses')
      ? responses()
      : url.includes('/messages')
        ? claude()
        : gemini();

function openAi(): VendorForm {
  const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };
  const chunk = { id: 'c', created: 1, model: plain, service_tier: billed };
  const choice = (delta: object, finish_reason: string | null) => ({ index: 0, delta, finish_reason });
  return {
    whole: { ...chunk, choices: [{ index: 0, message: { content: 'Hi' }, finish_reason: 'stop' }], usage },
    events: [
      { ...chunk, choices: [choice({ content: 'Hi' }, null)] },
      { ...chunk, choices: [choice({}, 'stop')] },
      { ...chunk, choices: [], usage },
    ],
  };
}

function responses(): VendorForm {
  const usage = { input_tokens: 10, output_tokens: 2, total_tokens: 12 };
  const output = [{ type: 'message', id: 'm', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] }];
  const whole = { id: 'r', object: 'response', status: 'completed', model: plain, output, usage, service_tier: billed };
  return {
    whole,
    events: [
      { type: 'response.created', response: { ...whole, status: 'in_progress', output: [], service_tier: 'auto' } },
      { type: 'response.output_text.delta', delta: 'Hi', item_id: 'm', output_index: 0, content_index: 0 },
      { type: 'response.completed', response: whole },
    ],
  };
}

function claude(): VendorForm {
  const tier = billed === 'fast' ? { service_tier: 'standard', speed: 'fast' } : { service_tier: billed };
  const usage = { input_tokens: 10, output_tokens: 2, ...tier, ...(place !== undefined && { inference_geo: place }) };
  const message = { id: 'm', type: 'message', role: 'assistant', model: native };
  return {
    whole: { ...message, content: [{ type: 'text', text: 'Hi' }], stop_reason: 'end_turn', usage },
    events: [
      { type: 'message_start', message: { ...message, content: [], usage } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
      { type: 'message_stop' },
    ],
  };
}

/** The Gemini API names the tier in a header. */
function gemini(): VendorForm {
  const whole = {
    candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 2, totalTokenCount: 12 },
    modelVersion: other,
  };
  return { headers: { 'x-gemini-service-tier': billed }, whole, events: [whole] };
}

const principal = { accountId: 'account', keyId: 'key' };
const messages = [{ role: 'user', content: 'Hello' }];
const ask = { principal, headers: {} };

const apis = {
  'a chat at OpenAI': (stream: boolean, asked?: string) =>
    bench.ask({ model: plain, messages, stream, ...usageOf(stream), ...tierOf(asked) }, ask),
  'a response at OpenAI': (stream: boolean, asked?: string) =>
    bench.inApi('responses', { model: plain, input: 'Hello', store: false, stream, ...tierOf(asked) }, ask),
  'a chat at Anthropic': (stream: boolean, asked?: string) =>
    bench.ask({ model: native, messages, stream, ...usageOf(stream), ...tierOf(asked) }, ask),
  'a message at Anthropic': (stream: boolean, asked?: string) =>
    bench.inApi('messages', { model: native, max_tokens: 50, messages, stream, ...speedOf(asked) }, ask),
  'a message at OpenAI': (stream: boolean, asked?: string) =>
    bench.inApi('messages', { model: plain, max_tokens: 50, messages, stream, ...speedOf(asked) }, ask),
  'a chat at Google': (stream: boolean, asked?: string) =>
    bench.ask({ model: other, messages, stream, ...usageOf(stream), ...tierOf(asked) }, ask),
  'generateContent at Google': (stream: boolean, asked?: string) =>
    bench.inApi(
      'generateContent',
      { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }], ...(asked && { serviceTier: asked }) },
      { ...ask, path: `${other}:${stream ? 'streamGenerateContent' : 'generateContent'}` } satisfies AskOptions,
    ),
};

const usageOf = (stream: boolean) => (stream ? { stream_options: { include_usage: true } } : {});
const tierOf = (asked: string | undefined) => (asked === undefined ? {} : { service_tier: asked });
const speedOf = (asked: string | undefined) => (asked === 'fast' ? { speed: 'fast' } : tierOf(asked));

async function recorded(): Promise<UsageRecord | undefined> {
  await expect.poll(() => bench.usage.length).toBe(1);
  return bench.usage[0];
}

/** The last cost in an answer, whole or streamed. */
const costIn = (text: string): string | undefined => [...text.matchAll(/"cost":([\d.e-]+)/g)].at(-1)?.[1];

describe.each(Object.entries(apis))('%s', (name, send) => {
  const dearer = name.startsWith('a message') ? 'fast' : 'priority';

  test.each([
    ['whole', false],
    ['streamed', true],
  ])('is billed in the tier that the %s answer names', async (_form, stream) => {
    billed = dearer;
    const answered = await send(stream, dearer);
    const record = await recorded();
    expect(answered.status).toBe(200);
    expect(record).toMatchObject({ tierAsked: dearer, tier: dearer, cost: '0.06', flags: [], source: 'reported' });
    expect(costIn(answered.text) ?? '0.06').toBe('0.06');
  });

  test.each([
    ['whole', false],
    ['streamed', true],
  ])('is billed in the standard tier if its %s answer names that', async (_form, stream) => {
    billed = 'default';
    await send(stream, dearer);
    const record = await recorded();
    expect(record).toMatchObject({ tierAsked: dearer, cost: '0.03', flags: [] });
    expect(record).not.toHaveProperty('tier');
  });
});

test('a tier without prices is billed at the standard ones, flagged with its name', async () => {
  billed = 'scale';
  await apis['a chat at OpenAI'](false);
  expect(await recorded()).toMatchObject({
    tier: 'scale',
    cost: '0.03',
    flags: ['unpriced_class'],
    details: { unpricedClasses: ['service_tier:scale'] },
  });
});

describe.each(['a chat at Anthropic', 'a message at Anthropic'] as const)('%s', (name) => {
  test.each([
    ['us', 'us', '0.033'],
    ['x'.repeat(200), 'x'.repeat(100), '0.03'],
  ])('is recorded with its place %s, whole and streamed', async (ran, geo, cost) => {
    for (const stream of [false, true]) {
      bench.usage.length = 0;
      [billed, place] = ['standard', ran];
      await apis[name](stream);
      expect(await recorded()).toMatchObject({ cost, details: { geo } });
    }
  });
});

describe('a stream that its client leaves', () => {
  async function left(named: string, asked: string): Promise<UsageRecord | undefined> {
    [billed, hangs] = [named, true];
    const leave = new AbortController();
    const body = { model: plain, messages, stream: true, max_tokens: 50, ...tierOf(asked) };
    const { body: answered } = await bench.open(body, { ...ask, signal: leave.signal });
    for await (const _piece of answered) break;
    leave.abort();
    return recorded();
  }

  test('is estimated in the tier that it named', async () => {
    expect(await left('flex', 'priority')).toMatchObject({ source: 'estimated', tierAsked: 'priority', tier: 'flex' });
  });

  test('is estimated in the tier that was asked if it named none', async () => {
    expect(await left('', 'priority')).toMatchObject({ source: 'estimated', tierAsked: 'priority', tier: 'priority' });
  });
});

describe('a key that may use some tiers', () => {
  const askAs = (allowedTiers: string[]) => ({ ...ask, principal: { ...principal, allowedTiers } });
  const send = (api: 'messages' | 'responses', body: object, allowed: string[]) =>
    bench.inApi(api, { ...(api === 'messages' && { max_tokens: 50 }), ...body }, askAs(allowed));
  const chat = (allowed: string[], asked?: string, model: string = plain) =>
    bench.ask({ model, messages, ...tierOf(asked) }, askAs(allowed));
  const sentTier = () => received.map(({ body }) => body['service_tier'] ?? body['serviceTier']);

  test('is refused others, before a provider is called', async () => {
    const { error } = await chat(['flex'], 'priority');
    expect([error?.code, error?.message, error?.param]).toEqual([
      'permission_denied',
      "This API key may not use the service tier 'priority'. Ask for the standard tier or ask for one of: flex.",
      'service_tier',
    ]);
    expect((await chat([], 'flex')).error?.message).toBe(
      "This API key may not use the service tier 'flex'. Ask for the standard tier.",
    );
    expect((await send('messages', { model: native, messages, speed: 'fast' }, ['flex'])).status).toBe(403);
    const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }];
    const options = { ...askAs([]), path: `${other}:generateContent` };
    expect((await bench.inApi('generateContent', { contents, serviceTier: 'priority' }, options)).status).toBe(403);
    expect((await send('responses', { model: plain, input: 'Hi', service_tier: 'fast' }, [])).status).toBe(403);
    expect(received).toEqual([]);
  });

  test('is refused a tier that the provider has under another name', async () => {
    billed = 'fast';
    const message = "This API key may not use the service tier 'fast'. Ask for the standard tier";
    expect((await chat(['priority'], 'priority', fast)).error?.message).toBe(`${message}.`);
    expect((await chat(['priority', 'flex'], 'priority', fast)).error?.message).toBe(
      `${message} or ask for one of: flex.`,
    );
    expect(received).toEqual([]);
    await chat(['priority', 'fast'], 'priority', fast);
    expect(received.map(({ body }) => body['speed'])).toEqual(['fast']);
  });

  test('may ask for them and for the standard tier', async () => {
    billed = 'default';
    await chat(['flex'], 'flex');
    await chat([], 'default');
    expect(sentTier()).toEqual(['flex', 'default']);
  });

  test('gets the standard tier where the vendor would choose among others', async () => {
    billed = 'default';
    await chat(['flex']);
    await chat(['flex'], 'auto');
    await chat(['flex'], 'auto', native);
    await chat([], undefined, other);
    await send('responses', { model: plain, input: 'Hi', store: false }, []);
    await send('responses', { model: plain, input: 'Hi', store: false, service_tier: 'auto' }, []);
    await send('messages', { model: native, messages, service_tier: 'auto' }, []);
    await send('messages', { model: native, messages }, []);
    expect(sentTier()).toEqual([
      'default',
      'default',
      'standard_only',
      'standard',
      'default',
      'default',
      'standard_only',
      'standard_only',
    ]);
    await expect.poll(() => bench.usage.length).toBe(8);
    expect(new Set(bench.usage.map(({ tierAsked }) => tierAsked))).toEqual(new Set(['default']));
  });

  test('leaves the choice to the vendor if it may use the dearest', async () => {
    billed = 'priority';
    await chat(['priority', 'fast'], 'auto');
    await chat(['priority', 'fast']);
    expect(sentTier()).toEqual(['auto', undefined]);
  });
});
