import { html, render } from '@tallyport/pages';
import { expect, test } from 'vitest';
import { firstSentence, prose } from './prose.ts';

const shown = (text: string): string => render(html`${prose(text)}`);

test('paragraphs with code and bold text', () => {
  expect(shown('**Use** `a < b`\nhere.\n\nNext.')).toBe(
    '<p><strong>Use</strong> <code>a &lt; b</code>\nhere.</p><p>Next.</p>',
  );
});

test('a table', () => {
  const page = shown('| status | code |\n| --- | --- |\n| 400 | `invalid_json` |');
  expect([...page.matchAll(/<t[hd]\s[^>]*>\s*(.*?)\s*<\/t[hd]>/gs)].map(([, cell]) => cell)).toEqual([
    'status',
    'code',
    '400',
    '<code>invalid_json</code>',
  ]);
});

test('the first sentence of a summary', () => {
  expect(firstSentence('Returns a key. It is `gpt-6-luna`.')).toBe('Returns a key.');
  expect(firstSentence('Returns v1.5 of it')).toBe('Returns v1.5 of it');
});
