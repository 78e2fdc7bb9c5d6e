import { modelOf, offerOf } from '@tallyport/contracts/testing';
import { expect, test } from 'vitest';
import { catalogueAt } from './held-catalogue.ts';

const swift = modelOf('swift', [offerOf('alpha', { pricing: { prompt: '0.1' } })]);
const dearer = modelOf('swift', [offerOf('alpha', { pricing: { prompt: '0.2' } })]);
const slow = modelOf('slow', [offerOf('beta')]);
const catalogue = {
  version: '1',
  models: [swift, slow],
  next: { at: '2026-11-22T00:00:00.000Z', version: '2', models: [dearer] },
};
const midnight = Date.parse('2026-11-22');

test.each([
  ['is as it was a moment before its date', midnight - 1, catalogue],
  ['is changed at its date', midnight, { version: '2', models: [dearer, slow] }],
  ['without a date is always the same', Infinity, { version: '1', models: [swift] }, { version: '1', models: [swift] }],
])('a catalogue %s', (_name, now, expected, before = catalogue) => {
  expect(catalogueAt(before, now)).toEqual(expected);
});
