import { countUnit, render } from '@tallyport/pages';
import { expect, test } from 'vitest';
import { numberTile } from './number-tile.ts';

test.each([
  [112, 100, '112 +12 % from 100, worse'],
  [100, 100, '100 unchanged'],
  [5, 0, '5 new'],
  [0, 0, '0 –'],
  [5, undefined, '5'],
  [undefined, 5, '–'],
  [2_000_000, 1_000_000, '2M +100 % from 1M, worse'],
])('compares %s with %s', (now, before, text) => {
  const tile = render(numberTile({ title: 'Failed', unit: countUnit, now, before, growth: 'worse' }));
  const words = tile
    .replaceAll(/<\/dd>/g, ' ')
    .replaceAll(/<[^>]+>/g, '')
    .split('Failed')[1];
  expect(words?.trim().replaceAll(/\s+/g, ' ')).toBe(text);
});
