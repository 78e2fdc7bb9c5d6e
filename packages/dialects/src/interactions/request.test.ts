import { describe, expect, test } from 'vitest';
import { bodyOf, translatedOf } from './testing/request.ts';

const chatOf = (members?: object) => translatedOf(bodyOf(members));
const text = (said: string) => ({ type: 'text', text: said });
const asked = (...content: object[]) => ({ type: 'user_input', content });

test.each([
  ['a text', 'Hi'],
  ['a content', text('Hi')],
  ['a list of contents', [text('Hi')]],
  ['a list of steps', [asked(text('Hi'))]],
])('%s is a message of the user', (_name, input) => {
  expect(chatOf({ input })).toEqual({ model: 'gemini-3-pro', messages: [{ role: 'user', content: 'Hi' }] });
});

test('every member of a request is translated', () => {
  const chat = chatOf({
    system_instruction: 'Be brief.',
    stream: true,
    store: true,
    labels: { team: 'a' },
    service_tier: 'flex',
    safety_settings: [{ type: 'harassment', threshold: 'block_none' }],
    tools: [{ type: 'function', name: 'f', description: 'Does.', parameters: { type: 'object' } }],
    response_format: { type: 'text', mime_type: 'application/json', schema: { type: 'object' } },
    generation_config: {
      temperature: 1,
      top_p: 0.5,
      seed: 3,
      max_output_tokens: 9,
      stop_sequences: ['.'],
      thinking_level: 'low',
      thinking_summaries: 'auto',
      tool_choice: 'any',
    },
  });
  expect(chat).toEqual({
    model: 'gemini-3-pro',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
    ],
    stream: true,
    stream_options: { include_usage: true },
    service_tier: 'flex',
    tools: [{ type: 'function', function: { name: 'f', description: 'Does.', parameters: { type: 'object' } } }],
    tool_choice: 'required',
    response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: { type: 'object' } } },
    temperature: 1,
    top_p: 0.5,
    seed: 3,
    max_completion_tokens: 9,
    stop: ['.'],
    reasoning: { effort: 'low' },
  });
});

test.each([
  ['auto', 'auto'],
  ['none', 'none'],
  ['validated', 'validated'],
  [{ allowed_tools: { mode: 'any', tools: ['f'] } }, { type: 'function', function: { name: 'f' } }],
  [
    { allowed_tools: { tools: ['f'] } },
    { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'f' } }] } },
  ],
])('the tool choice %j is %j', (tool_choice, choice) => {
  const tools = [{ type: 'function', name: 'f' }];
  expect(chatOf({ tools, generation_config: { tool_choice } }).tool_choice).toEqual(choice);
});

test.each([
  [
    'a JSON schema by itself',
    { response_mime_type: 'application/json', response_format: { type: 'object' } },
    'json_schema',
  ],
  ['JSON of any kind', { response_format: { type: 'text', mime_type: 'application/json' } }, 'json_object'],
])('%s is a response format', (_name, members, type) => {
  expect(chatOf(members).response_format).toMatchObject({ type });
});

test('images are asked for by a format', () => {
  const format = { type: 'image', aspect_ratio: '1:1', image_size: '1K' };
  const settings = { image_config: { aspect_ratio: '1:1', image_size: '1K' } };
  expect(chatOf({ response_format: format })).toMatchObject({ modalities: ['image'], ...settings });
  expect(chatOf({ response_format: [{ type: 'text' }, format] })).toMatchObject({ modalities: ['text', 'image'] });
  const generation_config = { image_config: { aspect_ratio: '16:9', image_size: '1K' } };
  const some = { type: 'image', aspect_ratio: '1:1' };
  expect(chatOf({ response_format: some, generation_config })).toMatchObject({ modalities: ['image'], ...settings });
});

const call = (id: string) => ({ type: 'function_call', id, name: 'f', arguments: { q: id } });
const hubCall = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: `{"q":"${id}"}` } });

