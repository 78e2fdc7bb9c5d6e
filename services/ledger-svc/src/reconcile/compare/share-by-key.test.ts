import { expect, test } from 'vitest';
import { shareByKey } from './share-by-key.ts';

const place = { day: '2026-11-02', model: 'gpt-6-astra' };
const line = (amount: string, rest: object = {}) => ({ ...place, billedClass: 'input', amount, ...rest });
const use = (keyId: string, input: number, rest: object = {}) => ({ ...place, keyId, counts: { input }, ...rest });

test('an amount is divided by what the keys used, to the last digit', () => {
  expect(shareByKey([line('0.01')], [use('one', 1), use('two', 2), use('three', 0)])).toEqual([
    line('0.003333333333333', { keyId: 'one' }),
    line('0.006666666666667', { keyId: 'two' }),
  ]);
});

test('an amount of a tier is divided by the use in that tier, one without a tier by all', () => {
  const uses = [use('one', 1, { tier: 'priority' }), use('two', 1, { tier: 'flex' }), use('three', 2)];
  expect(shareByKey([line('0.01', { tier: 'priority' }), line('0.04')], uses)).toEqual([
    line('0.01', { tier: 'priority', keyId: 'one' }),
    line('0.01', { keyId: 'one' }),
    line('0.01', { keyId: 'two' }),
    line('0.02', { keyId: 'three' }),
  ]);
});

test('an amount of a key, and one of which nothing was counted, stay as they are', () => {
  const lines = [line('1', { keyId: 'two' }), line('2', { billedClass: 'output' }), line('3', { day: '2026-11-03' })];
  expect(shareByKey(lines, [use('one', 1)])).toEqual(lines);
});
