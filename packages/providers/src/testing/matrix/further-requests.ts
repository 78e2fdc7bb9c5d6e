import type { ChatRequest } from '@tallyport/wire';
import { pixel } from './canonical-requests.ts';

const user = (content: string) => ({ role: 'user' as const, content });

const bounded = {
  type: 'object',
  properties: { size: { type: 'integer', description: 'In metres.', minimum: 1 }, name: { type: 'string' } },
  required: ['size'],
};

/** An empty PDF; its content does not matter here. */
export const page = 'JVBERi0xLjQK';

const tool = (name: string, more: object = {}) => ({ type: 'function' as const, function: { name, ...more } });
const pair = [tool('one'), tool('two')];
const named = { type: 'function' as const, function: { name: 'two' } };

/** Additional requests: forms of single members in which vendors differ most. */
export const furtherRequests = {
  jsonObject: { model: 'm', messages: [user('A city, as JSON.')], response_format: { type: 'json_object' } },

  /** An open schema and one with a limit; structured outputs accept neither. */
  openSchema: {
    model: 'm',
    messages: [user('A tower.')],
    response_format: { type: 'json_schema', json_schema: { name: 'tower', schema: bounded } },
  },

  strictTool: {
    model: 'm',
    messages: [user('A tower.')],
    tools: [tool('build', { strict: true, parameters: bounded })],
  },

  toolChoiceAuto: { model: 'm', messages: [user('Go.')], tools: pair, tool_choice: 'auto' },
  toolChoiceNone: { model: 'm', messages: [user('Go.')], tools: pair, tool_choice: 'none' },
  toolChoiceRequired: { model: 'm', messages: [user('Go.')], tools: pair, tool_choice: 'required' },
  toolChoiceAllowed: {
    model: 'm',
    messages: [user('Go.')],
    tools: pair,
    tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [named] } },
  },
  oneNamedTool: { model: 'm', messages: [user('Go.')], tools: pair, tool_choice: named, parallel_tool_calls: false },

  functions: { model: 'm', messages: [user('Go.')], functions: [{ name: 'one' }], function_call: 'auto' },

  callsWithoutTools: {
    model: 'm',
    messages: [
      user('Go.'),
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'one', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'Gone' },
      user('Sum up.'),
    ],
    tools: [],
  },

  choices: { model: 'm', messages: [user('Hi')], n: 2 },
  seed: { model: 'm', messages: [user('Hi')], seed: 7 },
  stop: { model: 'm', messages: [user('Hi')], stop: 'END' },

  imageDetail: {
    model: 'm',
    messages: [
      {
        role: 'user',
        content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${pixel}`, detail: 'high' } }],
      },
    ],
  },

  pdf: {
    model: 'm',
    messages: [
      {
        role: 'user',
        content: [{ type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${page}` } }],
      },
    ],
  },

  audio: {
    model: 'm',
    messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } }] }],
  },
} satisfies Record<string, ChatRequest>;

export type FurtherName = keyof typeof furtherRequests;
