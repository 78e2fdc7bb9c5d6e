import { render } from '@switchyard/pages';
import { expect, test } from 'vitest';
import { exampleParts } from './examples.ts';

const place = { url: 'https://gateway.example', key: 'sy-1' };
const textsOf = (parts: ReturnType<typeof exampleParts>) =>
  parts.map((part) => render(part).replaceAll(/&(quot|#39);/g, '"'));

test.each([
  ['any model', undefined, 'sandbox-chat'],
  ['no list', [], 'sandbox-chat'],
  ['some models', ['gpt-4o', 'gpt-5.1'], 'gpt-4o'],
])('a key for %s gets examples with a model it can call', (_name, allowedModels, model) => {
  const texts = textsOf(exampleParts({ ...place, allowedModels }));
  const named = texts.flatMap((text) => [...text.matchAll(/\bmodel\b\W{1,4}([\w.-]+)/g)].map(([, name]) => name));
  expect(named).toEqual([model, model, model]);
});

test('leaves no placeholder', () => {
  for (const text of textsOf(exampleParts(place))) expect(text).not.toMatch(/\{(url|key|model)\}/);
});
