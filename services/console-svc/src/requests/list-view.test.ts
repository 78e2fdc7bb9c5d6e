import { render } from '@tallyport/pages';
import { expect, test } from 'vitest';
import { viewIn } from './filters.ts';
import { requestsPage } from './list-view.ts';

const textOf = (changes: object): string =>
  render(
    requestsPage({
      base: '/d',
      view: viewIn({ sort: 'cost' }, Date.parse('2026-11-23T12:00:00Z')),
      key: undefined,
      member: undefined,
      keyField: undefined,
      projects: [],
      projectText: String,
      keyText: ({ keyId }) => keyId,
      suggestions: { models: [], providers: [], keys: [], endUsers: [] },
      onlyOwn: true,
      problem: undefined,
      sums: undefined,
      exportHref: '/export',
      requests: [],
      isFirst: true,
      isLive: false,
      ...changes,
    }),
  )
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/\s+/g, ' ');

test('a list of which only a part is sorted says which, and how to sort more', () => {
  expect(textOf({ nextCursor: '1.use_1', sortedSince: '2026-11-20T10:00:00.000Z' })).toContain(
    'Only requests since 2026-11-20 10:00 UTC are sorted: 10,000 at most, and fewer where a list has several keys. Choose a shorter period or one key to sort more.',
  );
  expect(textOf({})).not.toContain('are sorted');
});
