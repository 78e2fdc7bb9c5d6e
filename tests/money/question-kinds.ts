interface Asked {
  mark: string;
  stream: boolean;
  words?: number;
}

/** One way to ask: whom, for what, and how a complete answer ends. */
interface QuestionKind {
  path(stream: boolean): string;
  headers?: Readonly<Record<string, string>>;
  body(asked: Asked): object;
  /** Text in every complete answer, as a whole and as a stream. */
  ends: readonly [whole: string, stream: string];
}

const chatPath = '/v1/chat/completions';
const chatEnds = ['"finish_reason":"stop"', 'data: [DONE]'] as const;

const chat = (model: string, members: object = {}, wish = ''): QuestionKind => ({
  path: () => chatPath,
  body: ({ mark, stream, words }) => ({
    model,
    messages: [{ role: 'user', content: `${mark}${words === undefined ? '' : ` [words:${words}]`}${wish}` }],
    stream,
    ...(stream && { stream_options: { include_usage: true } }),
    ...members,
  }),
  ends: chatEnds,
});

const messages = (model: string, members: object | ((asked: Asked) => object), wish = ''): QuestionKind => ({
  path: () => '/v1/messages',
  headers: { 'anthropic-version': '2023-06-01', 'anthropic-beta': 'compact-2026-01-12,fast-mode-2026-02-01' },
  body: (asked) => ({
    model,
    max_tokens: 1_000,
    messages: [{ role: 'user', content: `${asked.mark}${wish}` }],
    stream: asked.stream,
    ...(typeof members === 'function' ? members(asked) : members),
  }),
  ends: ['"stop_reason":"end_turn"', 'event: message_stop'],
});

/** About 1,400 tokens. */
const longText = 'Everything that an assistant of this house has to know. '.repeat(100);
/** The first request with a prefix writes it, later ones read it. */
const forAnHour = (prefix: string): object => ({
  type: 'text',
  text: `${prefix}. ${longText}`,
  cache_control: { type: 'ephemeral', ttl: '1h' },
});
const claude = 'claude-sonnet-4-6';
const compactEarly = { type: 'compact_20260112', trigger: { type: 'input_tokens', value: 1_000 } };
const gpt = 'gpt-5.6-luna';
const gemini = 'gemini-3.5-flash';

const translatedCache = chat(claude);

const questionKinds = {
  chat: chat('sandbox-chat'),
  'in the flex tier': chat('sandbox-chat', { service_tier: 'flex' }),
  'in another tier than asked': chat('sandbox-chat', { service_tier: 'priority' }, ' [tier:default]'),
  'in the project’s tier': chat('sandbox-chat', { service_tier: 'auto' }, ' [tier:priority]'),
  'with an unknown class': chat('sandbox-chat', {}, ' [unknown-class]'),
  'with an hour’s cache': messages(claude, ({ stream }) => ({ system: [forAnHour(`native ${stream}`)] })),
  'with an hour’s cache, translated': {
    ...translatedCache,
    body: (asked) => {
      const body = translatedCache.body(asked) as { messages: object[] };
      return {
        ...body,
        messages: [{ role: 'system', content: [forAnHour(`translated ${asked.stream}`)] }, ...body.messages],
      };
    },
  },
  'with a compaction': messages(claude, { context_management: { edits: [compactEarly] }, system: longText }),
  'with searches': messages(claude, { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, ' [searches:2]'),
  'with searches, translated': chat(claude, { web_search_options: {} }, ' [searches:3]'),
  'in fast mode': messages('claude-opus-4-8', { speed: 'fast' }),
  'of GPT in the flex tier': chat(gpt, { service_tier: 'flex' }, ' [cached]'),
  'of GPT with a search': {
    path: () => '/v1/responses',
    body: ({ mark, stream }) => ({
      model: gpt,
      input: `Search the web. ${mark} [searches:2]`,
      tools: [{ type: 'web_search' }],
      service_tier: 'priority',
      stream,
    }),
    ends: ['"status":"completed"', 'event: response.completed'],
  },
  'of Gemini in the flex tier': {
    path: (stream) => `/v1beta/models/${gemini}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: ({ mark }) => ({
      contents: [{ role: 'user', parts: [{ text: `${mark} [searches:2]` }] }],
      tools: [{ googleSearch: {} }],
      serviceTier: 'flex',
    }),
    ends: ['"finishReason":"STOP"', '"finishReason":"STOP"'],
  },
  'of Gemini as an interaction': {
    path: () => '/v1beta/interactions',
    body: ({ mark, stream }) => ({
      model: gemini,
      input: `${mark} [searches:2]`,
      tools: [{ type: 'google_search' }, { type: 'url_context' }],
      generation_config: { thinking_level: 'low' },
      service_tier: 'flex',
      stream,
    }),
    ends: ['"status":"completed"', 'event: interaction.completed'],
  },
} satisfies Record<string, QuestionKind>;

export type KindName = keyof typeof questionKinds;

/** All but the ordinary chat. */
export const paidKinds = Object.keys(questionKinds).filter((name) => name !== 'chat') as KindName[];

/** Whether the answer has the format of chat completions, which includes a cost and our own errors. */
export const isChat = (kind: KindName | undefined): boolean => kindOf(kind).path(false) === chatPath;

export const kindOf = (kind: KindName = 'chat'): QuestionKind => questionKinds[kind];
