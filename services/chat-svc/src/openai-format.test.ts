import type { ChatRequest } from '@tallyport/wire';
import { expect, test } from 'vitest';
import { inOpenAiFormat } from './openai-format.ts';

const plain: ChatRequest = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] };
const schema = { type: 'object', properties: { a: { type: 'string' } } };

test.each<[string, Record<string, unknown>, object]>([
  ['usage of a stream', { stream: true, usage: { include: true } }, { stream_options: { include_usage: true } }],
  [
    'usage beside other options',
    { stream: true, usage: { include: true }, stream_options: { include_obfuscation: false } },
    { stream_options: { include_obfuscation: false, include_usage: true } },
  ],
  [
    'JSON with a schema',
    { response_format: { type: 'json_object', schema } },
    { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } },
  ],
])('%s', (_title, given, expected) => {
  expect(inOpenAiFormat({ ...plain, ...given })).toEqual({ ...plain, ...given, ...expected });
});

test.each<[string, Record<string, unknown>]>([
  ['usage of a whole answer, which always has it', { usage: { include: true } }],
  ['usage that is not wanted', { stream: true, usage: { include: false } }],
  ['usage that is no object', { stream: true, usage: true }],
  ['JSON of any shape', { response_format: { type: 'json_object' } }],
  ['a schema that is none', { response_format: { type: 'json_object', schema: 'x' } }],
])('unchanged: %s', (_title, given) => {
  const request = { ...plain, ...given };
  expect(inOpenAiFormat(request)).toBe(request);
});
