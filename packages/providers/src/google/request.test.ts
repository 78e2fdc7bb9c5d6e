import type { Offer } from '@switchyard/contracts';
import type { ChatMessage, ChatRequest } from '@switchyard/wire';
import { describe, expect, test } from 'vitest';
import { callOf, vendorOffer } from '../testing/translate.ts';
import type { ChatCall } from '../provider.ts';
import { google } from './chat.ts';

const third = 'gemini-3-pro-preview';
const flash3 = 'gemini-3.5-flash';
const second = 'gemini-2.5-flash';
const old = 'gemini-2.0-flash';

const bodyOf = (call: ChatCall, modelName: string, offer: Partial<Offer> = {}) =>
  JSON.parse(google.request(call, vendorOffer(google, { modelName, ...offer })).body);
const sent = (request: Partial<ChatRequest>, modelName = flash3, offer: Partial<Offer> = {}) =>
  bodyOf(callOf(request, false), modelName, offer);

const user = (...parts: unknown[]) => ({ role: 'user', parts });

test('the model and the way of answering stand in the path', () => {
  const pathOf = (stream: boolean) =>
    google.request(callOf({}, stream), vendorOffer(google, { modelName: 'a/b' })).path;
  expect([pathOf(false), pathOf(true)]).toEqual([
    '/models/a%2Fb:generateContent',
    '/models/a%2Fb:streamGenerateContent?alt=sse',
  ]);
});

describe('thinking', () => {
  const level = (thinkingLevel: string, includeThoughts = true) => ({ includeThoughts, thinkingLevel });
  const budget = (thinkingBudget: number, includeThoughts = true) => ({ includeThoughts, thinkingBudget });

  test.each<[string, string, Partial<ChatRequest>, unknown]>([
    ['nothing wished', flash3, {}, undefined],
    ['none', flash3, { reasoning_effort: 'none' }, level('MINIMAL', false)],
    ['none where there is always some', third, { reasoning_effort: 'none' }, level('LOW', false)],
    ['minimal', flash3, { reasoning_effort: 'minimal' }, level('MINIMAL')],
    ['medium', flash3, { reasoning_effort: 'medium' }, level('MEDIUM')],
    ['medium where there is none', third, { reasoning_effort: 'medium' }, level('HIGH')],
    ['medium of later pro models', 'gemini-3.1-pro-preview', { reasoning_effort: 'medium' }, level('MEDIUM')],
    ['max', flash3, { reasoning_effort: 'max' }, level('HIGH')],
    ['tokens are worth an effort', flash3, { reasoning: { max_tokens: 3_000 } }, level('MEDIUM')],
    ['a budget: none', second, { reasoning_effort: 'none' }, budget(0, false)],
    ['a budget: none where there is always some', 'gemini-2.5-pro', { reasoning_effort: 'none' }, budget(128, false)],
    ['a budget: low', second, { reasoning_effort: 'low' }, budget(1_024)],
    ['a budget of the client', second, { reasoning: { max_tokens: 5_000 } }, budget(5_000)],
    ['never more than the most', second, { reasoning: { max_tokens: 24_577 } }, budget(24_576)],
    ['models that do not think', old, { reasoning_effort: 'high' }, undefined],
  ])('%s', (_name, model, request, thinking) => {
    expect(sent(request, model).generationConfig?.thinkingConfig).toEqual(thinking);
  });
});