test('steps are turns: what the model wrote until its results is one message', () => {
  const input = [
    asked(text('Look.'), { type: 'image', data: 'a-_=', mime_type: 'image/png' }),
    { type: 'thought', summary: [text('Hm.')], signature: 'of another service' },
    { type: 'model_output', content: [text('I look.')] },
    call('a'),
    call('b'),
    {
      type: 'function_result',
      call_id: 'b',
      result: [text('B'), { type: 'image', data: 'AAAA', mime_type: 'image/png' }],
    },
    { type: 'function_result', call_id: 'a', is_error: true, result: 'A' },
    { type: 'model_output', content: [text('Seen.')] },
    asked(text('Thanks.')),
  ];
  const image = (data: string) => ({ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } });
  expect(chatOf({ input }).messages).toEqual([
    { role: 'user', content: [text('Look.'), image('a+/=')] },
    { role: 'assistant', content: 'I look.', reasoning_content: 'Hm.', tool_calls: [hubCall('a'), hubCall('b')] },
    { role: 'tool', tool_call_id: 'b', content: 'B' },
    { role: 'tool', tool_call_id: 'a', content: 'The tool failed:\nA' },
    { role: 'user', content: [text('Attachments of the result of b:'), image('AAAA')] },
    { role: 'assistant', content: 'Seen.' },
    { role: 'user', content: 'Thanks.' },
  ]);
});

test('the conversation that a request continues is in front of its input', () => {
  const earlier = [asked(text('One?')), { type: 'model_output', content: [text('Two.')] }];
  const chat = translatedOf(bodyOf({ previous_interaction_id: 'int_1' }), { earlier });
  expect(chat.messages).toEqual([
    { role: 'user', content: 'One?' },
    { role: 'assistant', content: 'Two.' },
    { role: 'user', content: 'Hi' },
  ]);
});

const onlyNative = { url: 'gs://bucket/a.png', file: 'https://generativelanguage.googleapis.com/v1beta/files/1' };

describe('is refused by its name', () => {
  test.each([
    ['model', { model: undefined }],
    ['agent', { agent: 'deep-research' }],
    ['agent_config', { agent_config: { type: 'dynamic' } }],
    ['background', { background: true }],
    ['cached_content', { cached_content: 'cachedContents/1' }],
    ['continuation_token', { continuation_token: 'x' }],
    ['environment', { environment: 'env_1' }],
    ['webhook_config', { webhook_config: { uris: [] } }],
    ['future_member', { future_member: 1 }],
    ['service_tier', { service_tier: 'deferred' }],
    ['safety_settings[0].threshold', { safety_settings: [{ type: 'harassment', threshold: 'block_only_high' }] }],
    ['tools[1].type', { tools: [{ type: 'function', name: 'f' }, { type: 'google_search' }] }],
    ['tools[0].behavior', { tools: [{ type: 'function', name: 'f', behavior: 'x' }] }],
    ['response_modalities[0]', { response_modalities: ['audio'] }],
    ['response_format', { response_format: { type: 'audio' } }],
    ['response_format', { response_format: [{ type: 'text' }, { type: 'object' }] }],
    ['response_format', { response_format: [{ type: 'image' }, { type: 'image' }] }],
    ['generation_config.speech_config', { generation_config: { speech_config: { voice: 'a' } } }],
    ['generation_config.video_config', { generation_config: { video_config: { task: 'x' } } }],
    ['generation_config.transcription_config', { generation_config: { transcription_config: {} } }],
    ['generation_config.future', { generation_config: { future: 1 } }],
    ['generation_config.thinking_level', { generation_config: { thinking_level: 'most' } }],
    ['generation_config.stop_sequences', { generation_config: { stop_sequences: ['1', '2', '3', '4', '5', '6'] } }],
    ['input', { input: undefined }],
    ['input', { input: [] }],
    ['input[0].type', { input: [{ type: 'google_search_call', id: 'a', arguments: {} }] }],
    ['input[1].type', { input: [text('Hi'), asked(text('Hi'))] }],
    ['input[0].arguments', { input: [{ ...call('a'), arguments: '{}' }] }],
    ['input[0].call_id', { input: [{ type: 'function_result', call_id: 'a', result: 'x' }] }],
    ['input[0].content[0].type', { input: [asked({ type: 'video', data: 'AAAA', mime_type: 'video/mp4' })] }],
    ['input[0].content[0].uri', { input: [asked({ type: 'image', uri: onlyNative.url })] }],
    ['input[0].mime_type', { input: [{ type: 'audio', data: 'AAAA', mime_type: 'audio/l16' }] }],
    ['input[0].resolution', { input: [{ type: 'image', data: 'AAAA', mime_type: 'image/png', resolution: 'low' }] }],
    ['input[0]', { input: [{ type: 'image', data: 'AAAA' }] }],
  ])('%s', (param, members) => {
    expect(() => chatOf(members)).toThrowError(expect.objectContaining({ param }));
  });
});

test('a result has one call: a second one for it is refused', () => {
  const result = { type: 'function_result', call_id: 'a', result: 'x' };
  expect(() => chatOf({ input: [call('a'), result, result] })).toThrowError(
    expect.objectContaining({ param: 'input[2].call_id' }),
  );
});
