import { GatewayError } from '@tallyport/contracts';
import type { DialectStream, StreamFraming } from '@tallyport/dialects';
import { expect, test } from 'vitest';
import { translateStream } from './translate-stream.ts';
import { bytesOf } from './bytes-of.ts';

const stream: DialectStream = {
  chunk: ({ model }) => (model === '' ? [] : [{ data: { model } }]),
  end: () => [],
  fail: ({ message }) => [{ data: { failed: message } }],
};

const chunk = (model: string): string => `data: ${JSON.stringify({ model })}\n\n`;
const done = 'data: [DONE]\n\n';
const error = 'data: {"error":{"message":"Gone.","type":"api_error","param":null,"code":"unavailable"}}\n\n';

async function written(framing: StreamFraming | undefined, pieces: readonly (string | Error)[]) {
  const body = (async function* () {
    for (const piece of pieces) {
      if (piece instanceof Error) throw piece;
      yield Buffer.from(piece);
    }
  })();
  const head = { status: 200, headers: { 'content-type': 'text/event-stream; charset=utf-8', 'x-request-id': 'r' } };
  const answer = translateStream(stream, { head, body }, { framing });
  const text = (await bytesOf(answer.body)).toString();
  return { type: answer.head.headers['content-type'], text };
}

const sse = 'text/event-stream; charset=utf-8';
const json = 'application/json; charset=utf-8';
const lost = new GatewayError('unavailable', 'Lost.');

test.each<[string, StreamFraming | undefined, (string | Error)[], string, string]>([
  ['events', undefined, [chunk('a') + chunk('b'), done], sse, 'data: {"model":"a"}\n\ndata: {"model":"b"}\n\n'],
  ['an empty stream of events', 'events', [done], sse, ''],
  ['silence between events', 'events', [': keep-alive\n\n', done], sse, ': keep-alive\n\n'],
  ['a marked end', 'events until done', [chunk('a'), done], sse, `data: {"model":"a"}\n\n${done}`],
  [
    'no marked end after a failure',
    'events until done',
    [chunk('a'), error],
    sse,
    'data: {"model":"a"}\n\ndata: {"failed":"Gone."}\n\n',
  ],
  [
    'no marked end after a lost body',
    'events until done',
    [chunk('a'), lost],
    sse,
    'data: {"model":"a"}\n\ndata: {"failed":"Lost."}\n\n',
  ],
  [
    'an array',
    'array',
    [chunk('a') + chunk('b'), chunk('c'), done],
    json,
    '[{"model":"a"},\n{"model":"b"},\n{"model":"c"}]',
  ],
  ['an empty array', 'array', [chunk(''), done], json, '[]'],
  [
    'silence in an array',
    'array',
    [': keep-alive\n\n', chunk('a'), ': keep-alive\n\n', done],
    json,
    '\n[{"model":"a"}\n]',
  ],
  ['an array that fails', 'array', [chunk('a'), error], json, '[{"model":"a"},\n{"failed":"Gone."}]'],
  ['an array whose body is lost', 'array', [lost], json, '[{"failed":"Lost."}]'],
])('writes %s', async (_name, framing, pieces, type, text) => {
  expect(await written(framing, pieces)).toEqual({ type, text });
});
