import { expect, test } from 'vitest';
import { assumptionsIn, movedTo, sliders, stillAt } from './assumptions.ts';

const providers = ['north', 'south'];
const still = {
  'known.north': '92',
  'uptime.north': '92',
  'price.north': '1',
  'slowness.north': '1',
  'known.south': '100',
  'uptime.south': '100',
  'price.south': '1',
  'slowness.south': '1',
};

test('sliders that were left where they were assume nothing', () => {
  expect(assumptionsIn(still, providers)).toBeUndefined();
  expect(assumptionsIn({}, providers)).toBeUndefined();
});

test('moved sliders become the parameters of explain', () => {
  const query = assumptionsIn({ ...still, 'uptime.north': '50', 'price.north': '2.5', 'price.south': '0' }, providers);
  expect(Object.fromEntries(new URLSearchParams(query))).toEqual({ uptime: 'north:50', price: 'north:2.5,south:0' });
});

test('fields of other providers and values outside of a slider are not passed on', () => {
  expect(assumptionsIn({ 'uptime.stranger': '5' }, providers)).toBeUndefined();
  expect(assumptionsIn({ ...still, 'price.north': '1e9' }, providers)).toBeUndefined();
  expect(assumptionsIn({ ...still, 'slowness.north': '900' }, providers)).toBe('slowness=north%3A5');
});

test('each slider begins where it assumes nothing', () => {
  for (const slider of sliders) {
    const value = String(stillAt(slider, 0.924));
    const fields = { 'known.north': '92', [`${slider.name}.north`]: value };
    expect([slider.name, movedTo(slider, 'north', fields)]).toEqual([slider.name, undefined]);
  }
});
