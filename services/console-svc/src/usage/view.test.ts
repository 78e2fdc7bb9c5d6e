import { noSums } from '@switchyard/management/testing';
import { render } from '@switchyard/pages';
import { expect, test } from 'vitest';
import { usagePage } from './view.ts';

const columnsWith = (counts: Partial<typeof noSums>): string[] => {
  const sums = { ...noSums, ...counts };
  const groups = [
    { name: 'a', sums: noSums },
    { name: 'b', sums },
  ];
  const page = usagePage({
    base: '',
    days: 7,
    grouping: 'model',
    total: sums,
    byDay: [],
    groups,
    onlyOwn: false,
    exportHref: '',
  });
  return [...render(page).matchAll(/<th [^>]*>([^<]+)</g)].map(([, title = '']) => title.trim());
};

test('counts of images, characters and seconds, and savings, have a column only if they are used', () => {
  const before = ['Model', 'Requests', 'Failed', 'Cached', 'Tokens in', 'Tokens out'];
  expect(columnsWith({})).toEqual([...before, 'Cost']);
  expect(columnsWith({ characters: 1 })).toEqual([...before, 'Characters', 'Cost']);
  expect(columnsWith({ images: 2, characters: 1 })).toEqual([...before, 'Images', 'Characters', 'Cost']);
  expect(columnsWith({ promptCacheSavings: '0.1' })).toEqual([...before, 'Saved by prompt caches', 'Cost']);
});
