import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Helm, openHelm } from './helm.ts';
import type { Resource } from './rendered.ts';

type Labels = Readonly<Record<string, string>>;

let renderWith: Helm['renderWith'];
beforeAll(async () => {
  ({ renderWith } = await openHelm());
});

/** Values with which a release has every resource of the chart. */
const everything = {
  ingress: { enabled: true },
  httpRoute: { enabled: true, parentRefs: [{ name: 'public' }] },
  networkPolicy: Object.fromEntries(
    ['nats', 'redis', 'postgres', 'privateTargets'].map((name) => [
      name,
      { to: [{ ipBlock: { cidr: '192.0.2.1/32' } }] },
    ]),
  ),
  urls: { nats: 'nats://192.0.2.1', redis: 'redis://192.0.2.1', database: 'postgres://192.0.2.1/one' },
};

const namesOf = (resources: readonly Resource[]): readonly string[] =>
  resources.map(({ kind, metadata }) => `${kind} ${metadata.name}`);

/** All values of these fields, however deep. */
function valuesOf(part: unknown, field: string): readonly unknown[] {
  const found: unknown[] = [];
  JSON.stringify(part, (key, value) => {
    if (key === field) found.push(value);
    return value;
  });
  return found;
}

const podSchema = z.object({ metadata: z.object({ labels: z.record(z.string(), z.string()) }) });
const deploymentSchema = z.object({ template: podSchema });
const labelsOfPods = (resources: readonly Resource[]): readonly Labels[] =>
  resources.flatMap((resource) => {
    if (resource.kind === 'Pod') return [podSchema.parse(resource).metadata.labels];
    return resource.kind === 'Deployment' ? [deploymentSchema.parse(resource.spec).template.metadata.labels] : [];
  });

const labelsSchema = z.record(z.string(), z.string());

/** The labels by which resources select pods of the release: not those of NATS, DNS and namespaces. */
const selectorsOf = (resources: readonly Resource[]): readonly Labels[] => {
  const specs = resources.map(({ spec }) => spec);
  const services = resources.flatMap(({ kind, spec }) => (kind === 'Service' ? valuesOf(spec, 'selector') : []));
  const all = [...valuesOf(specs, 'matchLabels'), ...services].map((labels) => labelsSchema.parse(labels));
  return all.filter((labels) => !foreign.includes(Object.entries(labels).flat().join('=')));
};
const foreign = [
  'app.kubernetes.io/name=nats',
  'k8s-app=kube-dns',
  'kubernetes.io/metadata.name=kube-system',
  'tallyport.dev/monitoring=true',
];

const selects = (selector: Labels, labels: Labels): boolean =>
  Object.entries(selector).every(([key, value]) => labels[key] === value);

