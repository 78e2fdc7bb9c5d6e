import { expect, test } from 'vitest';
import { render } from '../html.ts';
import { formPart } from './form.ts';

const groups = [
  { fields: [{ name: 'name', label: 'Name', kind: 'text' }] },
  {
    title: 'Limits',
    fields: [
      { name: 'limits.tokens', label: 'Tokens', kind: 'number' },
      { name: 'limits.concurrency', label: 'Concurrent requests', kind: 'number' },
    ],
  },
] as const;

/** The names of the marked fields, and the message at the top. */
function shownFor(field: string | undefined): [string[], string | undefined] {
  const state = { values: {}, problem: { message: 'Too many.', field } };
  const page = render(formPart({ action: '/', csrfToken: 'A'.repeat(43), state, groups, button: 'Save' }));
  const marked = [...page.matchAll(/<p class="wrong" id="([^"]+)-problem">Too many\.<\/p>/g)].map(
    ([, name = '']) => name,
  );
  return [marked, /role="alert">([^<]+)</.exec(page)?.[1]];
}

const atField = 'Correct the marked field below.';

test.each([
  ['name', [['name'], atField]],
  ['limits.concurrency', [['limits.concurrency'], atField]],
  ['limits', [['limits.tokens'], atField]],
  ['budget', [[], 'Too many.']],
  [undefined, [[], 'Too many.']],
])('shows a problem of %s', (field, shown) => {
  expect(shownFor(field)).toEqual(shown);
});

test('a group for one choice names the place of the choice', () => {
  const choices = ['none', 'header', 'oauth'].map((value) => ({ value, text: value }));
  const chosen = [
    { fields: [{ name: 'type', label: 'Type', kind: 'choice', choices }] },
    { title: 'OAuth', onlyFor: { name: 'type', value: 'oauth' }, fields: [] },
  ] as const;
  const page = render(
    formPart({ action: '/', csrfToken: 'A'.repeat(43), state: { values: {} }, groups: chosen, button: 'Save' }),
  );
  expect(page).toContain('<fieldset class="only-for-3">');
});
