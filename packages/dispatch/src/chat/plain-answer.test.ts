import { once } from 'node:events';
import { type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { GatewayError } from '@tallyport/contracts';
import { stringifyWithLongStrings } from '@tallyport/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ServedCompletion } from './chat-dispatch.ts';
import { type DispatchBench, startDispatchBench } from '../testing/dispatch-bench.ts';

const mebibyte = 1024 * 1024;
const image = 'iVBORw0KGgo/'.repeat(mebibyte / 6);
const usage = {
  prompt_tokens: 1,
  completion_tokens: 2,
  total_tokens: 3,
  prompt_tokens_details: { cached_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 0 },
};
const url = `data:image/png;base64,${image}`;

const message = (changes: object) => ({ role: 'assistant', content: 'text', refusal: null, ...changes });
const answerOf = (changes: object, rest: object = { usage }) => ({
  id: 'chatcmpl-theirs',
  object: 'chat.completion',
  created: 1,
  model: 'theirs',
  choices: [{ index: 0, message: message(changes), logprobs: null, finish_reason: 'stop' }],
  ...rest,
});

let deliver: (response: ServerResponse) => void;
const server = createServer((request, response) => request.resume().on('end', () => deliver(response)));
let bench: DispatchBench;

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  bench = await startDispatchBench({ baseUrl, maxResponseBytes: 8 * mebibyte });
});
afterAll(async () => {
  await bench.close();
  server.close();
});

const json = { 'content-type': 'application/json' };
const send = (body: unknown) => (response: ServerResponse) => {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(200, { ...json, 'content-length': bytes.length }).end(bytes);
};
const ask = () => bench.dispatch.complete(bench.job());
const failureOf = () =>
  ask().then(
    () => expect.unreachable(),
    (error: GatewayError) => error,
  );
const written = ({ completion, longStrings }: ServedCompletion) =>
  JSON.parse(Buffer.concat(stringifyWithLongStrings(completion, longStrings)).toString());

describe('a long string', () => {
  test.each<[string, object]>([
    ['as the content', { content: image }],
    ['in a data URL', { images: [{ type: 'image_url', image_url: { url }, index: 0 }] }],
    ['in an unknown member', { unknown: { deep: [image, 'short'] } }],
    ['several times', { content: image, reasoning_content: url, refusal: image }],
    ['with escapes', { content: `${image}\n"${image}"` }],
  ])('%s is delivered unchanged', async (_name, changes) => {
    deliver = send(answerOf(changes));
    expect(written(await ask())).toEqual(answerOf(changes));
  });

  test('stays in the bytes that the provider sent, in slices', async () => {
    deliver = send(answerOf({ content: image }));
    const { completion, longStrings } = await ask();
    expect(longStrings.byPlaceholder.size).toBe(1);
    const slices = longStrings.byPlaceholder.get(completion.choices[0]?.message.content ?? '') ?? [];
    expect(Buffer.concat(slices).toString()).toBe(image);
  });

  test('counts in full if the provider reports no usage', async () => {
    deliver = send(answerOf({ content: image }, {}));
    expect((await ask()).completion.usage?.completion_tokens).toBe(image.length / 4);
  });

  test('in an error is quoted as the provider wrote it', async () => {
    deliver = send({ error: { message: image, code: 400 } });
    expect(await failureOf()).toMatchObject({ code: 'invalid_parameters', message: image.slice(0, 1_000) });
  });

  test('does not repair broken JSON', async () => {
    deliver = (response) => response.writeHead(200, json).end(`{"choices":["${image}"]`);
    expect(await failureOf()).toMatchObject({ code: 'all_providers_failed' });
    deliver = (response) => response.writeHead(200, json).end(`{"choices":["${image}\n"]}`);
    expect(await failureOf()).toMatchObject({ code: 'all_providers_failed' });
  });
});

test('a tool’s arguments that broke off reach the client unchanged, with the reason', async () => {
  const called = { name: 'weather', arguments: '{"city":"Oslo", "da' };
  const said = message({ content: null, tool_calls: [{ id: 'call_1', type: 'function', function: called }] });
  const body = answerOf({}, { usage, choices: [{ index: 0, message: said, logprobs: null, finish_reason: 'length' }] });
  deliver = send(body);
  expect(written(await ask())).toEqual(body);
});

describe('a large body', () => {
  const body = answerOf({ content: image });
  const bytes = Buffer.from(JSON.stringify(body));

  test.each<[string, (response: ServerResponse) => void]>([
    ['with its length', send(body)],
    ['in chunks', (response) => response.writeHead(200, json).end(bytes)],
    [
      'encoded, with the length of the encoded',
      (response) => {
        const encoded = gzipSync(bytes, { level: 0 });
        response.writeHead(200, { ...json, 'content-encoding': 'gzip', 'content-length': encoded.length }).end(encoded);
      },
    ],
  ])('%s is read whole', async (_name, sent) => {
    deliver = sent;
    expect(written(await ask())).toEqual(body);
  });

  test('that breaks off before its declared length was cut off', async () => {
    deliver = (response) => {
      response.writeHead(200, { ...json, 'content-length': bytes.length });
      response.write(bytes.subarray(0, mebibyte), () => response.destroy());
    };
    await failureOf();
    expect(bench.outcomes.at(-1)?.attempts.map(({ error_type: type }) => type)).toEqual([
      'provider_truncated',
      'provider_truncated',
      'provider_truncated',
    ]);
  });

  test('that declares more than the limit is read only up to the limit', async () => {
    deliver = (response) => {
      response.writeHead(200, { ...json, 'content-length': 1_000 * 1_000 * mebibyte });
      const more = (): void => void (response.destroyed || response.write(bytes, more));
      more();
    };
    expect((await failureOf()).message).toContain(`sent more than ${8 * mebibyte} bytes`);
  });
});
