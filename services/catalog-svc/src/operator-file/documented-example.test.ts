import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gatherIngredients } from '../ingredients.ts';
import { applyLayer } from '../layers/apply-layer.ts';
import { readDataFiles } from '../read-data.ts';
import { parseOperatorFile } from './read-operator-file.ts';

test('the example in docs/catalogue.md is valid', async () => {
  const guide = await readFile(join(import.meta.dirname, '../../../../docs/catalogue.md'), 'utf8');
  const [, example = ''] = /<!-- tallyport\.yaml -->\s+```yaml\n([^`]+)```/.exec(guide) ?? [];
  const base = gatherIngredients(await readDataFiles(join(import.meta.dirname, '../data')));
  const providers = [...base.models.values()].flatMap(({ offers }) => offers.map(({ provider }) => provider));
  const { layer } = parseOperatorFile('docs/catalogue.md', example);
  const after = applyLayer(base, layer, new Set(providers));
  expect(after.models.get('house-model')?.offers.map(({ provider }) => provider)).toEqual(['my-vllm']);
  expect(after.models.get('gpt-5.5')?.offers[0]?.pricing?.prompt).toBe('0.000004');
  expect(after.models.has('gpt-5.2')).toBe(false);
});
