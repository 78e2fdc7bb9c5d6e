import Anthropic from '@anthropic-ai/sdk';
import { type Dialect, geminiDialect, messagesDialect, openAiResponses } from '@tallyport/dialects';
import type { ChatCompletion, CompletionMessage } from '@tallyport/wire';
import { describe, expect, test } from 'vitest';
import { chunksOf } from './chunks-of.ts';

const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };

const completionWith = (message: Partial<CompletionMessage>): ChatCompletion => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'a/b',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: null, refusal: null, ...message },
      logprobs: null,
      finish_reason: message.tool_calls === undefined ? 'stop' : 'tool_calls',
    },
  ],
  usage,
});

const long = 'Two and two are four. '.repeat(9);
const claude = { format: 'anthropic-claude-v1' };
const thought = (index: number, text: string) => ({
  type: 'reasoning.text',
  text,
  signature: `c2ln${index}`,
  index,
  ...claude,
});
const hidden = { type: 'reasoning.encrypted', data: 'aGlk', index: 1, ...claude };
const google = { type: 'reasoning.encrypted', data: 'dGV4dA==', format: 'google-gemini-v1', index: 0 };
const citation = (url: string) => ({
  type: 'url_citation' as const,
  url_citation: { start_index: 0, end_index: 3, title: 'A', url },
});
const call = (id: string, input: string) => ({
  id,
  type: 'function' as const,
  function: { name: 'weather', arguments: input },
});

const answers: [string, ChatCompletion][] = [
  ['text', completionWith({ content: long })],
  ['thinking without signature', completionWith({ content: 'Four.', reasoning_content: long })],
  [
    'signed thinking and citations',
    completionWith({
      content: long,
      reasoning_content: long,
      reasoning_details: [thought(0, long)],
      annotations: [citation('https://a.example'), citation('https://b.example')],
    }),
  ],
  [
    'several thoughts, one of them hidden, and calls',
    completionWith({
      reasoning_content: 'First.Second.',
      reasoning_details: [thought(0, 'First.'), hidden, thought(2, 'Second.')],
      tool_calls: [call('a', '{}'), call('b', '{"city":"Rome"}'), call('c', '{}')],
    }),
  ],
  [
    'thinking whose signature has no text',
    completionWith({
      content: 'Four.',
      reasoning_content: long,
      reasoning_details: [{ type: 'reasoning.text', signature: 'c2ln', index: 0, ...claude }],
    }),
  ],
  ['hidden thinking alone', completionWith({ content: 'Four.', reasoning_details: [hidden] })],
  [
    'the signature of another vendor',
    completionWith({ content: 'Four.', reasoning_content: 'Hm.', reasoning_details: [google] }),
  ],
  [
    'texts and calls in turn',
    completionWith({
      content: 'First this. Then that.',
      tool_calls: [call('a', '{"city":"Rome"}'), call('b', '{}')],
      content_order: [
        { type: 'text', length: 11, annotations: 0 },
        { type: 'tool_call', index: 0 },
        { type: 'text', length: 11, annotations: 0 },
        { type: 'tool_call', index: 1 },
      ],
    }),
  ],
  [
    'an image between texts and a call',
    completionWith({
      content: 'First this. Then that.',
      images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,aGlk' } }],
      tool_calls: [call('a', '{"city":"Rome"}'), call('b', '{}')],
      content_order: [
        { type: 'text', length: 11, annotations: 0 },
        { type: 'tool_call', index: 0 },
        { type: 'text', length: 11, annotations: 0 },
        { type: 'tool_call', index: 1 },
      ],
    }),
  ],
  ['a text that ends in a refusal', completionWith({ content: 'Well.', refusal: 'No.' })],
  ['a refusal', completionWith({ refusal: 'No.' })],
];

/** The same request is read anew each time, so that both answers get the same ids. */
function callOf(dialect: Dialect, body: object) {
  let ids = 0;
  return dialect.read({
    bytes: Buffer.from(JSON.stringify(body)),
    body,
    path: '/v1beta/models/m:generateContent',
    query: new URLSearchParams(),
    headers: {},
    now: () => 1_700_000_000,
    newId: () => String(++ids).padStart(32, '0'),
  });
}

