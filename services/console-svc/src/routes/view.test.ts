import { render } from '@tallyport/pages';
import { expect, test } from 'vitest';
import { routesPage } from './view.ts';

test('the shares of targets are rounded', () => {
  const targets = [57, 43].map((weight) => ({ model: 'a', weight }));
  const page = render(
    routesPage({
      base: '/d',
      routes: [{ name: 'fast', createdAt: '', updatedAt: '', targets, then: [], when: [], onContentFilter: 'stop' }],
      obstacles: new Map(),
      served: undefined,
      others: [],
      mayChange: false,
    }),
  );
  expect(page.match(/<\/code> [^<]+ %/g)).toEqual(['</code> 57 %', '</code> 43 %']);
  expect(page).toContain('Only an owner can change them.');
});
