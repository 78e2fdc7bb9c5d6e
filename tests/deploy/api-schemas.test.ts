import { readdirSync, readFileSync } from 'node:fs';
import { namesOf } from '@tallyport/contracts';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { findRenderer } from '../../deploy/k8s/render.ts';
import { allProblems, kubernetesVersions, problemsOf } from './api-schemas.ts';
import { overlayNames, renderOverlay, type Resource, resourceSchema } from './rendered.ts';

const program = findRenderer();

const versions = namesOf(kubernetesVersions);

const deployment = (container: object): Resource =>
  resourceSchema.parse({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'one', labels: { any: 'label' } },
    spec: {
      selector: { matchLabels: { name: 'one' } },
      template: { metadata: { labels: { name: 'one' } }, spec: { containers: [{ name: 'one', ...container }] } },
    },
  });

describe.each(versions)('Kubernetes %s', (version) => {
  test.skipIf(program === undefined).each(overlayNames)('accepts every resource of the overlay %s', async (overlay) => {
    const resources = program === undefined ? [] : renderOverlay(overlay, program);
    expect(await allProblems(resources, version)).toEqual([]);
  });

  test('accepts the resources for the Gateway API and the Prometheus operator', async () => {
    const resources = [...resourcesIn('k8s'), ...resourcesIn('observability/kubernetes')];
    expect(resources.map(({ kind }) => kind).toSorted()).toEqual(separate);
    for (const resource of resources)
      expect({ resource, problems: await problemsOf(resource, version) }).toEqual({ resource, problems: [] });
  });

  test.each([
    [
      'a field that does not exist',
      { livenesProbe: {} },
      ['.spec.template.spec.containers.0.livenesProbe is not a field'],
    ],
    ['a value of another type', { ports: [{ containerPort: '80' }] }, [expect.stringContaining('containerPort')]],
    [
      'a missing field',
      { env: [{ value: '1' }] },
      [expect.stringContaining('containers/0/env/0 must have required property')],
    ],
    ['an unknown value', { imagePullPolicy: 'Sometimes' }, [expect.stringContaining('imagePullPolicy')]],
    ['nothing in a valid one', { image: 'one:1', resources: { limits: { memory: '1Gi' } } }, []],
  ])('names %s', async (_name, container, expected) => {
    expect(await problemsOf(deployment(container), version)).toEqual(expected);
  });
});

const separate = ['HTTPRoute', 'PodMonitor', 'PrometheusRule'];

/** The resources of the kinds above in the files below a folder. */
function resourcesIn(folder: string): readonly Resource[] {
  const root = new URL(`../../deploy/${folder}/`, import.meta.url);
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.yaml'));
  const documents = files.flatMap((path) => parseAllDocuments(readFileSync(new URL(path, root), 'utf8')));
  return documents.flatMap((document): readonly Resource[] => {
    const resource = resourceSchema.safeParse(document.toJS()).data;
    return resource && separate.includes(resource.kind) && !('$patch' in resource) ? [resource] : [];
  });
}
