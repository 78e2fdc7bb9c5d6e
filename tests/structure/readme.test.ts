import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chatProviders } from '@switchyard/providers';
import { expect, test } from 'vitest';
import { featureTable } from './feature-table.ts';
import { root } from './sources.ts';

// When this is red a provider was added or learnt something: `npm run docs` writes the table anew.
test('the README shows every provider and what it can do', async () => {
  const file = join(root, 'README.md');
  const block = /(?<=<!-- providers -->\n)[\s\S]*?(?=<!-- end of providers -->)/;
  const text = readFileSync(file, 'utf8');
  expect(text).toMatch(block);
  await expect(text.replace(block, () => `\n${featureTable(chatProviders)}\n\n`)).toMatchFileSnapshot(file);
});
