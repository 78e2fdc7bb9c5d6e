import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ChatBench, type SpokenApi, startChatBench } from '../testing/chat-bench.ts';

const gpt = 'gpt-6-luna';
const claude = 'claude-opus-4-8';

let bench: ChatBench;
beforeAll(async () => {
  const seeing = (model: string, provider: string) => ({
    ...modelOf(model, [offerOf(provider, { modelName: model })]),
    inputModalities: ['text', 'image'],
  });
  bench = await startChatBench({
    catalogue: catalogueOf(seeing(gpt, 'openai'), seeing(claude, 'anthropic')),
    environment: ({ baseUrl }) => ({
      OPENAI_API_KEY: 'key',
      OPENAI_BASE_URL: baseUrl('openai'),
      ANTHROPIC_API_KEY: 'key',
      ANTHROPIC_BASE_URL: baseUrl('anthropic'),
    }),
  });
});
afterEach(() => bench.simulator.reset());
afterAll(() => bench.close());

const ask = (api: SpokenApi, model: string, body: object) =>
  bench.inApi(api, body, api === 'generateContent' ? { path: `${model}:generateContent` } : {});

describe('an image of 20 MB', () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  const data = Buffer.concat([png, Buffer.alloc(20_000_000 - png.length, 7)]).toString('base64');
  const url = `data:image/png;base64,${data}`;
  const source = { type: 'base64', media_type: 'image/png', data };
  const bodies: Record<SpokenApi, (model: string) => object> = {
    messages: (model) => ({
      model,
      max_tokens: 50,
      messages: [{ role: 'user', content: [{ type: 'image', source }] }],
    }),
    responses: (model) => ({
      model,
      store: false,
      input: [{ role: 'user', content: [{ type: 'input_image', image_url: url }] }],
    }),
    generateContent: () => ({ contents: [{ role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data } }] }] }),
    interact: (model) => ({ model, store: false, input: { type: 'image', mime_type: 'image/png', data } }),
  };

  test.each<[SpokenApi, string, 'native' | undefined]>([
    ['messages', claude, 'native'],
    ['responses', gpt, 'native'],
    ['generateContent', gpt, undefined],
    ['interact', gpt, undefined],
  ])('in %s reaches %s', async (api, model, lane) => {
    const { status, headers, text, error } = await ask(api, model, bodies[api](model));
    expect([status, headers['x-tallyport-lane'], error ?? text.slice(0, 500)]).toEqual([
      200,
      lane,
      expect.stringMatching(/^\{/),
    ]);
    const [{ bodyBytes = 0 } = {}] = bench.simulator.requests;
    expect(bodyBytes).toBeGreaterThan(data.length);
    expect(bodyBytes).toBeLessThan(data.length + 300);
  });
});

describe('a conversation of ten thousand turns', () => {
  const turnsOf = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content: `x${at}` }));
  const bodyOf = (api: SpokenApi, model: string, count: number): object => {
    const turns = turnsOf(count);
    if (api === 'messages') return { model, max_tokens: 50, messages: turns };
    if (api === 'responses') return { model, store: false, input: turns };
    if (api === 'interact') return { model, store: false, input: turns.map(stepOf) };
    const roles: Record<string, string> = { user: 'user', assistant: 'model' };
    return { contents: turns.map(({ role, content }) => ({ role: roles[role], parts: [{ text: content }] })) };
  };
  const stepOf = ({ role, content }: { role: string; content: string }) => ({
    type: role === 'user' ? 'user_input' : 'model_output',
    content: [{ type: 'text', text: content }],
  });
  const apis: SpokenApi[] = ['messages', 'responses', 'generateContent', 'interact'];

  test.each(apis)('in %s arrives whole and in order', async (api) => {
    // A step has more values than a message.
    const count = api === 'interact' ? 9_000 : 10_000;
    expect((await ask(api, gpt, bodyOf(api, gpt, count))).status).toBe(200);
    const [{ body = '', bodyBytes = 0 } = {}] = bench.simulator.requests;
    const turns = JSON.stringify(turnsOf(count));
    // Of a large body only the beginning is recorded.
    expect(body).toContain(turns.slice(0, 50_000));
    expect(bodyBytes).toBeGreaterThan(turns.length);
    expect(bodyBytes).toBeLessThan(turns.length + 100);
  });

  test.each(apis)('in %s is refused with more values than a request may have', async (api) => {
    const { error } = await ask(api, gpt, bodyOf(api, gpt, 30_000));
    expect(error).toMatchObject({ status: 413, code: 'request_too_large' });
    expect(bench.simulator.requests).toEqual([]);
  });
});
