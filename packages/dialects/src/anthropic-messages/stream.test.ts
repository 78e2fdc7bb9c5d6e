import Anthropic from '@anthropic-ai/sdk';
import { GatewayError } from '@tallyport/contracts';
import type { ChatChunk, ChunkDelta, FinishReason } from '@tallyport/wire';
import { expect, test } from 'vitest';
import type { DialectEvent } from '../dialect.ts';
import { messagesDialect } from './index.ts';
import { bodyOf, requestOf } from './testing/request.ts';

const streamOf = (promptTokens = 0) => messagesDialect.read(requestOf(bodyOf())).stream(() => promptTokens);

const chunk = (delta: ChunkDelta, finish_reason: FinishReason | null = null): ChatChunk => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason }],
});

const piece = (index: number, input: string, id?: string): ChunkDelta => ({
  tool_calls: [{ index, function: { arguments: input, ...(id && { name: `f_${id}` }) }, ...(id && { id }) }],
});

/** The events in short: `+ tool_use a f_a`, `0 {"a":1}`, `-`. */
function sketch(events: readonly DialectEvent[]): string[] {
  return events.flatMap(({ data }) => {
    const { type, index, delta, content_block: block } = Object(data);
    if (type === 'content_block_start')
      return [['+', block.type, block.id, block.name].filter((word) => word !== undefined).join(' ')];
    if (type === 'content_block_stop') return ['-'];
    if (type !== 'content_block_delta') return [];
    return [`${index} ${delta.text ?? delta.partial_json ?? delta.thinking ?? delta.signature ?? delta.citation.url}`];
  });
}

const run = (...deltas: ChunkDelta[]): string[] => {
  const stream = streamOf();
  return sketch([...deltas.flatMap((delta) => stream.chunk(chunk(delta))), ...stream.end()]);
};

test('the first chunk begins the message, with an estimate of the prompt', () => {
  const stream = streamOf(42);
  expect(stream.ping?.()).toEqual([]);
  const [start] = stream.chunk(chunk({ role: 'assistant', content: '' }));
  expect(start).toMatchObject({
    event: 'message_start',
    data: { message: { content: [], stop_reason: null, usage: { input_tokens: 42, output_tokens: 0 } } },
  });
  expect(stream.ping?.()).toEqual([{ event: 'ping', data: { type: 'ping' } }]);
});

test('the end states why, and all usage', () => {
  const stream = streamOf();
  stream.chunk(chunk({ content: 'a' }, 'length'));
  stream.chunk({ ...chunk({}), choices: [], usage: { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 } });
  expect(stream.end().slice(-2)).toEqual([
    {
      event: 'message_delta',
      data: {
        type: 'message_delta',
        delta: { stop_reason: 'max_tokens', stop_sequence: null, stop_details: null, container: null },
        usage: {
          input_tokens: 9,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: 0,
          output_tokens: 2,
          output_tokens_details: null,
          server_tool_use: null,
        },
      },
    },
    { event: 'message_stop', data: { type: 'message_stop' } },
  ]);
});

test('a stream without a chunk is a message without content', () => {
  expect(
    streamOf()
      .end()
      .map(({ event }) => event),
  ).toEqual(['message_start', 'message_delta', 'message_stop']);
});

test('arguments are passed on as they arrive', () => {
  const stream = streamOf();
  stream.chunk(chunk(piece(0, '', 'a')));
  expect(sketch(stream.chunk(chunk(piece(0, '{"q"'))))).toEqual(['0 {"q"']);
  expect(sketch(stream.chunk(chunk(piece(0, ':1}'))))).toEqual(['0 :1}']);
  expect(sketch(stream.chunk(chunk(piece(1, '{', 'b'))))).toEqual(['-', '+ tool_use b f_b', '1 {']);
});

test('what belongs elsewhere waits until the arguments of a call are complete', () => {
  expect(
    run(
      piece(0, '{"a":"}', 'a'),
      piece(1, '{"b":', 'b'),
      { content: 'Text.' },
      piece(2, '{}', 'c'),
      piece(0, '"'),
      piece(1, '1}'),
      piece(0, '}'),
      piece(0, ' '),
    ),
  ).toEqual([
    '+ tool_use a f_a',
    '0 {"a":"}',
    '0 "',
    '0 }',
    '0  ',
    '-',
    '+ tool_use b f_b',
    '1 {"b":',
    '1 1}',
    '-',
    '+ text',
    '2 Text.',
    '-',
    '+ tool_use c f_c',
    '3 {}',
    '-',
  ]);
});

test('calls whose arguments never end are closed all the same', () => {
  expect(run(piece(0, '{"a', 'a'), piece(1, '', 'b'), piece(2, '{"c', 'c'), piece(1, ''))).toEqual([
    '+ tool_use a f_a',
    '0 {"a',
    '-',
    '+ tool_use b f_b',
    '-',
    '+ tool_use c f_c',
    '2 {"c',
    '-',
  ]);
});