describe('signatures', () => {
  const call = (id: string, signature?: string) => ({
    id,
    type: 'function' as const,
    function: { name: id, arguments: '{}' },
    ...(signature && { extra_content: { google: { thought_signature: signature } } }),
  });
  const step = (...calls: ReturnType<typeof call>[]): ChatMessage[] => [
    { role: 'assistant', content: null, tool_calls: calls },
    ...calls.map(({ id }) => ({ role: 'tool' as const, tool_call_id: id, content: '{"ok":true}' })),
  ];
  const question: ChatMessage = { role: 'user', content: 'x' };
  const lost = 'skip_thought_signature_validator';

  const signaturesOf = (messages: ChatMessage[], kept: [string, string][] = [], model = third): unknown[] =>
    bodyOf({ ...callOf({ messages }, false), signatures: new Map(kept) }, model)
      .contents.filter(({ role }: { role: string }) => role === 'model')
      .map(({ parts }: { parts: { thoughtSignature?: string }[] }) =>
        parts.map(({ thoughtSignature = '-' }) => thoughtSignature).join(' '),
      );

  test.each<[string, ChatMessage[], [string, string][], string, string[]]>([
    ['as the client sent them', [question, ...step(call('a', 's'), call('b'))], [], third, ['s -']],
    ['as they were kept', [question, ...step(call('a'), call('b'))], [['a', 'k']], third, ['k -']],
    ['the client knows better', [question, ...step(call('a', 's'))], [['a', 'k']], third, ['s']],
    ['lost', [question, ...step(call('a'), call('b'))], [], third, [`${lost} -`]],
    ['lost in one step', [question, ...step(call('a', 's')), ...step(call('b'))], [], third, ['s', lost]],
    [
      'not asked for in older turns',
      [question, ...step(call('a')), question, ...step(call('b', 's'))],
      [],
      third,
      ['-', 's'],
    ],
    ['not asked for by older models', [question, ...step(call('a'))], [], second, ['-']],
    ['welcome there all the same', [question, ...step(call('a'))], [['a', 'k']], second, ['k']],
  ])('%s', (_name, messages, kept, model, expected) => {
    expect(signaturesOf(messages, kept, model)).toEqual(expected);
  });

  test('those missing are asked for, one for each step of the turn', () => {
    const messages = [question, ...step(call('a')), question, ...step(call('b'), call('c')), ...step(call('d', 's'))];
    expect(google.callSignatures?.missingIn({ model: 'm', messages })).toEqual(['b']);
    expect(google.callSignatures?.missingIn({ model: 'm', messages: [question] })).toEqual([]);
  });

  test('texts and images have theirs', () => {
    const url = 'data:image/png;base64,AA==';
    const messages: ChatMessage[] = [
      question,
      {
        role: 'assistant',
        content: 'Here.',
        images: [{ type: 'image_url', image_url: { url }, extra_content: { google: { thought_signature: 'i' } } }],
        reasoning_details: [
          { type: 'reasoning.encrypted', data: 't', format: 'google-gemini-v1', index: 0 },
          { type: 'reasoning.text', text: 'x', signature: 'y', format: 'anthropic-claude-v1', index: 0 },
        ],
      },
      question,
    ];
    expect(sent({ messages }).contents[1]).toEqual({
      role: 'model',
      parts: [
        { text: 'Here.', thoughtSignature: 't' },
        { inlineData: { mimeType: 'image/png', data: 'AA==' }, thoughtSignature: 'i' },
      ],
    });
  });

  test('a result that is an object stays one', () => {
    const [, , results] = sent({ messages: [question, ...step(call('a'))] }).contents;
    expect(results).toEqual(user({ functionResponse: { name: 'a', response: { ok: true } } }));
  });

  test('a result that only begins like one is text', () => {
    const messages: ChatMessage[] = [
      question,
      { role: 'assistant', tool_calls: [call('a')] },
      { role: 'tool', tool_call_id: 'a', content: '{not json' },
    ];
    expect(sent({ messages }).contents[2].parts[0].functionResponse.response).toEqual({ result: '{not json' });
  });
});

describe('parts', () => {
  type Part = Exclude<Extract<ChatMessage, { role: 'user' }>['content'], string>[number];
  const partOf = (part: Part) => sent({ messages: [{ role: 'user', content: [part] }] }).contents[0].parts[0];

  test.each<[string, Part, unknown]>([
    [
      'sound',
      { type: 'input_audio', input_audio: { data: 'AA==', format: 'mp3' } },
      { inlineData: { mimeType: 'audio/mp3', data: 'AA==' } },
    ],
    [
      'a document',
      { type: 'file', file: { file_data: 'data:application/pdf;base64,AA==' } },
      { inlineData: { mimeType: 'application/pdf', data: 'AA==' } },
    ],
    ['a file the vendor keeps', { type: 'file', file: { file_id: 'files/1' } }, { fileData: { fileUri: 'files/1' } }],
    [
      'an address of its own',
      { type: 'image_url', image_url: { url: 'gs://bucket/a.png' } },
      { fileData: { fileUri: 'gs://bucket/a.png' } },
    ],
  ])('%s', (_name, part, expected) => {
    expect(partOf(part)).toEqual(expected);
  });

  test.each<[string, Part]>([
    ['an image elsewhere', { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }],
    ['a file elsewhere', { type: 'file', file: { file_data: 'https://example.com/a.pdf' } }],
    ['a file without data', { type: 'file', file: { filename: 'a.pdf' } }],
  ])('%s is refused by its place', (_name, part) => {
    expect(() => partOf(part)).toThrow(
      expect.objectContaining({ code: 'unsupported_capability', param: 'messages[0].content[0]' }),
    );
  });
});

