import { describe, expect, test } from 'vitest';
import { fold } from '../fold/fold.ts';
import { callOf, contextOf, feed, translate } from '../testing/translate.ts';
import { google } from './chat.ts';

const usage = { promptTokenCount: 4, candidatesTokenCount: 3, totalTokenCount: 7 };
const answer = (parts: unknown[] | undefined, rest: object = {}, body: object = {}) => ({
  candidates: [{ ...(parts && { content: { role: 'model', parts } }), index: 0, ...rest }],
  usageMetadata: usage,
  modelVersion: 'gemini-x',
  responseId: 'r',
  ...body,
});
const stopped = { finishReason: 'STOP' };
const bytes = (...bodies: unknown[]): Buffer[] =>
  bodies.map((body) => Buffer.from(`data: ${JSON.stringify(body)}\r\n\r\n`));

const whole = (body: unknown) => google.response(body, contextOf(google, callOf({}, false)));
const streamed = (...bodies: unknown[]) => fold(translate(google, bytes(...bodies)));

const head = { id: 'chatcmpl-ours', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'gemini-x' };
const says = (said: object) => ({ ...head, choices: [{ index: 0, delta: said, finish_reason: null }] });

test('translates a recorded stream with thinking, text and two calls, the first signed', () => {
  const kept: unknown[] = [];
  const keepSignature = (...received: unknown[]): void => void kept.push(received);
  const translator = google.stream({ ...contextOf(google), keepSignature });
  const chunks = feed(
    translator,
    bytes(
      answer([{ text: 'Hm', thought: true }]),
      answer([{ text: 'Let me see.' }]),
      answer([
        { functionCall: { name: 'get_weather', args: { city: 'Rome' } }, thoughtSignature: 'c2ln' },
        { functionCall: { name: 'get_time', id: 'own', args: {} } },
      ]),
      answer([{ text: '', thoughtSignature: 'dGV4dA==' }], stopped, {
        usageMetadata: { ...usage, thoughtsTokenCount: 5, cachedContentTokenCount: 2, toolUsePromptTokenCount: 1 },
      }),
    ),
    'sse',
  );
  const extra_content = { google: { thought_signature: 'c2ln' } };
  expect([...chunks, ...translator.end()]).toEqual([
    says({ role: 'assistant', content: '' }),
    says({ reasoning_content: 'Hm' }),
    says({ content: 'Let me see.' }),
    says({
      tool_calls: [
        {
          index: 0,
          id: 'call_ours_0_0',
          type: 'function',
          function: { name: 'get_weather', arguments: '{"city":"Rome"}' },
          extra_content,
        },
      ],
    }),
    says({ tool_calls: [{ index: 1, id: 'own', type: 'function', function: { name: 'get_time', arguments: '{}' } }] }),
    says({
      reasoning_details: [{ type: 'reasoning.encrypted', data: 'dGV4dA==', format: 'google-gemini-v1', index: 0 }],
    }),
    { ...head, choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
    {
      ...head,
      choices: [],
      usage: {
        prompt_tokens: 5,
        completion_tokens: 8,
        total_tokens: 13,
        prompt_tokens_details: { cached_tokens: 2, tool_prompt_tokens: 1 },
        completion_tokens_details: { reasoning_tokens: 5 },
      },
    },
  ]);
  expect(kept).toEqual([
    ['call_ours_0_0', 'c2ln'],
    [expect.stringMatching(/^text [\w-]{43}$/), 'dGV4dA=='],
  ]);
});

describe('partial arguments', () => {
  const part = (functionCall: object, rest: object = {}) => answer([{ functionCall }], rest);
  const value = (jsonPath: string, given: object) => ({ jsonPath, ...given });
  const more = { willContinue: true };
  const recorded = [
    answer([{ functionCall: { name: 'book', id: 'own', ...more }, thoughtSignature: 's' }]),
    part({ partialArgs: [value('$.city', { stringValue: 'Ro', ...more })], ...more }),
    part({ partialArgs: [value('$.city', { stringValue: 'me' }), value('$.nights', { numberValue: 2 })], ...more }),
    part({ partialArgs: [value("$.guests[0]['name']", { stringValue: 'Ann' })], ...more }),
    part({ partialArgs: [value('$.guests[0].child', { boolValue: false })], ...more }),
    part({ partialArgs: [value('$.guests[1].name', { nullValue: 'NULL_VALUE' })], ...more }),
    part({ partialArgs: [value('$.__proto__.x', { numberValue: 1 })], ...more }),
  ];
  const input = '{"city":"Rome","nights":2,"guests":[{"name":"Ann","child":false},{"name":null}],"__proto__":{"x":1}}';
  const book = { id: 'own', type: 'function', function: { name: 'book', arguments: input } };
  const extra_content = { google: { thought_signature: 's' } };

  test('form one call that an empty part closes', () => {
    const { choices } = streamed(...recorded, part({}, stopped));
    expect(choices[0]?.message.tool_calls).toEqual([{ ...book, extra_content }]);
    expect(choices[0]?.finish_reason).toBe('tool_calls');
  });

  test('keep the next call separate', () => {
    const { choices } = streamed(...recorded, part({}), part({ name: 'go', id: 'b', args: { x: 1 } }, stopped));
    expect(choices[0]?.message.tool_calls?.map(({ id }) => id)).toEqual(['own', 'b']);
  });

  test('are a fault if they never end, except at the token limit', () => {
    expect(() => streamed(...recorded, answer([], stopped))).toThrow(
      expect.objectContaining({ code: 'upstream_error', domain: 'provider' }),
    );
    const { choices } = streamed(answer([{ text: 'x' }]), ...recorded, answer([], { finishReason: 'MAX_TOKENS' }));
    expect([choices[0]?.message.tool_calls, choices[0]?.finish_reason]).toEqual([undefined, 'length']);
  });

  const deep = (steps: number) => {
    const parts = [value(`$${'.a'.repeat(steps)}`, { stringValue: 'deep' })];
    return streamed(part({ name: 'f', ...more }), part({ partialArgs: parts }, stopped));
  };

  test('allow paths of up to 64 segments', () => {
    expect(JSON.stringify(deep(64).choices[0]?.message.tool_calls)).toContain('deep');
    expect(() => deep(65)).toThrow(expect.objectContaining({ code: 'upstream_error', domain: 'provider' }));
  });
});

test('returns function_call to clients of the old form', () => {
  const call = callOf({ functions: [{ name: 'f' }] });
  const body = answer([{ functionCall: { name: 'f', args: { x: 1 } } }], stopped);
  const expected = {
    role: 'assistant',
    content: null,
    refusal: null,
    function_call: { name: 'f', arguments: '{"x":1}' },
  };
  for (const received of [google.response(body, contextOf(google, call)), fold(translate(google, bytes(body), call))]) {
    expect([received.choices[0]?.message, received.choices[0]?.finish_reason]).toEqual([expected, 'function_call']);
  }
});

test('makes duplicate call ids unique', () => {
  const part = { functionCall: { name: 'f', id: 'same' } };
  const calls = whole(answer([part, part], stopped)).choices[0]?.message.tool_calls;
  expect(calls?.map(({ id }) => id)).toEqual(['same', 'call_ours_0_1']);
});

test('returns images with the type of their bytes and leaves out drafts', () => {
  const draft = { inlineData: { mimeType: 'image/png', data: 'draft' }, thought: true };
  const picture = { inlineData: { mimeType: 'image/png', data: '/9j/AA==' }, thoughtSignature: 's' };
  expect(whole(answer([draft, { text: 'Here.' }, picture], stopped)).choices[0]?.message).toEqual({
    role: 'assistant',
    content: 'Here.',
    refusal: null,
    images: [
      {
        type: 'image_url',
        image_url: { url: 'data:image/jpeg;base64,/9j/AA==' },
        index: 0,
        extra_content: { google: { thought_signature: 's' } },
      },
    ],
  });
});

test('returns sources as annotations with positions in characters', () => {
  const groundingMetadata = {
    groundingChunks: [{ web: { uri: 'https://a.example', title: 'A' } }, { web: { uri: 'https://b.example' } }],
    groundingSupports: [
      { segment: { startIndex: 0, endIndex: 6, text: 'Grüß' }, groundingChunkIndices: [0] },
      { segment: { startIndex: 7, endIndex: 11 }, groundingChunkIndices: [1, 5] },
    ],
  };
  const citation = (start_index: number, end_index: number, title: string, url: string) => ({
    type: 'url_citation',
    url_citation: { start_index, end_index, title, url },
  });
  expect(
    whole(answer([{ text: 'Grüß Rom.' }], { ...stopped, groundingMetadata })).choices[0]?.message.annotations,
  ).toEqual([citation(0, 4, 'A', 'https://a.example'), citation(5, 9, 'https://b.example', 'https://b.example')]);
});

test('returns sources without a cited part, and citations', () => {
  const groundingMetadata = { groundingChunks: [{ web: { uri: 'https://a.example', title: 'A' } }] };
  const citationMetadata = { citationSources: [{ uri: 'https://c.example', startIndex: 1, endIndex: 2 }] };
  const { annotations } =
    whole(answer([{ text: 'Hello' }], { ...stopped, groundingMetadata, citationMetadata })).choices[0]?.message ?? {};
  expect(
    annotations?.map(({ url_citation: { start_index, end_index, url } }) => [start_index, end_index, url]),
  ).toEqual([
    [0, 0, 'https://a.example'],
    [1, 2, 'https://c.example'],
  ]);
});

test('reads logprobs', () => {
  const logprobsResult = {
    chosenCandidates: [{ token: 'é', tokenId: 1, logProbability: -0.5 }],
    topCandidates: [
      {
        candidates: [
          { token: 'é', logProbability: -0.5 },
          { token: 'e', logProbability: -2 },
        ],
      },
    ],
  };
  const body = answer([{ text: 'é' }], { ...stopped, logprobsResult });
  expect(whole(body).choices[0]?.logprobs).toEqual({
    content: [
      {
        token: 'é',
        logprob: -0.5,
        bytes: [195, 169],
        top_logprobs: [
          { token: 'é', logprob: -0.5, bytes: [195, 169] },
          { token: 'e', logprob: -2, bytes: [101] },
        ],
      },
    ],
    refusal: null,
  });
  expect(streamed(body)).toEqual(whole(body));
});

test.each([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'content_filter'],
  ['RECITATION', 'content_filter'],
  ['IMAGE_SAFETY', 'content_filter'],
  ['MODEL_ARMOR', 'content_filter'],
  ['MALFORMED_FUNCTION_CALL', 'stop'],
  ['SOMETHING_NEW', 'stop'],
])('%s is %s', (finishReason, expected) => {
  expect(whole(answer([{ text: 'x' }], { finishReason })).choices[0]?.finish_reason).toBe(expected);
});

