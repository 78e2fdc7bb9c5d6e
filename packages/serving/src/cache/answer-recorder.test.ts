import { expect, test } from 'vitest';
import type { Entry } from './entry.ts';
import { Flight } from './flight.ts';
import { createAnswerRecorder } from './answer-recorder.ts';

const bodyOf = (length: number): Buffer[] => [Buffer.alloc(length - 1, 'a'), Buffer.from('b')];

function recording(maxBytes: number) {
  const kept: Entry[] = [];
  const flight = new Flight();
  const memory = { held: 0, limit: 1_000 };
  return {
    kept,
    flight,
    recorder: createAnswerRecorder({ flight, maxBytes, memory, keep: (entry) => kept.push(entry) }),
  };
}

test('keeps an answer of the maximum size, but none that is one byte larger', () => {
  const fits = recording(100);
  fits.recorder.whole('one', bodyOf(100));
  const entry = { form: 'document', provider: 'one', body: Buffer.concat(bodyOf(100)) };
  expect([fits.kept, fits.flight.result]).toEqual([[entry], { kind: 'answer', entry }]);
  const tooLarge = recording(100);
  tooLarge.recorder.whole('one', bodyOf(101));
  expect([tooLarge.kept, tooLarge.flight.result]).toEqual([[], { kind: 'alone' }]);
});

test('passes an answer that is too large to the requests that wait for it', () => {
  const { kept, flight, recorder } = recording(100);
  flight.follow();
  recorder.whole('one', bodyOf(101));
  const entry = { form: 'document', provider: 'one', body: Buffer.concat(bodyOf(101)) };
  expect([kept, flight.result]).toEqual([[], { kind: 'answer', entry }]);
});

test('passes an incomplete answer only to the first caller', () => {
  const { kept, flight, recorder } = recording(100);
  flight.follow();
  recorder.incomplete();
  expect([kept, flight.result]).toEqual([[], { kind: 'alone' }]);
});
