import type { ChatCompletion } from '@tallyport/wire';
import { interleaved } from '../../testing/completion.ts';
import { completionOf } from './calls.ts';

const call = (id: string, name: string, input: string) => ({
  id,
  type: 'function' as const,
  function: { name, arguments: input },
});

const signed = [
  { type: 'reasoning.text', text: 'I should look it up.', signature: 'c2ln', format: 'anthropic-claude-v1', index: 0 },
  { type: 'reasoning.encrypted', data: 'ZW5j', format: 'anthropic-claude-v1', index: 1 },
];

/** Tools that the calls below belong to. */
export const declaredTools = [
  { type: 'function', name: 'weather', parameters: { type: 'object' } },
  { type: 'custom', name: 'patch', description: 'Edits files.' },
  { type: 'namespace', name: 'files', description: 'Files', tools: [{ type: 'function', name: 'read' }] },
];

/** One of each kind. All calls are functions in a chat, also those of custom tools. */
export const completions: readonly (readonly [string, ChatCompletion])[] = [
  ['a text', completionOf({ content: 'Hello there, world.' })],
  [
    'a text with citations',
    completionOf({
      content: 'See this.',
      annotations: [
        { type: 'url_citation', url_citation: { url: 'https://a.example', title: 'A', start_index: 0, end_index: 3 } },
      ],
    }),
  ],
  [
    'a call',
    completionOf({ tool_calls: [call('call_1', 'weather', '{"city":"Rome"}')] }, { finish_reason: 'tool_calls' }),
  ],
  [
    'a text and parallel calls of each kind',
    completionOf(
      {
        content: 'Let me see.',
        tool_calls: [
          call('call_1', 'weather', '{"city":"Rome"}'),
          call('call_2', 'patch', '{"input":"*** Begin \\"Patch\\""}'),
          call('call_3', 'files__read', '{}'),
        ],
      },
      { finish_reason: 'tool_calls' },
    ),
  ],
  [
    'parallel calls without arguments',
    completionOf(
      { tool_calls: [call('call_1', 'weather', '{}'), call('call_2', 'weather', '{}')] },
      { finish_reason: 'tool_calls' },
    ),
  ],
  ['texts and calls in turn', completionOf(interleaved, { finish_reason: 'tool_calls' })],
  ['thinking without signature', completionOf({ reasoning_content: 'Hm, easy.', content: 'Four.' })],
  [
    'signed thinking and a call',
    completionOf(
      {
        reasoning_content: 'I should look it up.',
        reasoning_details: signed,
        tool_calls: [call('call_1', 'weather', '{}')],
      },
      { finish_reason: 'tool_calls' },
    ),
  ],
  ['thinking that is only encrypted', completionOf({ reasoning_details: signed.slice(1), content: 'Four.' })],
  [
    'signed calls',
    completionOf(
      {
        content: 'Let me see.',
        tool_calls: [
          { ...call('call_1', 'weather', '{}'), extra_content: { google: { thought_signature: 'c2ln' } } },
          call('call_2', 'weather', '{}'),
        ],
      },
      { finish_reason: 'tool_calls' },
    ),
  ],
  [
    'an image with a signature',
    completionOf({
      content: 'Here it is.',
      images: [
        {
          type: 'image_url',
          image_url: { url: 'data:image/png;base64,AAAA' },
          extra_content: { google: { thought_signature: 'c2ln' } },
        },
      ],
    }),
  ],
  ['a refusal', completionOf({ refusal: 'I cannot help with that.' })],
  ['a text that ends in a refusal', completionOf({ content: 'Well.', refusal: 'No.' })],
  ['a text cut off by its length', completionOf({ content: 'Once upon a' }, { finish_reason: 'length' })],
  [
    'a call cut off by its length',
    completionOf({ tool_calls: [call('call_1', 'weather', '{"ci')] }, { finish_reason: 'length' }),
  ],
  ['thinking cut off by its length', completionOf({ reasoning_content: 'Hm' }, { finish_reason: 'length' })],
  ['a text stopped by a filter', completionOf({ content: 'The way to' }, { finish_reason: 'content_filter' })],
  ['nothing', completionOf({})],
];
