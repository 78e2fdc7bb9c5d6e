import { type FieldSpec, formPart, render } from '@tallyport/pages';
import { expect, test } from 'vitest';
import { sessionEndedPage } from './session-ended.ts';

const fields: FieldSpec[] = [
  { name: 'label', label: 'Label', kind: 'text' },
  { name: 'key', label: 'Key', kind: 'secret', required: true },
  { name: 'spare', label: 'Spare key', kind: 'secret' },
];

/** The fields that a browser sends: those of the form as it is written, with what was typed. */
function posted(typed: Readonly<Record<string, string>>): Record<string, string> {
  const form = render(formPart({ action: '/here', csrfToken: 'token', state: { values: {} }, groups: [{ fields }], button: 'Save' })); // prettier-ignore
  const names = [...form.matchAll(/name="([^"]+)"(?: value="([^"]*)")?/g)];
  return { ...Object.fromEntries(names.map(([, name = '', value = '']) => [name, value])), ...typed };
}

test('keeps what was entered, but no secrets, and names those', () => {
  const page = render(sessionEndedPage({ action: '/here', fields: posted({ label: 'research', key: 'sk-secret' }) }));
  expect(page).toContain('name="label" value="research"');
  expect(page).not.toContain('sk-secret');
  expect(page).not.toContain('name="key"');
  expect(page).toContain('Secrets are not kept. Enter again: Key.');
});

test('says nothing about secrets if none was entered', () => {
  const page = render(sessionEndedPage({ action: '/here', fields: posted({ label: 'research' }) }));
  expect(page).not.toContain('Secrets are not kept');
});

test('keeps the marks of secrets: the session may end again before the form is sent', () => {
  const first = render(sessionEndedPage({ action: '/here', fields: posted({ key: 'sk-secret' }) }));
  expect(first).toContain('name="secret:key" value="Key"');
});
