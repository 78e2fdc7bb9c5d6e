import { expect, test } from 'vitest';
import { findOpenAiFault } from './strictness.ts';

const good = { model: 'any', messages: [{ role: 'user', content: 'Hi' }] };
const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } };
const asks = { role: 'assistant', content: null, tool_calls: [call] };
const answers = { role: 'tool', tool_call_id: 'call_1', content: 'ok' };
const tool = { type: 'function', function: { name: 'f' } };
const strict = { refusesUnknownParameters: true };

test.each<[string, object, string | null, string | null]>([
  ['no model', { model: undefined }, null, null],
  ['a model that is a number', { model: 4 }, 'model', 'invalid_type'],
  ['no messages', { messages: undefined }, 'messages', 'missing_required_parameter'],
  ['messages that are a string', { messages: 'Hi' }, 'messages', 'invalid_type'],
  ['no message at all', { messages: [] }, 'messages', 'empty_array'],
  ['a message that is a string', { messages: ['Hi'] }, 'messages[0]', 'invalid_type'],
  ['an unknown role', { messages: [{ role: 'boss', content: '' }] }, 'messages[0].role', 'invalid_value'],
  ['a message without role', { messages: [{ content: '' }] }, 'messages[0].role', 'missing_required_parameter'],
  ['content that is null', { messages: [{ role: 'user', content: null }] }, 'messages[0].content', 'invalid_type'],
  ['content that is a number', { messages: [{ role: 'user', content: 1 }] }, 'messages[0].content', 'invalid_type'],
  [
    'an unknown part',
    { messages: [{ role: 'user', content: [{ type: 'x' }] }] },
    'messages[0].content[0].type',
    'invalid_value',
  ],
  [
    'a text part without text',
    { messages: [{ role: 'user', content: [{ type: 'text' }] }] },
    'messages[0].content[0].text',
    'missing_required_parameter',
  ],
  [
    'a file by its address',
    { messages: [{ role: 'user', content: [{ type: 'file', file: { file_data: 'https://a.test/a.pdf' } }] }] },
    'messages[0].content[0].file.file_data',
    'invalid_value',
  ],
  ['a call without a result', { messages: [asks, ...good.messages] }, 'messages', null],
  ['a call at the end', { messages: [asks] }, 'messages', null],
  ['a result without a call', { messages: [answers] }, 'messages.[0].role', null],
  ['a duplicate result', { messages: [asks, answers, answers] }, 'messages.[2].role', null],
  ['an unknown member', { top_k: 1 }, 'top_k', 'unknown_parameter'],
  ['a temperature above 2', { temperature: 2.1 }, 'temperature', 'decimal_above_max_value'],
  ['a temperature below 0', { temperature: -0.1 }, 'temperature', 'decimal_below_min_value'],
  ['a temperature that is a string', { temperature: 'hot' }, 'temperature', 'invalid_type'],
  ['n of 0', { n: 0 }, 'n', 'integer_below_min_value'],
  ['n of 129', { n: 129 }, 'n', 'integer_above_max_value'],
  ['half a token', { max_tokens: 1.5 }, 'max_tokens', 'invalid_type'],
  ['stream that is a string', { stream: 'yes' }, 'stream', 'invalid_type'],
  ['stream options without stream', { stream_options: { include_usage: true } }, 'stream_options', null],
  ['top_logprobs without logprobs', { top_logprobs: 2 }, 'top_logprobs', null],
  ['an unknown effort', { reasoning_effort: 'huge' }, 'reasoning_effort', 'invalid_value'],
  ['five stops', { stop: ['1', '2', '3', '4', '5'] }, 'stop', 'array_above_max_length'],
  ['a stop that is a number', { stop: ['1', 2] }, 'stop[1]', 'invalid_type'],
  ['no tool at all', { tools: [] }, 'tools', 'empty_array'],
  ['129 tools', { tools: Array.from({ length: 129 }, () => tool) }, 'tools', 'array_above_max_length'],
  ['a tool without type', { tools: [{}] }, 'tools[0].type', 'missing_required_parameter'],
  [
    'a tool without name',
    { tools: [{ type: 'function', function: {} }] },
    'tools[0].function.name',
    'missing_required_parameter',
  ],
  [
    'a name with a space',
    { tools: [{ type: 'function', function: { name: 'a b' } }] },
    'tools[0].function.name',
    'invalid_value',
  ],
  [
    'a name of 65',
    { tools: [{ type: 'function', function: { name: 'a'.repeat(65) } }] },
    'tools[0].function.name',
    'invalid_value',
  ],
  ['a choice without tools', { tool_choice: 'auto' }, 'tool_choice', null],
  ['parallel calls without tools', { parallel_tool_calls: true }, 'parallel_tool_calls', null],
  [
    'a choice of an unknown tool',
    { tools: [tool], tool_choice: { type: 'function', function: { name: 'g' } } },
    'tool_choice',
    'invalid_value',
  ],
  ['an unknown choice', { tools: [tool], tool_choice: 'maybe' }, 'tool_choice', 'invalid_value'],
  ['JSON format without the word JSON', { response_format: { type: 'json_object' } }, 'messages', null],
  ['a format without type', { response_format: {} }, 'response_format.type', 'missing_required_parameter'],
  [
    'a schema without name',
    { response_format: { type: 'json_schema', json_schema: {} } },
    'response_format.json_schema.name',
    'missing_required_parameter',
  ],
])('refuses %s', (_, members, param, code) => {
  expect(findOpenAiFault({ ...good, ...members }, strict)).toMatchObject({
    status: 400,
    type: 'invalid_request_error',
    param,
    code,
  });
});

test.each<[string, object]>([
  ['the plain request', {}],
  ['null for absent', { temperature: null, stop: null, tools: null, response_format: null, stream: null }],
  ['every limit itself', { temperature: 2, top_p: 0, n: 128, max_tokens: 1, stop: ['1', '2', '3', '4'] }],
  ['a finished tool turn', { messages: [asks, answers, ...good.messages] }],
  [
    'parts',
    {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'json' },
            { type: 'image_url', image_url: { url: 'data:,' } },
            { type: 'file', file: { file_data: 'data:application/pdf;base64,AA==' } },
            { type: 'file', file: { file_id: 'file-1' } },
          ],
        },
      ],
    },
  ],
  ['128 tools', { tools: Array.from({ length: 128 }, () => tool) }],
  ['a name of 64', { tools: [{ type: 'function', function: { name: 'a'.repeat(64) } }] }],
  ['stream options with stream', { stream: true, stream_options: { include_usage: true } }],
])('accepts %s', (_, members) => {
  expect(findOpenAiFault({ ...good, ...members }, strict)).toBeUndefined();
});

test('a tolerant provider accepts unknown members', () => {
  expect(findOpenAiFault({ ...good, top_k: 1 }, { refusesUnknownParameters: false })).toBeUndefined();
});
