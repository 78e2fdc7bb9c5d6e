import { GatewayError } from '@tallyport/contracts';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import type { DialectEvent } from '../dialect.ts';
import { chunkOf, chunksOf, eventsOf, readBody } from './testing/calls.ts';
import { completions, declaredTools } from './testing/completions.ts';

const request = { model: 'm', input: 'Hi', tools: declaredTools };

const sse = (events: readonly DialectEvent[]) =>
  new Response(events.map(({ event, data }) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join(''), {
    headers: { 'content-type': 'text/event-stream' },
  });

const clientOf = (answer: () => Response) =>
  new OpenAI({ apiKey: 'k', baseURL: 'http://gateway.test/v1', maxRetries: 0, fetch: async () => answer() });

describe.each(completions)("OpenAI's client reads %s", (_name, completion) => {
  test('streamed', async () => {
    const client = clientOf(() => sse(eventsOf(readBody(request), chunksOf(completion))));
    const final = await client.responses.stream({ model: 'm', input: 'Hi' }).finalResponse();
    const expected = JSON.parse(JSON.stringify(readBody(request).answer(completion)));
    expect(final).toMatchObject(expected);
    expect(final.output_text).toBe(completion.choices[0]?.message.content ?? '');
  });

  test('in one piece', async () => {
    const client = clientOf(() => Response.json(readBody(request).answer(completion)));
    const response = await client.responses.create({ model: 'm', input: 'Hi' });
    expect(response.output_text).toBe(completion.choices[0]?.message.content ?? '');
    expect(response.usage?.input_tokens_details).toEqual({ cached_tokens: 4, cache_write_tokens: 2 });
  });
});

test('a stream that fails late ends with a failed response, and what was finished before', async () => {
  const stream = readBody(request).stream();
  const events = [
    ...stream.chunk(chunkOf({ reasoning_content: 'Hm.' })),
    ...stream.chunk(chunkOf({ content: 'Half an ans' })),
    ...stream.fail(new GatewayError('stream_truncated', 'The stream ended early.')),
  ];
  const final = await clientOf(() => sse(events))
    .responses.stream({ model: 'm', input: 'Hi' })
    .finalResponse();
  expect(final.status).toBe('failed');
  expect(final.error).toEqual({ code: 'server_error', message: 'The stream ended early.' });
  expect(final.output.map(({ type }) => type)).toEqual(['reasoning']);
});

test('an error before the stream is an error of the client, with its param', async () => {
  const client = clientOf(() =>
    Response.json(
      { error: { message: 'model: unknown', type: 'invalid_request_error', param: 'model', code: 'model_not_found' } },
      { status: 404 },
    ),
  );
  await expect(client.responses.create({ model: 'm', input: 'Hi' })).rejects.toMatchObject({
    status: 404,
    param: 'model',
    code: 'model_not_found',
  });
});
