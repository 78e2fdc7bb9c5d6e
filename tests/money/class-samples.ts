import { expect } from 'vitest';

/** More than none; how many depends on the prompt. */
const anyCount = expect.any(Number);

type Api = 'chat' | 'messages' | 'responses' | 'gemini';

export interface Sample {
  api: Api;
  model: string;
  body: object;
  /** What the vendor bills besides input and output, by its names. */
  bills: Readonly<Record<string, number>>;
  /** The same in the record, by ours. */
  counts: Readonly<Record<string, number>>;
}

export const user = (text: string, more: object = {}) => ({ messages: [{ role: 'user', content: text }], ...more });
const prefix = (name: string, type: string, ttl?: string) => [
  { type, text: `${name} `.repeat(1_000).slice(0, 4_400), cache_control: { type: 'ephemeral', ...(ttl && { ttl }) } },
];
const compaction = {
  context_management: { edits: [{ type: 'compact_20260112', trigger: { type: 'input_tokens', value: 1_000 } }] },
};
export const claude = 'anthropic/claude-sonnet-4-6';
export const gpt = 'openai/gpt-5.6-luna';
export const gemini = 'google/gemini-3.6-flash';

/** As the vendor of Gemini and as OpenAI write a recording. */
const heard = (text: string) => ({
  contents: [{ role: 'user', parts: [{ text }, { inlineData: { mimeType: 'audio/mp3', data: 'AAAA' } }] }],
});
const recording = { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } };
const heardInChat = (text: string) => ({ messages: [{ role: 'user', content: [{ type: 'text', text }, recording] }] });

