import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gatherIngredients } from '../ingredients.ts';
import { applyLayer } from '../layers/apply-layer.ts';
import { readDataFiles } from '../read-data.ts';
import { parseOperatorFile } from './read-operator-file.ts';

test("README's example can be used as it stands", async () => {
  const readme = await readFile(join(import.meta.dirname, '../../../../README.md'), 'utf8');
  const [, example = ''] = /<!-- switchyard\.yaml -->\s+```yaml\n([^`]+)```/.exec(readme) ?? [];
  const base = gatherIngredients(await readDataFiles(join(import.meta.dirname, '../data')));
  const providers = [...base.models.values()].flatMap(({ offers }) => offers.map(({ provider }) => provider));
  const { layer } = parseOperatorFile('README.md', example);
  const after = applyLayer(base, layer, new Set(providers));
  expect(after.models.get('house-model')?.offers.map(({ provider }) => provider)).toEqual(['my-vllm']);
  expect(after.models.get('gpt-5.5')?.offers[0]?.pricing['prompt']).toBe('0.000004');
  expect(after.models.has('o3')).toBe(false);
});