function eventsOf(dialect: Dialect, body: object, completion: ChatCompletion) {
  const stream = callOf(dialect, body).stream(() => 0);
  const { choices: _choices, ...head } = completion;
  const last = { ...head, object: 'chat.completion.chunk' as const, choices: [] };
  return [...[...chunksOf(completion), last].flatMap((chunk) => stream.chunk(chunk)), ...stream.end()];
}

const plain = (dialect: Dialect, body: object, completion: ChatCompletion): unknown =>
  JSON.parse(JSON.stringify(callOf(dialect, body).answer(completion)));

const logprobs = { content: [{ token: 'Two', logprob: -0.1, bytes: null, top_logprobs: [] }], refusal: null };

test.each<[string, Partial<CompletionMessage>]>([
  ['of a refusal', { refusal: 'No.' }],
  ['of calls', { tool_calls: [call('a', '{}')] }],
  [
    'of texts and calls in turn',
    {
      content: 'First this. Then that.',
      tool_calls: [call('a', '{}')],
      content_order: [
        { type: 'text', length: 11, annotations: 0 },
        { type: 'tool_call', index: 0 },
        { type: 'text', length: 11, annotations: 0 },
      ],
    },
  ],
])('log probabilities %s are streamed once', (_name, message) => {
  const { choices, ...head } = completionWith(message);
  const completion = { ...head, choices: choices.map((choice) => ({ ...choice, logprobs })) };
  const streamed = [...chunksOf(completion)].flatMap((chunk) =>
    chunk.choices.flatMap((choice) => choice.logprobs ?? []),
  );
  expect(streamed).toEqual([logprobs]);
});

describe.each(answers)('a stream from the cache amounts to the plain answer: %s', (_, completion) => {
  test('in the Messages API', async () => {
    const body = { model: 'm', max_tokens: 10, messages: [{ role: 'user' as const, content: 'Hi' }] };
    const events = eventsOf(messagesDialect, body, completion);
    const sse = events.map(({ event, data }) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join('');
    const headers = { 'content-type': 'text/event-stream' };
    const client = new Anthropic({
      apiKey: 'key',
      maxRetries: 0,
      fetch: () => Promise.resolve(new Response(sse, { headers })),
    });
    const { content, stop_reason } = await client.messages.stream(body).finalMessage();
    expect(JSON.parse(JSON.stringify({ content, stop_reason }))).toEqual(
      pick(plain(messagesDialect, body, completion), ['content', 'stop_reason']),
    );
  });

  test('in the Responses API', () => {
    const body = { model: 'm', input: 'Hi' };
    const last = eventsOf(openAiResponses, body, completion).at(-1);
    expect(JSON.parse(JSON.stringify(last?.data))).toMatchObject({
      response: plain(openAiResponses, body, completion),
    });
  });

  test('in the API of Gemini', () => {
    const body = {
      contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
      generationConfig: { thinkingConfig: { includeThoughts: true } },
    };
    const pieces = eventsOf(geminiDialect, body, completion).map(({ data }) => candidateIn(data));
    const whole = { ...pieces.at(-1), content: { role: 'model', parts: joined(pieces.flatMap(partsOf)) } };
    expect(whole).toEqual(candidateIn(plain(geminiDialect, body, completion)));
  });
});

const pick = (value: unknown, names: string[]): object =>
  Object.fromEntries(Object.entries(Object(value)).filter(([name]) => names.includes(name)));

interface Part {
  text?: string;
  thought?: boolean;
  thoughtSignature?: string;
}

interface Candidate {
  content: { parts: Part[] };
}

const candidateIn = (answer: unknown): Candidate => JSON.parse(JSON.stringify(Object(answer).candidates[0]));
const partsOf = ({ content }: Candidate): Part[] => content.parts;

/** Texts of one kind in a row are one text, unless they are signed. */
const joined = (parts: readonly Part[]): Part[] =>
  parts.reduce((all: Part[], part) => {
    const last = all.at(-1);
    const isSame = last?.text !== undefined && part.text !== undefined && last.thought === part.thought;
    if (!isSame || part.thoughtSignature !== undefined) return [...all, part];
    return [...all.slice(0, -1), { ...last, text: `${last.text}${part.text}` }];
  }, []);