/** Requests by the class that their vendor bills, at the simulator. */
export const samples: Readonly<Record<string, Sample>> = {
  'a write of an hour': {
    api: 'messages',
    model: claude,
    body: { ...user('Hello.'), system: prefix('hour', 'text', '1h') },
    bills: { cache_write_1h: 1_100 },
    counts: { cacheWrite1h: 1_100, cacheWrite: 0 },
  },
  'a write of five minutes': {
    api: 'messages',
    model: claude,
    body: { ...user('Hello.'), system: prefix('minutes', 'text') },
    bills: { cache_write_5m: 1_100 },
    counts: { cacheWrite1h: 0, cacheWrite: 1_100 },
  },
  'a write of an hour, translated': {
    api: 'chat',
    model: claude,
    body: { messages: [{ role: 'user', content: prefix('translated', 'text', '1h') }] },
    bills: { cache_write_1h: 1_100 },
    counts: { cacheWrite1h: 1_100 },
  },
  'a write of an hour at Bedrock': {
    api: 'chat',
    model: 'aws-bedrock/claude-sonnet-4-6',
    body: { messages: [{ role: 'user', content: prefix('bedrock', 'text', '1h') }] },
    bills: { cache_write_1h: 1_100 },
    counts: { cacheWrite1h: 1_100 },
  },
  'a compaction': {
    api: 'messages',
    model: claude,
    body: { ...user('x'.repeat(4_000)), ...compaction },
    bills: { compaction_input: 1_000, compaction_output: 100 },
    counts: { compactionIn: 1_000, compactionOut: 100 },
  },
  'searches and fetches': {
    api: 'messages',
    model: claude,
    body: user('[searches:3]', {
      tools: [
        { type: 'web_search_20260318', name: 'web_search' },
        { type: 'web_fetch_20260318', name: 'web_fetch' },
      ],
    }),
    bills: { web_search: 3, web_fetch: 3 },
    counts: { webSearches: 3, webFetches: 3 },
  },
  'searches, translated': {
    api: 'chat',
    model: claude,
    body: user('[searches:2]', { web_search_options: {} }),
    bills: { web_search: 2 },
    counts: { webSearches: 2 },
  },
  'an advisor': {
    api: 'messages',
    model: claude,
    body: user('Hello.', { tools: [{ type: 'advisor_20260301', name: 'advisor', model: 'claude-opus-5-5' }] }),
    bills: { advisor_input: 200, advisor_output: 40 },
    counts: { advisorIn: 200, advisorOut: 40 },
  },
  'a write of 30 minutes': {
    api: 'responses',
    model: gpt,
    body: { input: 'Hello there, [cached]' },
    bills: { cache_write_30m: anyCount },
    counts: { cacheWrite30m: anyCount },
  },
  'a write of 12 hours': {
    api: 'responses',
    model: gpt,
    body: { input: 'Hello there, [cached]', prompt_cache_options: { ttl: '12h' } },
    bills: { cache_write_12h: anyCount },
    counts: { cacheWrite12h: anyCount },
  },
  'a write of 30 minutes in a chat': {
    api: 'chat',
    model: gpt,
    body: user('Hello there, [cached]'),
    bills: { cache_write_30m: anyCount },
    counts: { cacheWrite30m: anyCount },
  },
  'searches of a response': {
    api: 'responses',
    model: gpt,
    body: { input: 'Please search the web [searches:3]', tools: [{ type: 'web_search' }] },
    bills: { web_search: 3 },
    counts: { webSearches: 3 },
  },
  'an image of a response': {
    api: 'responses',
    model: gpt,
    body: { input: 'Please draw an image', tools: [{ type: 'image_generation' }] },
    bills: { image_gen_input: 20, image_gen_output: 272 },
    counts: { imageToolIn: 20, imageToolOut: 272 },
  },
  'searches and pages of Gemini': {
    api: 'gemini',
    model: gemini,
    body: {
      contents: [{ role: 'user', parts: [{ text: '[searches:2]' }] }],
      tools: [{ googleSearch: {} }, { urlContext: {} }],
    },
    bills: { grounding: 2, tool_prompt: 120 },
    counts: { groundingSearches: 2, toolPrompt: 120 },
  },
  'a chat of Azure in the priority tier': {
    api: 'chat',
    model: 'azure/gpt-5.2',
    body: user('Hello.', { service_tier: 'priority' }),
    bills: {},
    counts: {},
  },
  'a chat in the priority tier of a model with another factor': {
    api: 'chat',
    model: 'openai/gpt-5.5',
    body: user('Hello.', { service_tier: 'priority' }),
    bills: {},
    counts: {},
  },
  'a chat of the newest model': {
    api: 'responses',
    model: 'openai/gpt-6.2-astra',
    body: { input: 'Hello there, [cached]', service_tier: 'priority' },
    bills: { cache_read: anyCount, cache_write_30m: anyCount },
    counts: { cacheRead: anyCount, cacheWrite30m: anyCount },
  },
  "a chat with a vendor's key of its own at OpenRouter": {
    api: 'chat',
    model: 'openrouter/claude-opus-4-8',
    body: user('Hello. [byok]'),
    bills: {},
    counts: {},
  },
  'a chat of Grok': { api: 'chat', model: 'xai/grok-4.3', body: user('Hello.'), bills: {}, counts: {} },
  'a cached chat of Grok that thinks': {
    api: 'chat',
    model: 'xai/grok-4.3',
    body: user('Hello, [cached] [reasoning]'),
    bills: { cache_read: anyCount, reasoning: anyCount },
    counts: { cacheRead: anyCount, reasoning: anyCount },
  },
  'a chat of GPT at OpenRouter': {
    api: 'chat',
    model: 'openrouter/gpt-5.2',
    body: user('Hello, [cached]'),
    bills: { cache_read: anyCount },
    counts: { cacheRead: anyCount },
  },
  'a chat at OpenRouter': {
    api: 'chat',
    model: 'openrouter/claude-opus-4-8',
    body: user('Hello.'),
    bills: {},
    counts: {},
  },
  ...Object.fromEntries(
    ['2.5-flash', '2.5-flash-lite', '3-flash-preview', '3.1-flash-lite', '3.1-pro-preview'].flatMap((name) => {
      const model = `google/gemini-${name}`;
      const [bills, counts] = [{ audio_input: 85 }, { audioIn: 85, audioCacheRead: 0 }];
      return [
        [`a recording in a chat of ${name}`, { api: 'chat', model, body: heardInChat('Hello.'), bills, counts }],
        [`a recording for ${name}`, { api: 'gemini', model, body: heard('Hello.'), bills, counts }],
        [
          `a cached recording for ${name}`,
          {
            api: 'gemini',
            model,
            body: heard('Hello, [cached]'),
            bills: { audio_input: anyCount, audio_cache_read: anyCount },
            counts: { audioIn: anyCount, audioCacheRead: anyCount },
          },
        ],
      ] satisfies [string, Sample][];
    }),
  ),
};
