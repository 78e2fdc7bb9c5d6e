import type { ChatRequest } from '@tallyport/wire';
import { describe, expect, test } from 'vitest';
import { callOf, vendorOffer } from '../testing/translate.ts';
import { anthropic } from './chat.ts';

const newest = 'claude-opus-5';
const old = 'claude-sonnet-4-20250514';

const sent = (request: Partial<ChatRequest>, modelName = newest) =>
  JSON.parse(anthropic.request(callOf(request, false), vendorOffer(anthropic, { modelName })).body);

const text = (said: string) => ({ type: 'text', text: said });
const tool = { type: 'function' as const, function: { name: 'f', parameters: { type: 'object', properties: {} } } };

describe('structured answers', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } };
  const format = { type: 'json_schema' as const, json_schema: { name: 'f', description: 'd', schema } };
  const answer = (name: string) => ({ name, description: 'd', input_schema: schema });
  const client = { name: 'f', input_schema: { type: 'object', properties: {} } };

  test.each<[string, Partial<ChatRequest>, object]>([
    ['alone', {}, { tools: [answer('f')], tool_choice: { type: 'tool', name: 'f' } }],
    ['beside tools', { tools: [tool] }, { tools: [client, answer('f_json')], tool_choice: { type: 'any' } }],
    [
      'with other tools and tool_choice none',
      { tools: [tool], tool_choice: 'none' },
      { tools: [client, answer('f_json')], tool_choice: { type: 'tool', name: 'f_json' } },
    ],
    [
      'with a named tool choice',
      { tools: [tool], tool_choice: { type: 'function', function: { name: 'f' } } },
      { tools: [client, answer('f_json')], tool_choice: { type: 'tool', name: 'f' } },
    ],
  ])('older models get the schema as a tool, %s', (_name, request, expected) => {
    const { tools, tool_choice } = sent({ ...request, response_format: format }, old);
    expect({ tools, tool_choice }).toEqual(expected);
  });

  const map = { type: 'object', additionalProperties: { type: 'number' } };
  const asked = (value: Record<string, unknown>): Partial<ChatRequest> => ({
    response_format: { type: 'json_schema', json_schema: { name: 'f', description: 'd', schema: value } },
  });

  test('newer models get the schema, closed', () => {
    const bounded = { type: 'object', properties: { a: { type: 'integer', minimum: 1 } } };
    expect(sent(asked(bounded)).output_config.format).toEqual({
      type: 'json_schema',
      schema: {
        type: 'object',
        properties: { a: { type: 'integer', description: 'Constraints (JSON Schema): {"minimum":1}' } },
        additionalProperties: false,
      },
    });
  });

  test('newer models get an unsupported schema as a tool', () => {
    const { tools, tool_choice, output_config } = sent(asked(map));
    expect({ tools, tool_choice, output_config }).toEqual({
      tools: [{ name: 'f', description: 'd', input_schema: map }],
      tool_choice: { type: 'tool', name: 'f' },
      output_config: undefined,
    });
  });

  test('models without forced tools get an unsupported schema as an instruction', () => {
    const { tools, system } = sent(asked(map), 'claude-opus-5-5');
    expect([tools, system]).toEqual([undefined, [text(expect.stringContaining(JSON.stringify(map)))]]);
  });
});
