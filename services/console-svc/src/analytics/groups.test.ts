import { noSums } from '@tallyport/management/testing';
import { expect, test } from 'vitest';
import { groupsOf } from './groups.ts';

const point = (at: string, cost: string, key?: string) => ({
  ...noSums,
  at,
  requests: 1,
  cost,
  ...(key !== undefined && { key }),
});

test('groups are in order of their cost, and all others are the last', () => {
  const points = [
    point('2026-11-20T00:00:00Z', '1', 'key_a'),
    point('2026-11-20T00:00:00Z', '9'),
    point('2026-11-20T00:00:00Z', '2', 'key_b'),
    point('2026-11-21T00:00:00Z', '4', 'key_a'),
  ];
  const groups = groupsOf(points, 'key', (id) => id.toUpperCase());
  expect(groups.map(({ id, title, total: { cost, requests } }) => [id, title, cost, requests])).toEqual([
    ['key_a', 'KEY_A', 5, 2],
    ['key_b', 'KEY_B', 2, 1],
    [undefined, 'All others', 9, 1],
  ]);
  expect(groups[0]?.parts.get('2026-11-21T00:00:00Z')?.cost).toBe(4);
});

test('requests without a model or provider have a name', () => {
  const refused = { ...noSums, at: '', model: '', provider: '' };
  expect(groupsOf([refused], 'model', String)[0]?.title).toBe('No model');
  expect(groupsOf([refused], 'provider', String)[0]?.title).toBe('No provider');
});
