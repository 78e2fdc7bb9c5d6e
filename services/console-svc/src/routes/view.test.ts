import { render } from '@tallyport/pages';
import { expect, test } from 'vitest';
import { routesPage } from './view.ts';

const targets = [57, 43].map((weight) => ({ model: 'a', weight }));
const shown = (changes: Partial<Parameters<typeof routesPage>[0]> = {}): string =>
  render(
    routesPage({
      base: '/d',
      routes: [{ name: 'fast', createdAt: '', updatedAt: '', targets, then: [], when: [], onContentFilter: 'stop' }],
      obstacles: new Map(),
      served: undefined,
      others: [],
      isOfAll: false,
      mayChange: false,
      ...changes,
    }),
  );

test('the shares of targets are rounded', () => {
  const page = shown();
  expect(page.match(/<\/code> [^<]+ %/g)).toEqual(['</code> 57 %', '</code> 43 %']);
  expect(page).toContain('Only an owner can change them.');
});

test('members see that the shares are those of their own requests, with a link to the usage', () => {
  const served = new Map([['fast', { since: '2026-11-20T00:00:00.000Z', shares: new Map(), byWeight: 8, others: 0 }]]);
  expect(shown({ served })).toContain('8 of your requests by weight');
  expect(shown({ served, isOfAll: true })).toContain('8 requests by weight');
  expect(shown({ served })).toContain('/d/routes/fast/usage');
});
