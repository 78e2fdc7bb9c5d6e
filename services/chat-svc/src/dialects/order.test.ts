import Anthropic from '@anthropic-ai/sdk';
import { offerOf } from '@tallyport/contracts/testing';
import { type DialectCall, geminiDialect, messagesDialect, openAiResponses } from '@tallyport/dialects';
import { findChatProvider, type TranslationContext } from '@tallyport/providers';
import { type ChatChunk, type ChatCompletion, createSseDecoder } from '@tallyport/wire';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runsOf } from '../../../../tests/support/scale.ts';

/** A block of an answer of Claude's, which writes thinking, texts and calls in any order. */
type Block =
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string }
  | { type: 'text'; text: string }
  | { type: 'tool_use'; id: string; name: string; input: object };

const anthropic = findChatProvider('anthropic')!;

/** A model thinks before it says something, so that no answer ends with a thought. */
const endsWithThought = (content: readonly Block[]): boolean => content.at(-1)?.type.includes('thinking') === true;

const word = fc.stringMatching(/^[a-z ]{1,6}$/);
const blocks: fc.Arbitrary<Block[]> = fc
  .array(
    fc.oneof(
      fc.record({ type: fc.constant('text' as const), text: word }),
      fc.record({ type: fc.constant('thinking' as const), thinking: fc.oneof(word, fc.constant('')) }),
      fc.record({ type: fc.constant('redacted_thinking' as const), data: word }),
      fc.record({ type: fc.constant('tool_use' as const), name: word, input: fc.constantFrom({}, { a: 1 }) }),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((drafts) =>
    drafts.map((draft, index): Block => {
      if (draft.type === 'thinking') return { ...draft, signature: `sig${index}` };
      return draft.type === 'tool_use' ? { ...draft, id: `toolu_${index}` } : draft;
    }),
  )
  .filter((content) => !endsWithThought(content));

const head = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-x' };
const usage = { input_tokens: 3, output_tokens: 4 };
const context: TranslationContext = {
  call: { request: { model: 'm', messages: [{ role: 'user', content: 'Hi' }] }, stream: true },
  offer: offerOf('anthropic', { modelName: 'claude-x' }),
  completionId: 'chatcmpl-1',
  created: 1,
};

const wholeOf = (content: readonly Block[]): ChatCompletion =>
  anthropic.response({ ...head, content, stop_reason: 'end_turn', stop_sequence: null, usage }, context);

/** The block before it has content, and its content in one piece. */
function openedAndSaid(block: Block): [object, object[]] {
  switch (block.type) {
    case 'text':
      return [{ ...block, text: '' }, [{ type: 'text_delta', text: block.text }]];
    case 'thinking':
      return [
        { ...block, thinking: '', signature: '' },
        [
          ...(block.thinking === '' ? [] : [{ type: 'thinking_delta', thinking: block.thinking }]),
          { type: 'signature_delta', signature: block.signature },
        ],
      ];
    case 'tool_use':
      return [{ ...block, input: {} }, [{ type: 'input_json_delta', partial_json: JSON.stringify(block.input) }]];
    case 'redacted_thinking':
      return [block, []];
    default:
      return block satisfies never;
  }
}

function chunksOf(content: readonly Block[]): ChatChunk[] {
  const events = [
    { type: 'message_start', message: { ...head, content: [], usage } },
    ...content.flatMap((block, index) => {
      const [opened, said] = openedAndSaid(block);
      return [
        { type: 'content_block_start', index, content_block: opened },
        ...said.map((delta) => ({ type: 'content_block_delta', index, delta })),
        { type: 'content_block_stop', index },
      ];
    }),
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
    { type: 'message_stop' },
  ];
  const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
  const translator = anthropic.stream(context);
  const frames = createSseDecoder({ maxFrameBytes: 1_000_000 }).push(Buffer.from(text));
  return [...frames.flatMap((frame) => translator.frame(frame)), ...translator.end()];
}

const request = (body: object, path = '') => ({
  bytes: Buffer.from(JSON.stringify(body)),
  body,
  path,
  query: new URLSearchParams(),
  headers: {},
  now: () => 1,
  newId: (() => {
    let ids = 0;
    return () => String(++ids).padStart(32, '0');
  })(),
});

const eventsOf = (call: DialectCall, chunks: readonly ChatChunk[]) => {
  const stream = call.stream(() => 0);
  return [...chunks.flatMap((chunk) => stream.chunk(chunk)), ...stream.end()];
};

const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
/** The members of an object that the test knows by its API. */
const at = (value: unknown, ...path: string[]): unknown => path.reduce((inner, name) => Object(inner)[name], value);
const listAt = (value: unknown, ...path: string[]): unknown[] => {
  const list = at(value, ...path);
  return Array.isArray(list) ? list : [];
};
const typesOf = (list: readonly unknown[]): unknown[] => list.map((entry) => at(entry, 'type'));

const holds = (check: (content: Block[]) => Promise<void>) =>
  fc.assert(fc.asyncProperty(blocks, check), { numRuns: runsOf(200) });

test('in the Messages API, the events amount to the whole answer, which is what Claude wrote', async () => {
  const body = { model: 'm', max_tokens: 10, messages: [{ role: 'user' as const, content: 'Hi' }] };
  await holds(async (content) => {
    const whole = json(messagesDialect.read(request(body)).answer(wholeOf(content)));
    const events = eventsOf(messagesDialect.read(request(body)), chunksOf(content));
    const sse = events.map(({ event, data }) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join('');
    const client = new Anthropic({
      apiKey: 'key',
      maxRetries: 0,
      fetch: () => Promise.resolve(new Response(sse, { headers: { 'content-type': 'text/event-stream' } })),
    });
    const message = await client.messages.stream(body).finalMessage();
    expect(json(message.content)).toEqual(at(whole, 'content'));
    // Texts in a row are one text.
    const written = content.filter(({ type }, index) => type !== 'text' || content[index - 1]?.type !== 'text');
    expect(typesOf(listAt(whole, 'content'))).toEqual(written.map(({ type }) => type));
  });
});

test('in the Responses API, the last event has the items of the whole answer', async () => {
  const body = { model: 'm', input: 'Hi' };
  await holds(async (content) => {
    const whole = json(openAiResponses.read(request(body)).answer(wholeOf(content)));
    const last = json(eventsOf(openAiResponses.read(request(body)), chunksOf(content)).at(-1));
    expect(typesOf(listAt(last, 'data', 'response', 'output'))).toEqual(typesOf(listAt(whole, 'output')));
  });
});

/** Texts, and calls by their names. */
const spokenIn = (answer: unknown): string =>
  listAt(answer, 'candidates')
    .flatMap((candidate) => listAt(candidate, 'content', 'parts'))
    .map((part) => at(part, 'text') ?? `<${String(at(part, 'functionCall', 'name'))}>`)
    .join('');

test('in the Gemini API, the pieces have the parts of the whole answer', async () => {
  const body = { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] };
  const read = () => geminiDialect.read(request(body, 'm:generateContent'));
  await holds(async (content) => {
    const pieces = eventsOf(read(), chunksOf(content)).map(({ data }) => spokenIn(json(data)));
    const written = content.map((block) => {
      if (block.type === 'tool_use') return `<${block.name}>`;
      return block.type === 'text' ? block.text : '';
    });
    expect(pieces.join('')).toBe(written.join(''));
    expect(spokenIn(json(read().answer(wholeOf(content))))).toBe(written.join(''));
  });
});

/** What the model wrote before its calls were answered, in each API. */
const interleaved: readonly (readonly [api: string, call: DialectCall])[] = [
  [
    'Messages',
    messagesDialect.read(
      request({
        model: 'm',
        max_tokens: 10,
        messages: [
          { role: 'user', content: 'Hi' },
          {
            role: 'assistant',
            content: [
              { type: 'text', text: 'One.' },
              { type: 'tool_use', id: 'a', name: 'f', input: {} },
              { type: 'text', text: 'Two.' },
              { type: 'tool_use', id: 'b', name: 'g', input: {} },
              { type: 'text', text: 'Three.' },
            ],
          },
          {
            role: 'user',
            content: ['a', 'b'].map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' })),
          },
        ],
      }),
    ),
  ],
  [
    'Responses',
    openAiResponses.read(
      request({
        model: 'm',
        input: [
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: 'One.' },
          { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' },
          { role: 'assistant', content: [{ type: 'output_text', text: 'Two.', annotations: [] }] },
          { type: 'function_call', call_id: 'b', name: 'g', arguments: '{}' },
          { role: 'assistant', content: 'Three.' },
          ...['a', 'b'].map((id) => ({ type: 'function_call_output', call_id: id, output: 'ok' })),
        ],
      }),
    ),
  ],
  [
    'Gemini',
    geminiDialect.read(
      request(
        {
          contents: [
            { role: 'user', parts: [{ text: 'Hi' }] },
            {
              role: 'model',
              parts: [
                { text: 'One.' },
                { functionCall: { id: 'a', name: 'f', args: {} } },
                { text: 'Two.' },
                { functionCall: { id: 'b', name: 'g', args: {} } },
                { text: 'Three.' },
              ],
            },
            {
              role: 'user',
              parts: [
                { functionResponse: { id: 'a', name: 'f', response: {} } },
                { functionResponse: { id: 'b', name: 'g', response: {} } },
              ],
            },
          ],
        },
        'm:generateContent',
      ),
    ),
  ],
];

const keepers = [
  ['anthropic', 'claude-sonnet-4-5'],
  ['aws-bedrock', 'amazon.nova-pro-v1:0'],
  ['google', 'gemini-2.5-flash'],
] as const;

test.each(interleaved.flatMap(([api, call]) => keepers.map(([id, modelName]) => ({ api, call, id, modelName }))))(
  'an earlier answer in the API $api reaches $id in its order',
  ({ call: { chat }, id, modelName }) => {
    const offer = offerOf(id, { modelName });
    const sent = JSON.parse(findChatProvider(id)?.request({ request: chat, stream: false }, offer).body ?? '');
    const answer = listAt(sent, id === 'google' ? 'contents' : 'messages')[1];
    const said = listAt(answer, id === 'google' ? 'parts' : 'content').map(
      (part) => at(part, 'text') ?? at(part, 'name') ?? at(part, 'functionCall', 'name') ?? at(part, 'toolUse', 'name'),
    );
    expect(said).toEqual(['One.', 'f', 'Two.', 'g', 'Three.']);
  },
);
