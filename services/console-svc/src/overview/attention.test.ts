import type { AlertRecord, BudgetProgress } from '@tallyport/management';
import { render } from '@tallyport/pages';
import { expect, test } from 'vitest';
import { type Attention, attentionPart } from './attention.ts';

const base = '/dashboard/acme';

const alert = (name: string, ...subjects: string[]): AlertRecord => ({
  id: `alert_${name}`,
  name,
  condition: { type: 'key_expiry', days: 3 },
  enabled: true,
  firing: subjects.map((subjectName) => ({ subject: subjectName, subjectName, value: 1, since: '' })),
  createdAt: '',
  updatedAt: '',
});

const budget = (spentPercent: number): BudgetProgress => ({
  scope: 'key',
  id: 'key_1',
  name: '<b>review</b>',
  amount: '10',
  period: 'month',
  spent: '9',
  left: '1',
  spentPercent,
});

/** Badge and link of each item. */
function itemsOf(attention: Omit<Attention, 'base'>): string[] {
  const text = render(attentionPart({ base, ...attention }));
  const items = [...text.matchAll(/<li>(.*?)<\/li>/gs)].map(([, item = '']) => item);
  return (items.length > 0 ? items : [text]).map((item) =>
    item
      .replaceAll(/<a href="([^"]*)">/g, '[$1] ')
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
}

test('shows what fires, then what is degraded, then what runs out, each with its page', () => {
  expect(
    itemsOf({
      firing: [alert('spend', 'shop', 'search'), alert('one', 'one')],
      providers: [{ name: 'alpha', kind: 'open' }],
      budgets: [budget(86.9), budget(120)],
    }),
  ).toEqual([
    'firing [/dashboard/acme/alerts/alert_spend] spend: shop and 1 more',
    'firing [/dashboard/acme/alerts/alert_one] one',
    'breaker open [/dashboard/acme/providers/alpha] alpha',
    '86 % spent [/dashboard/acme/keys/key_1] Budget of &lt;b&gt;review&lt;/b&gt;',
    '120 % spent [/dashboard/acme/keys/key_1] Budget of &lt;b&gt;review&lt;/b&gt;',
  ]);
});

test('shows four of a kind and how many more there are', () => {
  const firing = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => alert(name, name));
  expect(itemsOf({ firing, providers: [], budgets: [] }).slice(3)).toEqual([
    'firing [/dashboard/acme/alerts/alert_d] d',
    '[/dashboard/acme/budgets] 2 more alerts',
  ]);
});

test('says that all is well as far as it is known', () => {
  const calm = { firing: [], providers: [], budgets: [] };
  expect(itemsOf(calm)).toEqual(['No alert is firing, no provider is degraded and no budget is 80 % spent.']);
  expect(itemsOf({ ...calm, firing: undefined, budgets: undefined })).toEqual(['No provider is degraded.']);
  expect(itemsOf({ firing: undefined, providers: undefined, budgets: undefined })).toEqual([
    'The state of providers and budgets cannot be read now. Open this page again.',
  ]);
});