test.each(['MALFORMED_FUNCTION_CALL', 'NO_IMAGE', 'OTHER'])('%s without content is a fault', (finishReason) => {
  expect(() => whole(answer(undefined, { finishReason }))).toThrow(
    expect.objectContaining({ code: 'upstream_error', domain: 'provider' }),
  );
});

test.each<[string, unknown, string | null]>([
  [
    'of itself',
    { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: usage },
    'The request was blocked: SAFETY.',
  ],
  ['with a reason', { promptFeedback: { blockReason: 'OTHER', blockReasonMessage: 'No.' } }, 'No.'],
])('a prompt that was blocked, %s, is a filtered answer', (_name, body, refusal) => {
  const { message, finish_reason } = whole(body).choices[0] ?? {};
  expect([message, finish_reason]).toEqual([{ role: 'assistant', content: null, refusal }, 'content_filter']);
  expect(streamed(body)).toEqual(whole(body));
});

describe('tolerates', () => {
  test.each<[string, unknown[]]>([
    ['content without parts', [answer([{ text: 'x' }]), { candidates: [{ content: {}, finishReason: 'STOP' }] }]],
    ['no content at the end', [answer([{ text: 'x' }]), answer(undefined, stopped)]],
    ['a finish reason in every chunk', [answer([{ text: 'x' }], stopped), answer([{ text: '' }], stopped)]],
    ['usage after the end', [answer([{ text: 'x' }], stopped), { usageMetadata: usage }]],
    ['unknown parts', [answer([{ executableCode: {} }, 'part', { text: 'x' }], stopped)]],
    ['a call closed by an empty one', [answer([{ text: 'x' }, { functionCall: {} }], stopped)]],
  ])('%s', (_name, bodies) => {
    const { choices, usage: received } = streamed(...bodies);
    expect([choices[0]?.message.content, choices[0]?.finish_reason, received?.total_tokens]).toEqual(['x', 'stop', 7]);
  });

  test('keeps text after a finish reason', () => {
    expect(
      streamed(answer([{ text: 'x' }], stopped), answer([{ text: 'y' }], stopped)).choices[0]?.message.content,
    ).toBe('xy');
  });

  test('fails for an answer with only usage', () => {
    expect(() => whole({ usageMetadata: usage })).toThrow(expect.objectContaining({ code: 'upstream_error' }));
    expect(() => streamed({ usageMetadata: usage })).toThrow(expect.objectContaining({ code: 'stream_truncated' }));
  });
});
