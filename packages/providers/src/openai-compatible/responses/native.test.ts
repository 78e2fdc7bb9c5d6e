import { GatewayError } from '@tallyport/contracts';
import type { Frame, NativeRequest } from '@tallyport/wire';
import { describe, expect, test } from 'vitest';
import { azure } from '../../azure/chat.ts';
import { openai } from '../../openai/chat.ts';
import { contextOf, vendorOffer } from '../../testing/translate.ts';

const format = openai.native?.['openai-responses'];
const requestOf = (json: string): NativeRequest => {
  const members = JSON.parse(json);
  const { model, max_output_tokens: limit } = members;
  return {
    dialect: 'openai-responses',
    body: Buffer.from(json),
    members,
    headers: {},
    model,
    limit,
    isUntranslatable: false,
  };
};
const reasoning = { modelName: 'gpt-5.1', reasoning: true, reasoningEfforts: ['low', 'high'] };
const sent = (json: string, { maxOutput, ...changes }: { maxOutput?: number; reasoning?: boolean } = {}) =>
  format
    ?.request({ ...requestOf(json), stream: true, maxOutput }, vendorOffer(openai, { ...reasoning, ...changes }))
    .body.toString();

test('only the model of a request changes', () => {
  const json = String.raw`{ "store" : false, "x":{"n":1.0,"big":12345678901234567890,"é":"\u00e9"}, "model" : "ours/gpt" }`;
  expect(format?.request({ ...requestOf(json), stream: false, maxOutput: 5 }, vendorOffer(openai, reasoning))).toEqual({
    method: 'POST',
    path: '/responses',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: Buffer.from(json.replace('ours/gpt', 'gpt-5.1')),
  });
});

test.each([
  [100, undefined, 100],
  [100, 100, 100],
  [101, 100, 100],
])('a limit of %d is lowered to what the offer writes (%s): %d', (limit, maxOutput, expected) => {
  const json = (most: number) => `{"model":"gpt-5.1","store":false,"max_output_tokens":${most}}`;
  expect(sent(json(limit), maxOutput === undefined ? {} : { maxOutput })).toBe(json(expected));
});

const sealed = '"reasoning.encrypted_content"';

test.each([
  ['{"model":"m"}', true, `{"store":false,"include":[${sealed}],"model":"gpt-5.1"}`],
  ['{"store":true,"model":"m"}', true, `{"include":[${sealed}],"store":false,"model":"gpt-5.1"}`],
  ['{"store":null,"include":null,"model":"m"}', true, `{"store":false,"include":[${sealed}],"model":"gpt-5.1"}`],
  ['{"include":["a"],"model":"m"}', true, `{"store":false,"include":["a",${sealed}],"model":"gpt-5.1"}`],
  [`{"include":[${sealed}],"model":"m"}`, true, `{"store":false,"include":[${sealed}],"model":"gpt-5.1"}`],
  ['{"model":"m"}', false, '{"store":false,"model":"gpt-5.1"}'],
])('the vendor stores nothing, and its reasoning can be sent again: %s', (json, reasons, expected) => {
  expect(sent(json, { reasoning: reasons })).toBe(expected);
});

test.each<[object, object, boolean]>([
  [{}, {}, true],
  [{ reasoning: { effort: 'low', summary: 'auto' } }, {}, true],
  [{ reasoning: { effort: 'minimal' } }, {}, false],
  [{ reasoning: { effort: 'minimal' } }, { reasoningEfforts: undefined }, true],
  [{ temperature: 1, top_p: 1 }, {}, true],
  [{ temperature: 0.5 }, {}, false],
  [{ top_p: 0.5 }, {}, false],
  [{ top_logprobs: 2 }, {}, false],
  [{ temperature: 0.5, reasoning: { effort: 'none' } }, { reasoningEfforts: ['none'] }, true],
  [{ text: { verbosity: 'low' } }, {}, true],
  [{ text: { verbosity: 'low' } }, { modelName: 'o3' }, false],
  [{ text: { verbosity: 'medium' } }, { modelName: 'o3' }, true],
  [{ reasoning: { effort: 'low' } }, { reasoning: false }, false],
  [{ reasoning: { summary: 'auto' } }, { reasoning: false }, false],
  [{ reasoning: { effort: null, summary: null } }, { reasoning: false }, true],
  [{ include: ['reasoning.encrypted_content'] }, { reasoning: false }, false],
  [{ include: ['web_search_call.results'], temperature: 0.5 }, { reasoning: false }, true],
  [{ text: { verbosity: 'low' } }, { reasoning: false }, false],
  [{ reasoning: 'nonsense', text: 1, include: {} }, {}, true],
])('%j fits %j: %s', (members, changes, fits) => {
  const request = requestOf(JSON.stringify({ model: 'm', ...members }));
  expect(format?.fits(request, vendorOffer(openai, { ...reasoning, ...changes }))).toBe(fits);
});

test.each<[number, string | undefined, boolean]>([
  [400, 'invalid_encrypted_content', true],
  [400, 'unknown_parameter', false],
  [404, undefined, true],
  [405, undefined, true],
  [404, 'model_not_found', false],
  [404, 'DeploymentNotFound', false],
  [500, undefined, false],
])('an error with status %s and code %s refuses only the form: %s', (status, code, expected) => {
  const error = openai.error(status, {}, { error: { message: 'No.', ...(code && { code }) } });
  expect(format?.isRefused?.(error)).toBe(expected);
  expect(format?.isRefused?.(new GatewayError('unavailable', 'x'))).toBe(false);
});

