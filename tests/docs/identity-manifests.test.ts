import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { namesOf } from '@tallyport/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { kubernetesVersions, problemsOf } from '../deploy/api-schemas.ts';
import { findRenderer } from '../../deploy/k8s/render.ts';
import { type Resource, resourceSchema } from '../deploy/rendered.ts';
import { blockAfter } from './markdown.ts';

const root = join(import.meta.dirname, '../..');
const program = findRenderer();

describe.skipIf(program === undefined)('the manifests that docs/identity.md shows', () => {
  let folder: string;
  let resources: Resource[];
  beforeAll(async () => {
    const text = await readFile(join(root, 'docs/identity.md'), 'utf8');
    await mkdir(join(root, '.cache'), { recursive: true });
    folder = await mkdtemp(join(root, '.cache/identity-'));
    await writeFile(join(folder, 'identity.yaml'), blockAfter(text, 'config map'));
    await writeFile(join(folder, 'secret.yaml'), blockAfter(text, 'secret'));
    await writeFile(join(folder, 'patch.yaml'), blockAfter(text, 'patch of auth-svc'));
    const overlay = {
      resources: ['../../deploy/k8s/base/auth-svc', 'identity.yaml', 'secret.yaml'],
      patches: [{ path: 'patch.yaml' }],
    };
    await writeFile(join(folder, 'kustomization.yaml'), JSON.stringify(overlay));
    const [command = '', ...words] = program ?? [];
    const rendered = execFileSync(command, [...words, folder], { encoding: 'utf8' });
    resources = parseAllDocuments(rendered).map((document) => resourceSchema.parse(document.toJS()));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test.each(namesOf(kubernetesVersions))('are accepted by Kubernetes %s', async (version) => {
    const shown = resources.filter(({ kind }) => ['ConfigMap', 'Secret', 'Deployment'].includes(kind));
    expect(shown.map(({ kind }) => kind).toSorted()).toEqual(['ConfigMap', 'Deployment', 'Secret']);
    for (const resource of shown) expect(await problemsOf(resource, version)).toEqual([]);
  });

  test('mount what they name', () => {
    const text = JSON.stringify(resources.find(({ kind }) => kind === 'Deployment'));
    for (const place of [
      '{"configMap":{"name":"tallyport-identity"},"name":"identity"}',
      '{"name":"identity-secrets","secret":{"secretName":"tallyport-identity"}}',
      '"name":"IDENTITY_CONFIG","value":"/etc/tallyport/identity/identity.yaml"',
    ])
      expect(text).toContain(place);
  });
});
