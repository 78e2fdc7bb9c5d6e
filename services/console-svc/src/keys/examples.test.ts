import { render } from '@tallyport/pages';
import { expect, test } from 'vitest';
import { exampleParts } from './examples.ts';

const place = { url: 'https://gateway.example', key: 'tp-1' };
const textsOf = (parts: ReturnType<typeof exampleParts>) =>
  parts.map((part) => render(part).replaceAll(/&(quot|#39);/g, '"'));

test('name the model, the address and the key, and leave no placeholder', () => {
  const texts = textsOf(exampleParts({ ...place, model: 'gpt-6-luna' }));
  const named = texts.flatMap((text) => [...text.matchAll(/\bmodel\b\W{1,4}([\w.-]+)/g)].map(([, name]) => name));
  expect(named).toEqual(['gpt-6-luna', 'gpt-6-luna', 'gpt-6-luna']);
  for (const text of texts) {
    expect(text).toContain('https://gateway.example/');
    expect(text).toContain('tp-1');
    expect(text).not.toMatch(/\{(url|key|model)\}/);
  }
});

test('without a callable model, only the MCP configuration is shown', () => {
  expect(textsOf(exampleParts({ ...place, model: undefined }))).toEqual([expect.stringContaining('mcpServers')]);
});
