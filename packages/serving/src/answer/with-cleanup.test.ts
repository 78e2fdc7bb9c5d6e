import { expect, test } from 'vitest';
import { withCleanup } from './with-cleanup.ts';

const piece = new Uint8Array(1);

test('runs the cleanup once the body was sent or abandoned', async () => {
  const done: string[] = [];
  const whole: Uint8Array[] = [];
  for await (const sent of withCleanup([piece, piece], () => done.push('whole'))) whole.push(sent);
  for await (const _sent of withCleanup([piece, piece], () => done.push('left'))) break;
  expect({ whole, done }).toEqual({ whole: [piece, piece], done: ['whole', 'left'] });
});

test('a body in one piece is sent as it is', async () => {
  const sent: Uint8Array[] = [];
  for await (const whole of withCleanup(piece, () => {})) sent.push(whole);
  expect(sent).toEqual([piece]);
});