test('nothing but instructions is a question', () => {
  expect(sent({ messages: [{ role: 'system', content: 'Say hi.' }] })).toEqual({
    contents: [user({ text: 'Say hi.' })],
  });
});

test('models without instructions read them as what the user said', () => {
  const messages: ChatMessage[] = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Draw.' },
  ];
  expect(sent({ messages }, 'gemini-2.5-flash-image')).toEqual({
    contents: [user({ text: 'Be brief.' }, { text: 'Draw.' })],
    generationConfig: { responseModalities: ['TEXT', 'IMAGE'] },
  });
});

describe('pictures', () => {
  const pro = 'gemini-3-pro-image-preview';
  const flash = 'gemini-3.1-flash-image';

  test.each<[string, string, Partial<ChatRequest>, object]>([
    ['as the model likes', pro, {}, { responseModalities: ['TEXT', 'IMAGE'] }],
    ['alone', pro, { modalities: ['image'] }, { responseModalities: ['IMAGE'] }],
    [
      'of a ratio and a size',
      pro,
      { image_config: { aspect_ratio: '21:9', image_size: '4K' } },
      { responseModalities: ['TEXT', 'IMAGE'], imageConfig: { aspectRatio: '21:9', imageSize: '4K' } },
    ],
    [
      'of half a size',
      flash,
      { image_config: { aspect_ratio: '1:8', image_size: '0.5K' } },
      { responseModalities: ['TEXT', 'IMAGE'], imageConfig: { aspectRatio: '1:8', imageSize: '512' } },
    ],
  ])('%s', (_name, model, request, expected) => {
    expect(sent(request, model).generationConfig).toEqual(expected);
  });

  test.each<[string, Record<string, unknown>, string]>([
    [pro, { aspect_ratio: '1:8' }, 'image_config.aspect_ratio'],
    [pro, { image_size: '0.5K' }, 'image_config.image_size'],
    [pro, { image_size: '1k' }, 'image_config.image_size'],
    [pro, { n: 2 }, 'image_config.n'],
    ['gemini-2.5-flash-image', { image_size: '1K' }, 'image_config.image_size'],
  ])('%s knows no %j', (model, image_config, param) => {
    expect(() => sent({ image_config }, model)).toThrow(
      expect.objectContaining({ code: 'invalid_parameters', status: 400, param }),
    );
  });
});

describe('the rest', () => {
  test.each<[string, Partial<ChatRequest>, object]>([
    [
      'any JSON object',
      { response_format: { type: 'json_object' } },
      { generationConfig: { responseMimeType: 'application/json' } },
    ],
    ['a search', { web_search_options: {} }, { tools: [{ googleSearch: {} }] }],
    ['logprobs', { logprobs: true, top_logprobs: 3 }, { generationConfig: { responseLogprobs: true, logprobs: 3 } }],
    ['the tier', { service_tier: 'default' }, { serviceTier: 'standard' }],
    ['a tier unknown here', { service_tier: 'auto' }, {}],
    ['nulls', { temperature: null, stop: null, max_tokens: null, seed: null }, {}],
    ['top_k', { top_k: 5 }, { generationConfig: { topK: 5 } }],
    ['empty stops', { stop: ['', 'a'] }, { generationConfig: { stopSequences: ['a'] } }],
    ['n is several calls, a user is nobody’s business', { n: 3, user: 'u' }, {}],
  ])('%s', (_name, request, members) => {
    expect(sent(request)).toEqual({ contents: [user({ text: 'Hi' })], ...members });
  });

  test('never more tokens than there are', () => {
    expect(sent({ max_tokens: 9 }, flash3, { maxOutput: 8 }).generationConfig).toEqual({ maxOutputTokens: 8 });
  });

  test.each<[string, string, Partial<ChatRequest>]>([
    ['modalities', flash3, { modalities: ['text', 'image'] }],
    ['modalities', 'gemini-3-pro-image', { modalities: ['audio'] }],
    ['tools', flash3, { tools: [{ type: 'custom', custom: { name: 'c' } }] }],
  ])('%s excludes %s', (param, modelName, request) => {
    expect(google.unsupported?.(callOf(request), vendorOffer(google, { modelName }))).toBe(param);
    expect(() => sent(request, modelName)).toThrow(expect.objectContaining({ code: 'unsupported_capability', param }));
  });
});
