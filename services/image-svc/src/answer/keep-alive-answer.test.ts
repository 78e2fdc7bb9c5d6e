import { GatewayError } from '@tallyport/contracts';
import { expect, test } from 'vitest';
import { keepAliveBody } from './keep-alive-answer.ts';

async function textOf(body: AsyncIterable<Uint8Array>, onPiece: (pieces: number) => void = () => {}): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) {
    pieces.push(piece);
    onPiece(pieces.length);
  }
  return Buffer.concat(pieces).toString();
}

async function* answer() {
  yield Buffer.from('{"data":');
  yield Buffer.from('[]}');
}

test('sends whitespace until the answer arrives; together they are valid JSON', async () => {
  const pending = Promise.withResolvers<AsyncIterable<Uint8Array>>();
  const text = await textOf(keepAliveBody(pending.promise, 1), (pieces) => {
    if (pieces === 3) pending.resolve(answer());
  });
  expect(text).toMatch(/^( \n){3}\{"data":\[\]\}$/);
  expect(JSON.parse(text)).toEqual({ data: [] });
});

test('sends an error in place of the answer', async () => {
  const error = new GatewayError('content_policy_violation', 'Refused.');
  const text = await textOf(keepAliveBody(Promise.reject(error), 1));
  expect(JSON.parse(text)).toEqual({
    error: { message: 'Refused.', type: 'invalid_request_error', param: null, code: 'content_policy_violation' },
  });
});
