import { expect, test } from 'vitest';
import { html, render } from './html.ts';
import { table } from './parts.ts';

test('a cell without content is marked, because a phone does not show its title', () => {
  const columns = ['Name', { title: 'Cost', kind: 'number' } as const, 'Details'];
  const page = render(table({ caption: 'Keys', columns, rows: [['a', '', html`<b>1</b>`]], empty: 'none' }));
  expect(
    [...page.matchAll(/<td role="cell" class="(.*?)" data-title="(.*?)">/g)].map((found) => found.slice(1)),
  ).toEqual([
    ['', 'Name'],
    ['blank', 'Cost'],
    ['', 'Details'],
  ]);
});
