import { expect, test } from 'vitest';
import { shareByUse } from './share-by-use.ts';

const place = { day: '2026-11-02', model: 'gpt-6-astra' };
const line = (amount: string, rest: object = {}) => ({ ...place, billedClass: 'input', amount, ...rest });
const use = (keyId: string, input: number, rest: object = {}) => ({ ...place, keyId, counts: { input }, ...rest });

test('an amount is divided by what the keys used, to the last digit', () => {
  expect(shareByUse({ lines: [line('0.01')], uses: [use('one', 1), use('two', 2), use('three', 0)] }, true)).toEqual([
    line('0.003333333333333', { keyId: 'one' }),
    line('0.006666666666667', { keyId: 'two' }),
  ]);
});

test('an amount of a tier is divided by the use in that tier, one without a tier by all', () => {
  const uses = [use('one', 1, { tier: 'priority' }), use('two', 1, { tier: 'flex' }), use('three', 2)];
  expect(shareByUse({ lines: [line('0.01', { tier: 'priority' }), line('0.04')], uses: uses }, true)).toEqual([
    line('0.01', { tier: 'priority', keyId: 'one' }),
    line('0.01', { keyId: 'one' }),
    line('0.01', { keyId: 'two' }),
    line('0.02', { keyId: 'three' }),
  ]);
});

test('an amount of a key, and one of which nothing was counted, stay as they are', () => {
  const lines = [line('1', { keyId: 'two' }), line('2', { billedClass: 'output' }), line('3', { day: '2026-11-03' })];
  expect(shareByUse({ lines, uses: [use('one', 1)] }, true)).toEqual(lines);
});

test('an amount without a model is divided by what the models used, of each key only if keys are compared', () => {
  const { model: _model, ...unnamed } = line('0.03');
  const uses = [use('one', 1), use('two', 1, { model: 'other' }), use('one', 5, { day: '2026-11-03' })];
  expect(shareByUse({ lines: [unnamed], uses }, false)).toEqual([
    line('0.015', { model: 'gpt-6-astra' }),
    line('0.015', { model: 'other' }),
  ]);
  expect(shareByUse({ lines: [unnamed], uses }, true)).toEqual([
    line('0.015', { keyId: 'one' }),
    line('0.015', { model: 'other', keyId: 'two' }),
  ]);
  const uncounted = { ...unnamed, billedClass: 'codeSessions' };
  expect(shareByUse({ lines: [uncounted], uses }, true)).toEqual([uncounted]);
});
