import { GatewayError } from '@switchyard/contracts';
import { expect, test } from 'vitest';
import { patientBody } from './patient-answer.ts';
import { thenDone } from './then-done.ts';

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

test('whitespace as long as nothing comes, then the answer: JSON as a whole', async () => {
  const pending = Promise.withResolvers<AsyncIterable<Uint8Array>>();
  const text = await textOf(patientBody(pending.promise, 1), (pieces) => {
    if (pieces === 3) pending.resolve(answer());
  });
  expect(text).toMatch(/^( \n){3}\{"data":\[\]\}$/);
  expect(JSON.parse(text)).toEqual({ data: [] });
});

test('an error in the place of the answer', async () => {
  const error = new GatewayError('content_policy_violation', 'Refused.');
  const text = await textOf(patientBody(Promise.reject(error), 1));
  expect(JSON.parse(text)).toEqual({
    error: { message: 'Refused.', type: 'invalid_request_error', param: null, code: 'content_policy_violation' },
  });
});

test('what is to be done when a body has left is done, left early or not', async () => {
  const done: string[] = [];
  await textOf(thenDone(answer(), () => done.push('whole')));
  for await (const _piece of thenDone(answer(), () => done.push('left'))) break;
  expect(done).toEqual(['whole', 'left']);
});