describe.each([
  ['with other names', {}, 'blue', {}, 'green'],
  ['of which one has the start of the other', {}, 'models', {}, 'models-two'],
  ['with the name of the chart', {}, 'tallyport', {}, 'tallyport-two'],
  ['with a name of their own', { fullnameOverride: 'blue' }, 'one', { nameOverride: 'gateway' }, 'two'],
])('two releases %s in one namespace', (_title, firstValues, first, secondValues, second) => {
  let one: readonly Resource[];
  let two: readonly Resource[];
  beforeAll(async () => {
    one = await renderWith({ ...everything, ...firstValues }, first);
    two = await renderWith({ ...everything, ...secondValues }, second);
  });

  test('have no resource with the same name', () => {
    expect(namesOf(one).filter((name) => namesOf(two).includes(name))).toEqual([]);
    expect(new Set(namesOf(one)).size).toBe(one.length);
    expect(one.length).toBe(two.length);
  });

  test('select their own pods only', () => {
    const [own, other] = [labelsOfPods(one), labelsOfPods(two)];
    const selectors = selectorsOf(one);
    expect(selectors.length).toBeGreaterThan(40);
    expect(selectors.filter((selector) => !own.some((labels) => selects(selector, labels)))).toEqual([]);
    expect(selectors.filter((selector) => other.some((labels) => selects(selector, labels)))).toEqual([]);
    expect(valuesOf(one, 'podSelector').filter((selector) => JSON.stringify(selector) === '{}')).toEqual([]);
  });

  test('reach, scale and mount what is theirs', () => {
    const referred = [
      ...valuesOf(one, 'scaleTargetRef').map((target) => `Deployment ${nameIn(target)}`),
      ...valuesOf(one, 'configMapRef').map((map) => `ConfigMap ${nameIn(map)}`),
      ...valuesOf(one, 'serviceAccountName').map((name) => `ServiceAccount ${name}`),
      ...valuesOf(one, 'backendRefs').flatMap((list) => [list].flat().map((each) => `Service ${nameIn(each)}`)),
      ...valuesOf(one, 'service').map((service) => `Service ${nameIn(service)}`),
      ...[...JSON.stringify(one).matchAll(/http:\/\/([a-z0-9-]+):\d+/g)].map(([, host]) => `Service ${host}`),
    ];
    expect(referred.filter((name) => !namesOf(one).includes(name))).toEqual([]);
    expect(referred.length).toBeGreaterThan(20);
    const secrets = (resources: readonly Resource[]) =>
      ['secretKeyRef', 'secretRef'].flatMap((field) => valuesOf(resources, field).map(nameIn));
    expect(secrets(one).filter((name) => secrets(two).includes(name))).toEqual([]);
  });
});

const nameIn = (reference: unknown): string => z.object({ name: z.string() }).parse(reference).name;

test('every resource has the recommended labels', async () => {
  for (const { kind, metadata } of await renderWith(everything, 'blue')) {
    const { 'app.kubernetes.io/component': component = 'none', ...labels } = metadata.labels ?? {};
    expect({ kind, labels }).toEqual({
      kind,
      labels: {
        'helm.sh/chart': expect.stringMatching(/^tallyport-\d+\.\d+\.\d+$/),
        'app.kubernetes.io/name': 'tallyport',
        'app.kubernetes.io/instance': 'blue',
        'app.kubernetes.io/version': expect.stringMatching(/^\d+\.\d+\.\d+$/),
        'app.kubernetes.io/part-of': 'tallyport',
        'app.kubernetes.io/managed-by': 'Helm',
      },
    });
    const shared =
      metadata.name === 'blue-tallyport' || /-(default-deny|names|nats|state|to-[a-z-]+)$/.test(metadata.name);
    expect(component).toBe(shared ? 'none' : metadata.name.replace('blue-tallyport-', ''));
  }
});

test('names fit into the 63 characters of a label, with the longest name of a release', async () => {
  const resources = await renderWith(everything, `a${'-long'.repeat(10)}-x`);
  const names = resources.flatMap(({ kind, metadata }) => (kind === 'NetworkPolicy' ? [] : [metadata.name]));
  expect(names.filter((name) => name.length > 63 || !/^[a-z0-9-]*[a-z0-9]$/.test(name))).toEqual([]);
  expect(Math.max(...names.map((name) => name.length))).toBeGreaterThan(58);
});

describe('helm test', () => {
  test('calls the health address of edge, and may reach nothing else', async () => {
    const resources = await renderWith({}, 'blue');
    const [policy, pod] = resources.filter(({ metadata }) => metadata.name === 'blue-tallyport-test');
    expect(pod).toMatchObject({
      metadata: { annotations: { 'helm.sh/hook': 'test' } },
      spec: {
        restartPolicy: 'Never',
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true },
        containers: [{ securityContext: { readOnlyRootFilesystem: true } }],
      },
    });
    expect(valuesOf(pod, 'command')[0]).toContain('http://blue-tallyport-edge:4000/');
    expect(policy?.spec).toEqual({
      podSelector: { matchLabels: expect.objectContaining({ 'app.kubernetes.io/component': 'test' }) },
      policyTypes: ['Egress'],
      egress: [
        {
          to: [{ podSelector: { matchLabels: expect.objectContaining({ 'app.kubernetes.io/component': 'edge' }) } }],
          ports: [{ port: 4000 }],
        },
      ],
    });
  });
});
