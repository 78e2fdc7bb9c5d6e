import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { namesOf } from '@tallyport/contracts';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import manifest from '../../package.json' with { type: 'json' };
import { findRenderer, renderFolder } from '../../deploy/k8s/render.ts';
import { allProblems, kubernetesVersions } from './api-schemas.ts';
import { withBaseNames } from './base-names.ts';
import { chartFolder, examples, type Helm, openHelm } from './helm.ts';
import { byName, type Resource, resourceSchema } from './rendered.ts';

const kustomize = findRenderer();
if (kustomize === undefined)
  console.warn('Neither kubectl nor kustomize is installed: the chart is not compared with the kustomize base.');

const pathsOf = (files: string): string[] => files.split(' ').flatMap((file) => (file ? [examples + file] : []));

const isCompact = { compact: { enabled: true } };

let helm: Helm;
beforeAll(async () => {
  helm = await openHelm();
});

/** What kustomize renders, with the tag that the chart adds to images. */
const kustomized = (path: string): readonly Resource[] =>
  kustomize === undefined
    ? []
    : renderFolder(path, kustomize).map((resource) => resourceSchema.parse(withTag(resource)));

const withTag = (resource: unknown): unknown =>
  JSON.parse(JSON.stringify(resource), (key, value) =>
    key === 'image' && String(value).startsWith('tallyport/') ? `${value}:${manifest.version}` : value,
  );

/**
 * Without differences of no effect: labels of resources other than pods, the order of labels to select, and the checksums
 * by which a changed setting restarts pods (kustomize renames the ConfigMap instead).
 */
const comparable = (resources: readonly Resource[]): Readonly<Record<string, unknown>> => {
  const text = JSON.stringify(
    resources.map(({ metadata: { labels: _labels, ...metadata }, ...rest }) => ({ ...rest, metadata })),
  );
  const values: readonly Resource[] = JSON.parse(text, (key, value) => {
    if (key === 'annotations' && 'checksum/config' in value) return undefined;
    return key === 'values' && Array.isArray(value) ? value.toSorted() : value;
  });
  return byName(values);
};

/** What the release has beside its tests, with the names of the base. */
const installed = (resources: readonly Resource[]): readonly Resource[] =>
  withBaseNames(resources.filter(({ metadata }) => !JSON.stringify(metadata).includes('helm.sh/hook')));

/** Without what the overlay sets for all resources: the namespace, and a hash in the name of the ConfigMap. */
const unplaced = (resources: readonly Resource[]): readonly Resource[] =>
  JSON.parse(JSON.stringify(resources).replaceAll(/"tallyport-[a-z0-9]{10}"/g, '"tallyport"'), (key, value) =>
    key === 'namespace' ? undefined : value,
  );

describe('the chart', () => {
  const chart = parse(readFileSync(join(chartFolder, 'Chart.yaml'), 'utf8'));

  test('has the version of the project, and the oldest version of Kubernetes that is tested', () => {
    const [oldest] = namesOf(kubernetesVersions);
    expect(chart).toMatchObject({
      version: manifest.version,
      appVersion: manifest.version,
      kubeVersion: `>=${oldest}.0-0`,
    });
  });

  test('has the icon of the product', () => {
    const icon = readFileSync(new URL('../../packages/pages/src/assets/icon.svg', import.meta.url), 'base64');
    expect(chart.icon).toBe(`data:image/svg+xml;base64,${icon}`);
  });

  test.each(['', 'production.yaml', 'production.yaml gateway-api-values.yaml'])(
    'passes helm lint with the values "%s"',
    async (files) => {
      expect(await helm.lint(pathsOf(files))).toMatch(/1 chart\(s\) linted, 0 chart\(s\) failed/);
    },
  );

  test.skipIf(kustomize === undefined).each([
    ['base', {}],
    ['compact', isCompact],
  ])('renders the kustomize folder %s and a ConfigMap with the values %j', async (folder, values) => {
    const { 'ConfigMap tallyport': settings, ...rest } = comparable(installed(await helm.render([], values)));
    expect(rest).toEqual(comparable(kustomized(folder)));
    expect(settings).toMatchObject({ data: { SANDBOX: 'off', LOG_LEVEL: 'info' } });
  });

  test.skipIf(kustomize === undefined).each([
    ['production', {}],
    ['compact', isCompact],
  ])('renders the overlay %s with the example of values for production, and %j', async (overlay, values) => {
    const expected = kustomized(`overlays/${overlay}`).filter(
      ({ kind, metadata }) => kind !== 'Namespace' && !metadata.name.startsWith('nats'),
    );
    const chart = await helm.render([`${examples}production.yaml`], values);
    expect(comparable(installed(chart))).toEqual(comparable(unplaced(expected)));
  });
});

describe.each(namesOf(kubernetesVersions))('Kubernetes %s', (version) => {
  test.each(['', 'production.yaml', 'production.yaml gateway-api-values.yaml'])(
    'accepts the chart with the values "%s"',
    async (files) => {
      const resources = await helm.render(pathsOf(files));
      expect(await allProblems(resources, version)).toEqual([]);
      expect(resources.length).toBeGreaterThan(30);
    },
  );

  test('accepts the chart in the compact form', async () => {
    const resources = await helm.render(pathsOf('production.yaml'), isCompact);
    expect(await allProblems(resources, version)).toEqual([]);
    expect(resources.length).toBeGreaterThan(25);
  });

  test('accepts the examples for cert-manager, External Secrets, Argo CD, Flux and the Gateway API', async () => {
    const files = readdirSync(examples).flatMap((file) => parseAllDocuments(readFileSync(examples + file, 'utf8')));
    const resources = files.flatMap((document) => resourceSchema.safeParse(document.toJS()).data ?? []);
    expect(resources.map(({ kind }) => kind).toSorted()).toEqual(exampleKinds);
    expect(await allProblems(resources, version)).toEqual([]);
  });
});

const exampleKinds = [
  'Application',
  'Certificate',
  'ClusterIssuer',
  'ExternalSecret',
  'ExternalSecret',
  'ExternalSecret',
  'ExternalSecret',
  'Gateway',
  'GitRepository',
  'HelmRelease',
];
