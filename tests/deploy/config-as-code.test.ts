import { readFileSync } from 'node:fs';
import { namesOf } from '@tallyport/contracts';
import { readGatewayDocument } from '@tallyport/gateway-document';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { findRenderer } from '../../deploy/k8s/render.ts';
import { blocksOf } from '../docs/markdown.ts';
import { kubernetesVersions, problemsOf } from './api-schemas.ts';
import { overlayNames, renderOverlay, resourceSchema } from './rendered.ts';

const guide = readFileSync(new URL('../../docs/config-as-code.md', import.meta.url), 'utf8');
const manifests = blocksOf(guide)
  .filter(({ language }) => language === 'yaml')
  .map(({ text }) => parse(text))
  .filter(({ metadata }) => metadata !== undefined);
const manifestOf = (wanted: string) => manifests.find(({ kind }) => kind === wanted);
const patchSchema = z.object({
  spec: z.object({
    template: z.object({
      spec: z.object({ containers: z.tuple([z.looseObject({ name: z.string() })]), volumes: z.array(z.any()) }),
    }),
  }),
});
const program = findRenderer();

test.each(namesOf(kubernetesVersions))(
  'Kubernetes %s accepts the manifests of docs/config-as-code.md',
  async (version) => {
    expect(manifests.map(({ kind }) => kind)).toEqual(['ConfigMap', 'Secret', 'Deployment']);
    for (const kind of ['ConfigMap', 'Secret']) {
      expect(await problemsOf(resourceSchema.parse(manifestOf(kind)), version)).toEqual([]);
    }
  },
);

test('the mounted document is valid, and its secrets are mounted', () => {
  const { document } = readGatewayDocument('ConfigMap', manifestOf('ConfigMap').data['gateway.yaml']);
  expect(document.accounts['Search']?.keys?.['website']?.key).toEqual({ fromFile: 'website-key' });
  expect(Object.keys(manifestOf('Secret').stringData)).toEqual(['website-key']);
});

test.skipIf(program === undefined)('the patch fits the auth-svc of the overlays', async () => {
  const { spec } = patchSchema.parse(manifestOf('Deployment')).spec.template;
  for (const overlay of overlayNames) {
    const resources = program === undefined ? [] : renderOverlay(overlay, program);
    // oxlint-disable-next-line typescript/no-explicit-any -- patched as Kubernetes does
    const deployment: any = structuredClone(
      resources.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'auth-svc'),
    );
    const pod = deployment.spec.template.spec;
    const [container] = pod.containers;
    const [patch] = spec.containers;
    expect(container.name).toBe(patch.name);
    const lists = (name: string) => [...(container[name] ?? []), ...z.array(z.any()).parse(patch[name])];
    Object.assign(container, { env: lists('env'), volumeMounts: lists('volumeMounts') });
    pod.volumes = [...(pod.volumes ?? []), ...spec.volumes];
    for (const version of namesOf(kubernetesVersions)) expect(await problemsOf(deployment, version)).toEqual([]);
  }
});
