import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readYaml } from '@tallyport/wire/yaml';
import { expect, test } from 'vitest';
import { identitySchema } from './identity-schema.ts';

const read = (name: string) => readFile(join(import.meta.dirname, '../../../../../docs', name), 'utf8');
const parse = (block: string) => identitySchema.safeParse(readYaml(block).value);

test('the rules in docs/workload-identity.md are valid', async () => {
  const text = await read('workload-identity.md');
  const [, block = ''] = /<!-- identity\.yaml -->\s+```yaml\n([^`]+)```/.exec(text) ?? [];
  expect(parse(block).data?.workloads.map(({ id }) => id)).toEqual(['research-bots', 'release']);
});

test('the rules in docs/projects.md are valid', async () => {
  const text = await read('projects.md');
  const [, block = ''] = /<!-- identity\.yaml -->\s+```yaml\n([^`]+)```/.exec(text) ?? [];
  const { providers = [], workloads = [] } = parse(block).data ?? {};
  expect(providers[0]?.access.map(({ project, projectRole }) => [project, projectRole])).toEqual([
    ['search', undefined],
    ['search', 'admin'],
  ]);
  expect(workloads.map(({ project }) => project)).toEqual(['search']);
});

test('the examples in docs/identity.md are valid', async () => {
  const text = await read('identity.md');
  const blocks = [...text.matchAll(/<!-- identity\.yaml -->\s+```yaml\n([^`]+)```/g)].map(([, block = '']) => block);
  const [, inConfigMap = ''] = /identity\.yaml: \|\n([^`]+)```/.exec(text) ?? [];
  const documents = [...blocks, inConfigMap].map(parse);
  expect(documents.map(({ error }) => error?.message)).toEqual(documents.map(() => undefined));
  expect(documents.map(({ data }) => data?.providers[0]?.id)).toEqual([
    'acme',
    'entra',
    'okta',
    'google',
    'keycloak',
    'acme',
  ]);
});
