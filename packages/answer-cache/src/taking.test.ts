import { expect, test } from 'vitest';
import type { Entry } from './entry.ts';
import { Flight } from './flight.ts';
import { takeDown } from './taking.ts';

const bodyOf = (length: number): Buffer[] => [Buffer.alloc(length - 1, 'a'), Buffer.from('b')];

function taking(maxBytes: number) {
  const kept: Entry[] = [];
  const flight = new Flight();
  const room = { held: 0, limit: 1_000 };
  return { kept, flight, taken: takeDown({ flight, maxBytes, room, keep: (entry) => kept.push(entry) }) };
}

test('an answer as large as is allowed is kept, and one a byte larger is not', () => {
  const fits = taking(100);
  fits.taken.whole('one', bodyOf(100));
  const entry = { form: 'document', provider: 'one', body: Buffer.concat(bodyOf(100)) };
  expect([fits.kept, fits.flight.landing]).toEqual([[entry], { kind: 'answer', entry }]);
  const tooLarge = taking(100);
  tooLarge.taken.whole('one', bodyOf(101));
  expect([tooLarge.kept, tooLarge.flight.landing]).toEqual([[], { kind: 'alone' }]);
});

test('one that is too large is given to those who wait for it all the same', () => {
  const { kept, flight, taken } = taking(100);
  flight.follow();
  taken.whole('one', bodyOf(101));
  const entry = { form: 'document', provider: 'one', body: Buffer.concat(bodyOf(101)) };
  expect([kept, flight.landing]).toEqual([[], { kind: 'answer', entry }]);
});

test('one that is incomplete is for who asked only', () => {
  const { kept, flight, taken } = taking(100);
  flight.follow();
  taken.incomplete();
  expect([kept, flight.landing]).toEqual([[], { kind: 'alone' }]);
});
