import { expect, test, vi } from 'vitest';
import { Linger } from './linger.ts';

const mebibyte = 1024 * 1024;

test('answers acknowledged while they are kept make room for later ones', () => {
  const linger = new Linger<{ keptBytes: number }>();
  for (let index = 0; index < 600; index++) {
    const answer = { keptBytes: mebibyte / 2 };
    linger.keep(`old ${index}`, answer);
    answer.keptBytes = 0;
  }
  const answers = Array.from({ length: 8 }, () => ({ keptBytes: mebibyte }));
  for (const [index, answer] of answers.entries()) linger.keep(`new ${index}`, answer);
  expect(answers.map((_, index) => linger.get(`new ${index}`))).toEqual(answers);
});

test('drops the oldest answer only beyond the limit in bytes', () => {
  const linger = new Linger<{ keptBytes: number }>();
  for (let index = 0; index < 8; index++) linger.keep(`${index}`, { keptBytes: mebibyte });
  expect(linger.get('0')).toEqual({ keptBytes: mebibyte });
  linger.keep('8', { keptBytes: 1 });
  expect([linger.get('0'), linger.get('1')]).toEqual([undefined, { keptBytes: mebibyte }]);
});

test('an answer that is released makes room for later ones', () => {
  const linger = new Linger<{ keptBytes: number }>();
  for (let index = 0; index < 8; index++) linger.keep(`${index}`, { keptBytes: mebibyte });
  linger.release('3');
  linger.release('unknown');
  linger.keep('8', { keptBytes: mebibyte });
  expect([linger.get('3'), linger.get('0')]).toEqual([undefined, { keptBytes: mebibyte }]);
});

test('answers are recent for ten seconds', ({ onTestFinished }) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const linger = new Linger<{ keptBytes: number }>();
  linger.keep('old', { keptBytes: 1 });
  vi.advanceTimersByTime(1);
  linger.keep('new', { keptBytes: 2 });
  vi.advanceTimersByTime(9_999);
  expect(linger.recent()).toEqual([{ keptBytes: 1 }, { keptBytes: 2 }]);
  vi.advanceTimersByTime(1);
  expect(linger.recent()).toEqual([{ keptBytes: 2 }]);
});