test('calls without arguments, which arrive only at the end, keep their ids and names', () => {
  expect(run(piece(0, '', 'a'), piece(1, '', 'b'), piece(0, '{}'), piece(1, '{}'))).toEqual([
    '+ tool_use a f_a',
    '0 {}',
    '-',
    '+ tool_use b f_b',
    '1 {}',
    '-',
  ]);
});

test('mixed arguments stay whole, with the ids and names of their calls', () => {
  expect(run(piece(0, '{"a":', 'a'), piece(1, '{"b":', 'b'), piece(0, '1}'), piece(1, '2}'))).toEqual([
    '+ tool_use a f_a',
    '0 {"a":',
    '0 1}',
    '-',
    '+ tool_use b f_b',
    '1 {"b":',
    '1 2}',
    '-',
  ]);
});

test('calls and text that wait follow in the order in which they began', () => {
  const deltas = [
    piece(0, '', 'a'),
    piece(1, '', 'b'),
    { content: 'One ' },
    piece(2, '{"c":', 'c'),
    piece(1, '{}'),
    piece(2, '1'),
    { content: 'two.' },
    piece(2, '}'),
    piece(0, '{}'),
    { content: ' Three.' },
  ];
  expect(run(...deltas)).toEqual([
    '+ tool_use a f_a',
    '0 {}',
    '-',
    '+ tool_use b f_b',
    '1 {}',
    '-',
    '+ text',
    '2 One ',
    '-',
    '+ tool_use c f_c',
    '3 {"c":',
    '3 1',
    '3 }',
    '-',
    '+ text',
    '4 two.',
    '4  Three.',
    '-',
  ]);
});

test('a call that waited is written while it arrives, once the call before it is complete', () => {
  const stream = streamOf();
  const add = (delta: ChunkDelta) => sketch(stream.chunk(chunk(delta)));
  add(piece(0, '{"a":', 'a'));
  expect(add(piece(1, '{"b":', 'b'))).toEqual([]);
  expect(add(piece(0, '1}'))).toEqual(['0 1}']);
  expect(add(piece(1, '"x'))).toEqual(['-', '+ tool_use b f_b', '1 {"b":', '1 "x']);
  expect(add(piece(1, 'y"}'))).toEqual(['1 y"}']);
});

test('nothing is added to a call that is closed', () => {
  expect(run(piece(0, '{}', 'a'), { content: 'x' }, piece(0, '\n'))).toEqual([
    '+ tool_use a f_a',
    '0 {}',
    '-',
    '+ text',
    '1 x',
    '-',
  ]);
});

test('thinking without a place in the details is signed by the signature that follows', () => {
  const signature = { type: 'reasoning.text', signature: 's', format: 'anthropic-claude-v1', index: 0 };
  expect(run({ reasoning_content: 'a' }, { reasoning_content: 'b' }, { reasoning_details: [signature] })).toEqual([
    '+ thinking',
    '0 a',
    '0 b',
    '0 s',
    '-',
  ]);
});

test('details of other vendors are not for this client', () => {
  const foreign = { type: 'reasoning.encrypted', data: 'x', format: 'google-gemini-v1', index: 0 };
  expect(run({ reasoning_content: 'a', reasoning_details: [foreign, 5] }, { content: 'b' })).toEqual([
    '+ thinking',
    '0 a',
    '-',
    '+ text',
    '1 b',
    '-',
  ]);
});

test('a refusal is details beside a text, and the text where there is none', () => {
  const stream = streamOf();
  stream.chunk(chunk({ content: 'Some' }));
  stream.chunk(chunk({ refusal: 'No.' }, 'stop'));
  expect(stream.end()[1]).toMatchObject({
    data: { delta: { stop_reason: 'refusal', stop_details: { type: 'refusal', category: null, explanation: 'No.' } } },
  });
  expect(run({ refusal: 'N' }, { refusal: 'o.' })).toEqual(['+ text', '0 No.', '-']);
});

test('the client throws what failed after the first byte', async () => {
  const stream = streamOf();
  const events = [
    ...stream.chunk(chunk({ content: 'a' })),
    ...stream.fail(new GatewayError('overloaded', 'Too much to do.')),
  ];
  const body = events.map(({ event, data }) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join('');
  const client = new Anthropic({
    apiKey: 'key',
    maxRetries: 0,
    fetch: () => Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } })),
  });
  const asked = { model: 'm', max_tokens: 1, messages: [] };
  await expect(client.messages.stream(asked).finalMessage()).rejects.toMatchObject({ type: 'overloaded_error' });
});
