import { expect, test } from 'vitest';
import { answerBounds, countAnswers } from './answer-bounds.ts';

const times = (count: number, work: () => void): void => {
  for (let at = 0; at < count; at += 1) work();
};

test('the messages of one call or list are bounded', () => {
  const { message } = countAnswers(1_000);
  times(answerBounds.messages, message);
  expect(message).toThrow('sent too many messages.');
});

test('so are our requests', () => {
  const { request } = countAnswers(1_000);
  times(answerBounds.requests, request);
  expect(request).toThrow('caused too many requests.');
});

test('and the bytes of all its responses together', () => {
  const { bytes } = countAnswers(1_000);
  bytes(999);
  bytes(1);
  expect(() => bytes(1)).toThrow('sent a response that is too large.');
});
