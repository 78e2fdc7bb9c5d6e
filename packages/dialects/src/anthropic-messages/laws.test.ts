import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { DialectEvent } from '../dialect.ts';
import type { MessagesAnswer, MessagesEvent } from './answer-types.ts';
import { messagesDialect } from './index.ts';
import { chunksOf, completions, mixedChunksOf } from './testing/completions.ts';
import { bodyOf, requestOf } from './testing/request.ts';

const read = (members?: object) => messagesDialect.read(requestOf(bodyOf(members)));

function eventsOf(name: string, inChunks = chunksOf): DialectEvent[] {
  const stream = read().stream(() => 7);
  return [...inChunks(completions[name]!).flatMap((chunk) => stream.chunk(chunk)), ...stream.end()];
}

const sse = (events: readonly DialectEvent[]): string =>
  events.map(({ event, data }) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join('');

const client = (body: string, type: string, status = 200) =>
  new Anthropic({
    apiKey: 'key',
    maxRetries: 0,
    fetch: () => Promise.resolve(new Response(body, { status, headers: { 'content-type': type } })),
  });

const asked = { model: 'claude-opus-5', max_tokens: 10, messages: [{ role: 'user' as const, content: 'Hi' }] };

/** What the vendor's own client makes of the events. */
const folded = async (events: readonly DialectEvent[]): Promise<unknown> =>
  JSON.parse(JSON.stringify(await client(sse(events), 'text/event-stream').messages.stream(asked).finalMessage()));

describe.each(Object.keys(completions))('%s', (name) => {
  const answer = read().answer(completions[name]!);

  test('the streamed events amount to the plain answer', async () => {
    // The client adds a member of its own.
    expect(await folded(eventsOf(name))).toEqual({ ...(answer as object), parsed_output: null });
  });

  test('so do the events of parallel calls whose pieces are mixed', async () => {
    expect(await folded(eventsOf(name, mixedChunksOf))).toEqual({ ...(answer as object), parsed_output: null });
  });

  test('blocks are opened and closed one after another, between one start and one end', () => {
    const types = eventsOf(name).map(({ event, data }) => {
      expect(data).toMatchObject({ type: event });
      return event;
    });
    const order = types.filter((type) => type !== 'content_block_delta').join(' ');
    expect(order).toMatch(/^message_start (content_block_start content_block_stop )*message_delta message_stop$/);
  });
});

test.each([
  ['text', { content: 'Hello, "wörld".' }],
  [
    'a tool',
    {
      content: null,
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'tool_a', arguments: '{"q":"x","n":[1,{"m":"}"}]}' } },
      ],
    },
  ],
  ['text and parallel tools', { ...pick('text and parallel tools', 'content', 'tool_calls') }],
  ['plain reasoning', { content: 'Yes.', reasoning_content: 'Hmm.' }],
  [
    'signed reasoning',
    { ...pick('signed reasoning', 'content', 'reasoning_content', 'reasoning_details', 'tool_calls') },
  ],
  // What a model refused with is something it said.
  ['refusal', { content: 'I will not.' }],
  ['length', { content: 'Half of' }],
  ['content_filter', { content: 'Some' }],
  ['empty', { content: '' }],
  ['citations', { content: 'It rains.' }],
])('sent back as history, the answer is the message it came from: %s', (name, expected) => {
  const { content } = read().answer(completions[name]!) as MessagesAnswer;
  const { chat } = read({
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content },
    ],
  });
  expect(chat.messages[1]).toEqual({ role: 'assistant', ...expected });
});

function pick(name: string, ...members: string[]): object {
  const message = completions[name]!.choices[0]!.message;
  return Object.fromEntries(members.map((member) => [member, message[member]]));
}

/** The vendor leaves out citations where it has none, although its types declare null. */
type Sent<Block> = Block extends Anthropic.TextBlock
  ? Omit<Block, 'citations'> & Partial<Pick<Block, 'citations'>>
  : Block;
type SentMessage = Omit<Anthropic.Message, 'content'> & { content: Sent<Anthropic.ContentBlock>[] };
type SentEvent =
  | Exclude<Anthropic.RawMessageStreamEvent, { type: 'message_start' | 'content_block_start' }>
  | { type: 'message_start'; message: SentMessage }
  | { type: 'content_block_start'; index: number; content_block: Sent<Anthropic.ContentBlock> };

test('the events are those of the vendor, and so is the answer', () => {
  expectTypeOf<MessagesAnswer>().toExtend<SentMessage>();
  expectTypeOf<MessagesEvent>().toExtend<SentEvent>();
});

test('the client reads a plain answer', async () => {
  const answer = read().answer(completions['signed reasoning']!);
  const got = await client(JSON.stringify(answer), 'application/json').messages.create(asked);
  expect(JSON.parse(JSON.stringify(got))).toEqual(answer);
});