describe('a stream', () => {
  const frameOf = (type: string, members: object): Frame => ({
    event: type,
    id: undefined,
    data: Buffer.from(JSON.stringify({ type, ...members })),
  });
  const reader = () => {
    const translator = format?.reading?.stream?.(contextOf(openai));
    if (translator === undefined) throw new Error('OpenAI has no Responses.');
    return translator;
  };
  const usage = {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
    output_tokens: 7,
    output_tokens_details: { reasoning_tokens: 5 },
    total_tokens: 17,
  };
  const counted = {
    prompt_tokens: 10,
    prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
    completion_tokens: 7,
    completion_tokens_details: { reasoning_tokens: 5 },
    total_tokens: 17,
  };

  test.each<[string, object]>([
    ['response.output_text.delta', { content: 'Hi' }],
    ['response.refusal.delta', { refusal: 'Hi' }],
    ['response.reasoning_text.delta', { reasoning_content: 'Hi' }],
    ['response.reasoning_summary_text.delta', { reasoning_content: 'Hi' }],
    ['response.function_call_arguments.delta', { tool_calls: [{ index: 0, function: { arguments: 'Hi' } }] }],
    ['response.future_input.delta', { tool_calls: [{ index: 0, function: { arguments: 'Hi' } }] }],
  ])('%s has text that is counted', (type, delta) => {
    expect(reader().frame(frameOf(type, { delta: 'Hi' }))[0]?.choices).toMatchObject([{ delta }]);
  });

  test.each<[string, object, string]>([
    ['response.completed', { status: 'completed' }, 'stop'],
    ['response.incomplete', { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }, 'length'],
    [
      'response.incomplete',
      { status: 'incomplete', incomplete_details: { reason: 'content_filter' } },
      'content_filter',
    ],
  ])('%s is the end, with the usage', (type, response, finish) => {
    const translator = reader();
    expect(translator.frame(frameOf('response.future', { future: 1 }))).toEqual([]);
    expect(translator.done()).toBe(false);
    const chunks = translator.frame(frameOf(type, { response: { ...response, usage } }));
    expect(chunks.flatMap(({ choices }) => choices.map((choice) => choice.finish_reason))).toEqual([finish]);
    expect([translator.done(), translator.usage(), translator.end()]).toEqual([true, counted, []]);
    expect(translator.frame(frameOf('response.output_text.delta', { delta: 'late' }))).toEqual([]);
  });

  test.each<[object | null, object]>([
    [
      { code: 'rate_limit_exceeded', message: 'Slow.' },
      { domain: 'provider', provider: { id: 'openai', status: null, code: 'rate_limit_exceeded' } },
    ],
    [null, { code: 'upstream_error' }],
    [{ code: 'context_length_exceeded', message: 'Long.' }, { code: 'context_length_exceeded' }],
  ])('that failed with %j throws, and its usage is known', (error, expected) => {
    const translator = reader();
    expect(() => translator.frame(frameOf('response.failed', { response: { usage, error } }))).toThrow(
      expect.objectContaining(expected),
    );
    expect(translator.usage()).toEqual(counted);
  });

  test.each([{ code: 'server_error', message: 'Gone.', param: null }, { error: { message: 'Gone.' } }])(
    'an error event throws: %j',
    (members) => {
      expect(() => reader().frame(frameOf('error', members))).toThrow(/Gone\./);
    },
  );

  test('without its end is truncated', () => {
    const translator = reader();
    translator.frame(frameOf('response.output_text.done', { text: 'Hi' }));
    expect(() => translator.end()).toThrow(expect.objectContaining({ code: 'stream_truncated' }));
  });

  test('unreadable frames are skipped, and a number that is none leaves the usage unknown', () => {
    const translator = reader();
    translator.frame({ event: 'response.created', id: undefined, data: Buffer.from('{') });
    expect(translator.skipped()).toBe(1);
    translator.frame(frameOf('response.completed', { response: { usage: { input_tokens: -1, output_tokens: 2 } } }));
    expect(translator.usage()).toBeUndefined();
  });
});

describe('a whole answer', () => {
  const read = (body: unknown) => format?.reading?.response?.(body, contextOf(openai));

  test('is read for what was said and used', () => {
    const answer = read({
      id: 'resp_1',
      created_at: 1.5,
      model: 'gpt-5.1-2026',
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [
        { type: 'reasoning', summary: [{ text: 'Hm' }], content: [{ text: '.' }] },
        { type: 'message', content: [{ text: 'A' }, { text: 'B' }, { refusal: 'No' }, null] },
        { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
        { type: 'custom_tool_call', call_id: 'd', name: 'g', input: 'raw' },
        { type: 'future' },
        'nonsense',
      ],
      usage: { input_tokens: 1, output_tokens: 2 },
    });
    expect(answer).toEqual({
      id: 'resp_1',
      object: 'chat.completion',
      created: 1,
      model: 'gpt-5.1-2026',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: 'AB',
            refusal: 'No',
            reasoning_content: 'Hm.',
            tool_calls: [
              { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } },
              { id: 'd', type: 'function', function: { name: 'g', arguments: 'raw' } },
            ],
          },
          logprobs: null,
          finish_reason: 'length',
        },
      ],
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    });
  });

  test.each<[unknown]>([
    ['text'],
    [{}],
    [{ output: {} }],
    [{ output: [], status: 'failed', error: { code: 'server_error', message: 'Gone.' } }],
    [{ error: { message: 'Gone.' } }],
  ])('%j is a failure of the vendor', (body) => {
    expect(() => read(body)).toThrow(expect.objectContaining({ domain: 'provider' }));
  });
});

test('Azure has it under the names of deployments, and other hosts of the format do not', () => {
  expect(Object.keys(azure.native ?? {})).toEqual(['openai-responses']);
});
