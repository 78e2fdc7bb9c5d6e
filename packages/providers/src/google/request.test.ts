import type { Offer } from '@tallyport/contracts';
import type { ChatMessage, ChatRequest } from '@tallyport/wire';
import { describe, expect, test } from 'vitest';
import { placedSignatures } from '../spec/call-signatures.ts';
import { callOf, vendorOffer } from '../testing/translate.ts';
import type { ChatCall } from '../spec/provider.ts';
import { google } from './chat.ts';

const third = 'gemini-3-pro-preview';
const flash3 = 'gemini-3.5-flash';
const second = 'gemini-2.5-flash';
const old = 'gemini-2.0-flash';

const bodyOf = (call: ChatCall, modelName: string, offer: Partial<Offer> = {}) =>
  JSON.parse(google.request(call, vendorOffer(google, { modelName, ...offer })).body);
const sent = (request: Partial<ChatRequest>, modelName = flash3, offer: Partial<Offer> = {}) =>
  bodyOf(callOf(request, false), modelName, offer);

const json = { type: 'json_object' as const };
const tool = { type: 'function' as const, function: { name: 'f' } };
const custom = { type: 'custom' as const, custom: { name: 'c' } };
const user = (...parts: unknown[]) => ({ role: 'user', parts });

test('sends the model and the method in the path', () => {
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
    ['not requested', flash3, {}, undefined],
    ['none', flash3, { reasoning_effort: 'none' }, level('MINIMAL', false)],
    ['none, on a model that always thinks', third, { reasoning_effort: 'none' }, level('LOW', false)],
    ['minimal', flash3, { reasoning_effort: 'minimal' }, level('MINIMAL')],
    ['medium', flash3, { reasoning_effort: 'medium' }, level('MEDIUM')],
    ['medium, on a model without it', third, { reasoning_effort: 'medium' }, level('HIGH')],
    ['medium, on later pro models', 'gemini-3.1-pro-preview', { reasoning_effort: 'medium' }, level('MEDIUM')],
    ['minimal, on the next generation', 'gemini-4-argon', { reasoning_effort: 'minimal' }, level('LOW')],
    ['medium, on Gemma', 'gemma-4-31b-it', { reasoning_effort: 'medium' }, level('HIGH')],
    ['medium, as a budget', 'gemini-2.5-computer-use-preview-10-2025', { reasoning_effort: 'medium' }, budget(8_192)],
    ['max', flash3, { reasoning_effort: 'max' }, level('HIGH')],
    ['xhigh', 'gemini-4-hydrogen', { reasoning_effort: 'xhigh' }, level('XHIGH')],
    ['max, with extra high as the highest', 'gemini-4-hydrogen', { reasoning_effort: 'max' }, level('XHIGH')],
    ['minimal, on later flash models', 'gemini-3.8-flash', { reasoning_effort: 'minimal' }, level('LOW')],
    ['a token budget, as a level', flash3, { reasoning: { max_tokens: 3_000 } }, level('MEDIUM')],
    ['a budget: none', second, { reasoning_effort: 'none' }, budget(0, false)],
    [
      'a budget: none, on a model that always thinks',
      'gemini-2.5-pro',
      { reasoning_effort: 'none' },
      budget(128, false),
    ],
    ['a budget: low', second, { reasoning_effort: 'low' }, budget(1_024)],
    ['the client’s budget', second, { reasoning: { max_tokens: 5_000 } }, budget(5_000)],
    ['at most the maximum budget', second, { reasoning: { max_tokens: 24_577 } }, budget(24_576)],
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
    bodyOf(
      {
        ...callOf({ messages }, false),
        signatures: placedSignatures(kept.map(([name, signature]) => ({ place: 1, name, signature }))),
      },
      model,
    )
      .contents.filter(({ role }: { role: string }) => role === 'model')
      .map(({ parts }: { parts: { thoughtSignature?: string }[] }) =>
        parts.map(({ thoughtSignature = '-' }) => thoughtSignature).join(' '),
      );

  test.each<[string, ChatMessage[], [string, string][], string, string[]]>([
    ['are sent as the client sent them', [question, ...step(call('a', 's'), call('b'))], [], third, ['s -']],
    ['are added from memory', [question, ...step(call('a'), call('b'))], [['a', 'k']], third, ['k -']],
    ['prefer the client’s value', [question, ...step(call('a', 's'))], [['a', 'k']], third, ['s']],
    ['are replaced if lost', [question, ...step(call('a'), call('b'))], [], third, [`${lost} -`]],
    [
      'are replaced if lost in one step',
      [question, ...step(call('a', 's')), ...step(call('b'))],
      [],
      third,
      ['s', lost],
    ],
    [
      'are not required in older turns',
      [question, ...step(call('a')), { role: 'assistant', content: 'x' }, question, ...step(call('b', 's'))],
      [],
      third,
      ['-', '-', 's'],
    ],
    ['are not required by older models', [question, ...step(call('a'))], [], second, ['-']],
    ['are sent to older models if known', [question, ...step(call('a'))], [['a', 'k']], second, ['k']],
  ])('%s', (_name, messages, kept, model, expected) => {
    expect(signaturesOf(messages, kept, model)).toEqual(expected);
  });

  const missingIn = (messages: ChatMessage[], modelName = third) =>
    google.callSignatures?.missingIn({ model: 'm', messages }, vendorOffer(google, { modelName }));

  test('reports missing ones, one for each step', () => {
    const messages = [question, ...step(call('a')), question, ...step(call('b'), call('c')), ...step(call('d', 's'))];
    const placed = [
      { place: 1, name: 'a' },
      { place: 4, name: 'b' },
    ];
    expect(missingIn(messages)).toEqual(placed);
    expect(missingIn([question])).toEqual([]);
    expect(missingIn(messages, second)).toEqual(placed);
    expect(missingIn(messages, 'gemini-2.0-flash')).toEqual([]);
  });

  test('are required behind results with a text beside them', () => {
    expect(signaturesOf([question, ...step(call('a')), question], [], third)).toEqual([lost]);
  });

  test('are sent with texts and images', () => {
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

  test('keeps a result that is an object', () => {
    const [, , results] = sent({ messages: [question, ...step(call('a'))] }).contents;
    expect(results).toEqual(user({ functionResponse: { name: 'a', response: { ok: true } } }));
  });

  test('puts the texts of a result on lines of their own', () => {
    const parts = ['{"id":1}', '', '{"id":2}'].map((text) => ({ type: 'text' as const, text }));
    const messages: ChatMessage[] = [
      question,
      { role: 'assistant', tool_calls: [call('a')] },
      { role: 'tool', tool_call_id: 'a', content: parts },
    ];
    expect(sent({ messages }).contents[2].parts[0].functionResponse.response).toEqual({
      result: '{"id":1}\n{"id":2}',
    });
  });

  test('treats a result that only looks like JSON as text', () => {
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
    ['a file id', { type: 'file', file: { file_id: 'files/1' } }, { fileData: { fileUri: 'files/1' } }],
    [
      'an address of the vendor',
      { type: 'image_url', image_url: { url: 'gs://bucket/a.png' } },
      { fileData: { fileUri: 'gs://bucket/a.png' } },
    ],
  ])('%s', (_name, part, expected) => {
    expect(partOf(part)).toEqual(expected);
  });

  test.each<[string, Part]>([
    ['an image URL', { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }],
    ['a file without data', { type: 'file', file: { filename: 'a.pdf' } }],
  ])('refuses %s and names its path', (_name, part) => {
    expect(() => partOf(part)).toThrow(
      expect.objectContaining({ code: 'unsupported_capability', param: 'messages[0].content[0]' }),
    );
  });
});

test('sends instructions alone as a user message', () => {
  expect(sent({ messages: [{ role: 'system', content: 'Say hi.' }] })).toEqual({
    contents: [user({ text: 'Say hi.' })],
  });
});

test('sends instructions as a user message to models without system instructions', () => {
  const messages: ChatMessage[] = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Draw.' },
  ];
  expect(sent({ messages }, 'gemini-2.5-flash-image')).toEqual({
    contents: [user({ text: 'Be brief.' }, { text: 'Draw.' })],
    generationConfig: { responseModalities: ['TEXT', 'IMAGE'] },
  });
});

describe('images', () => {
  const pro = 'gemini-3-pro-image-preview';
  const flash = 'gemini-3.1-flash-image';

  test.each<[string, string, Partial<ChatRequest>, object]>([
    ['without settings', pro, {}, { responseModalities: ['TEXT', 'IMAGE'] }],
    ['alone', pro, { modalities: ['image'] }, { responseModalities: ['IMAGE'] }],
    [
      'with a ratio and a size',
      pro,
      { image_config: { aspect_ratio: '21:9', image_size: '4K' } },
      { responseModalities: ['TEXT', 'IMAGE'], imageConfig: { aspectRatio: '21:9', imageSize: '4K' } },
    ],
    [
      'with half a size',
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
  ])('%s refuses %j', (model, image_config, param) => {
    expect(() => sent({ image_config }, model)).toThrow(
      expect.objectContaining({ code: 'invalid_parameters', status: 400, param }),
    );
  });
});

describe('other members', () => {
  test.each<[string, Partial<ChatRequest>, object]>([
    [
      'any JSON object',
      { response_format: { type: 'json_object' } },
      { generationConfig: { responseMimeType: 'application/json' } },
    ],
    ['a search', { web_search_options: {} }, { tools: [{ googleSearch: {} }] }],
    ['logprobs', { logprobs: true, top_logprobs: 3 }, { generationConfig: { responseLogprobs: true, logprobs: 3 } }],
    ['the tier', { service_tier: 'default' }, { serviceTier: 'standard' }],
    ['an unknown service tier', { service_tier: 'auto' }, {}],
    ['nulls', { temperature: null, stop: null, max_tokens: null, seed: null }, {}],
    ['top_k', { top_k: 5 }, { generationConfig: { topK: 5 } }],
    ['empty stops', { stop: ['', 'a'] }, { generationConfig: { stopSequences: ['a'] } }],
    ['n and user, which are not sent', { n: 3, user: 'u' }, {}],
  ])('%s', (_name, request, members) => {
    expect(sent(request)).toEqual({ contents: [user({ text: 'Hi' })], ...members });
  });

  test('caps max tokens at the model’s maximum', () => {
    expect(sent({ max_tokens: 9 }, flash3, { maxOutput: 8 }).generationConfig).toEqual({ maxOutputTokens: 8 });
  });

  test('refuses custom tools and names their path', () => {
    expect(google.unsupported?.(callOf({ tools: [custom] }), vendorOffer(google))).toBe('tools');
    expect(() => sent({ tools: [custom] })).toThrow(
      expect.objectContaining({ code: 'unsupported_capability', param: 'tools' }),
    );
  });

  test.each<[string, string, Partial<ChatRequest>]>([
    ['tools with tool_choice none', second, { tools: [tool], tool_choice: 'none', response_format: json }],
    ['an empty list of tools', second, { tools: [], response_format: json }],
  ])('accepts JSON output with %s', (_name, modelName, request) => {
    expect(sent(request, modelName)).toEqual({
      contents: [user({ text: 'Hi' })],
      generationConfig: { responseMimeType: 'application/json' },
    });
  });

  test('accepts a schema with alternatives at the top level', () => {
    const parameters = { anyOf: [{ type: 'object', properties: { a: { type: 'string' } } }] };
    expect(sent({ tools: [{ ...tool, function: { name: 'f', parameters } }] }).tools).toEqual([
      { functionDeclarations: [{ name: 'f', parametersJsonSchema: parameters }] },
    ]);
  });

  test.each([
    [flash3, 'VALIDATED'],
    [second, 'VALIDATED'],
    [old, 'AUTO'],
  ])('%s validates calls against their schemas if it can', (modelName, mode) => {
    expect(sent({ tools: [tool], tool_choice: 'validated' }, modelName).toolConfig).toEqual({
      functionCallingConfig: { mode },
    });
  });

  test('combines tools and JSON output on newer models', () => {
    expect(sent({ tools: [tool], response_format: json })).toEqual({
      contents: [user({ text: 'Hi' })],
      tools: [{ functionDeclarations: [{ name: 'f' }] }],
      generationConfig: { responseMimeType: 'application/json' },
    });
  });

  test.each([
    [flash3, undefined],
    [second, undefined],
    ['gemini-3-pro-image', { responseModalities: ['TEXT', 'IMAGE'] }],
    [old, { presencePenalty: 1, frequencyPenalty: 0 }],
  ])('penalties of %s', (modelName, expected) => {
    expect(sent({ presence_penalty: 1, frequency_penalty: 0 }, modelName).generationConfig).toEqual(expected);
  });

  test('sends at most five stop texts', () => {
    const stop = ['1', '2', '3', '4', '5'];
    expect(sent({ stop: [...stop, ''] }).generationConfig).toEqual({ stopSequences: stop });
  });

  test.each<[string, string, Partial<ChatRequest>]>([
    ['modalities', flash3, { modalities: ['text', 'image'] }],
    ['modalities', 'gemini-3-pro-image', { modalities: ['audio'] }],
    ['response_format', second, { tools: [tool], response_format: { type: 'json_object' } }],
    ['response_format', old, { tools: [tool], response_format: { type: 'json_schema', json_schema: { name: 'j' } } }],
    ['web_search_options', flash3, { tools: [tool], web_search_options: {} }],
    ['stop', flash3, { stop: ['1', '2', '3', '4', '5', '6'] }],
  ])('%s excludes %s', (param, modelName, request) => {
    expect(google.unsupported?.(callOf(request), vendorOffer(google, { modelName }))).toBe(param);
    expect(() => sent(request, modelName)).toThrow(expect.objectContaining({ code: 'unsupported_capability', param }));
  });
});
