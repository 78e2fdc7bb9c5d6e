import { html, render } from '@tallyport/pages';
import { expect, test } from 'vitest';
import { priceChangesPanel, priceSince } from './price-changes.ts';

const now = Date.parse('2026-11-27T00:00:00Z');
const offer = (from: string) => ({
  providerId: 'alpha',
  modelName: 'm',
  pricing: {},
  price_changes: [{ from, class: 'prompt', old: '0.000004', new: '0.000005', source: 'its blog' }],
  available: true,
  vision: false,
  tools: false,
  reasoning: false,
  streaming: true,
});
const shown = (...offers: ReturnType<typeof offer>[]) => render(html`${priceChangesPanel({ providers: offers }, now)}`);
const text = (page: string) => page.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

test('changes of the last 90 days and of the future are shown, the newest first', () => {
  const page = text(shown(offer('2026-08-29T00:00:00Z'), offer('2026-12-01T12:30:00Z')));
  expect(page).toContain('2026-12-01 12:30 alpha prompt $4.00 $5.00 its blog 2026-08-29 alpha prompt $4.00 $5.00');
});

test.each([
  ['a day earlier', [offer('2026-08-28T00:00:00Z')]],
  ['none', []],
])('nothing is shown of changes %s', (_name, offers) => {
  expect(priceChangesPanel({ providers: offers }, now)).toBe(undefined);
});

test('an offer has the day and the source of its price', () => {
  const origin = { price_since: '2026-11-22T00:00:00Z', price_source: 'its blog' };
  expect(text(render(priceSince(origin))).trim()).toBe('2026-11-22 its blog');
  expect(text(render(priceSince({}))).trim()).toBe('–');
});
