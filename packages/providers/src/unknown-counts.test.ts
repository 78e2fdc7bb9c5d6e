import { expect, test } from 'vitest';
import { unknownCounts } from './unknown-counts.ts';

const known = { input_tokens: true, details: { cached_tokens: true } } as const;

test.each<[string, object, string[] | undefined]>([
  ['nothing but known members', { input_tokens: 3, details: { cached_tokens: 1 } }, undefined],
  ['no usage', {}, undefined],
  ['a zero', { future_tokens: 0, details: { future_tokens: 0 } }, undefined],
  ['texts, flags and nulls', { tier: 'flex', is_byok: true, details: null, other: null }, undefined],
  [
    'times and money',
    { queue_time: 0.1, totalDuration: 7, tokens_per_second: 80, cost_details: { sum: 1 } },
    undefined,
  ],
  ['an unknown count', { future_tokens: 7 }, ['future_tokens']],
  ['one in a known object', { details: { cached_tokens: 1, future_tokens: 7 } }, ['details.future_tokens']],
  ['one in an unknown object', { future: { deep: { tokens: 7 } } }, ['future']],
  ['one in an unknown list', { by_modality: [{ modality: 'SMELL', tokens: 7 }] }, ['by_modality']],
  ['a name with other characters', { 'future tokens\n': 7 }, ['future_tokens_']],
])('%s', (_what, raw, names) => {
  expect(unknownCounts(raw as Record<string, unknown>, known)).toEqual(names);
});

test.each<[string, string[] | undefined]>([
  ['{"__proto__":{"__proto__":{"x":1}}}', ['__proto__']],
  ['{"constructor":{"constructor":{"constructor":1}}}', ['constructor']],
  ['{"toString":0,"details":{"__proto__":{"x":1}}}', ['details.__proto__']],
  [`{"x":${'{"x":'.repeat(4)}1${'}'.repeat(5)}`, undefined],
])('a member named like one of objects is a name like others: %s', (raw, names) => {
  expect(unknownCounts(JSON.parse(raw), known)).toEqual(names);
});

test('20 names are kept, of 64 characters each', () => {
  const raw = (count: number, length: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${at}`.padStart(length, 'x'), 1]));
  expect(unknownCounts(raw(20, 64), known)).toEqual(Object.keys(raw(20, 64)));
  expect(unknownCounts(raw(21, 64), known)).toHaveLength(20);
  expect(unknownCounts(raw(1, 65), known)?.map(({ length }) => length)).toEqual([64]);
});
