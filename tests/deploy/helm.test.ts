import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { namesOf } from '@switchyard/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments, stringify } from 'yaml';
import manifest from '../../package.json' with { type: 'json' };
import { findRenderer, renderFolder } from '../../deploy/k8s/render.ts';
import { kubernetesVersions, problemsOf } from './api-schemas.ts';
import { chartFolder, type Helm, openHelm } from './helm.ts';
import { podsOf, type Resource, resourceSchema } from './rendered.ts';

const kustomize = findRenderer();
if (kustomize === undefined)
  console.warn('Neither kubectl nor kustomize is installed: the chart is not compared with the kustomize base.');

const readChart = (file: string): string => readFileSync(join(chartFolder, file), 'utf8');

const examples = new URL('../../deploy/helm/examples/', import.meta.url).pathname;

const pathsOf = (files: string): string[] => files.split(' ').flatMap((file) => (file ? [examples + file] : []));

let helm: Helm;
let folder: string;
beforeAll(async () => {
  helm = await openHelm();
  folder = await mkdtemp(join(tmpdir(), 'switchyard-values-'));
}, 300_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

let files = 0;
async function renderWith(values: object): Promise<readonly Resource[]> {
  const file = join(folder, `values-${files++}.yaml`);
  await writeFile(file, stringify(values));
  return helm.render([file]);
}

const byName = (resources: readonly Resource[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(resources.map((resource) => [`${resource.kind} ${resource.metadata.name}`, resource]));

/** What kustomize renders, with the tag that the chart adds to images. */
const kustomized = (path: string): readonly Resource[] =>
  kustomize === undefined
    ? []
    : renderFolder(path, kustomize).map((resource) => resourceSchema.parse(withTag(resource)));

const withTag = (resource: unknown): unknown =>
  JSON.parse(JSON.stringify(resource), (key, value) =>
    key === 'image' && String(value).startsWith('switchyard/') ? `${value}:${manifest.version}` : value,
  );

/**
 * Without differences of no effect: the order of labels to select, and the checksums by which a changed setting restarts
 * pods (kustomize renames the ConfigMap instead).
 */
const comparable = (resources: readonly Resource[]): readonly Resource[] =>
  JSON.parse(JSON.stringify(resources), (key, value) => {
    if (key === 'annotations' && 'checksum/config' in value) return undefined;
    return key === 'values' && Array.isArray(value) ? value.toSorted() : value;
  });

/** Without what the overlay sets for all resources: the namespace, and a hash in the name of the ConfigMap. */
const unplaced = (resources: readonly Resource[]): readonly Resource[] =>
  JSON.parse(JSON.stringify(resources).replaceAll(/"switchyard-[a-z0-9]{10}"/g, '"switchyard"'), (key, value) =>
    key === 'namespace' ? undefined : value,
  );

describe('the chart', () => {
  test('has the version of the project', () => {
    expect(parse(readChart('Chart.yaml'))).toMatchObject({ version: manifest.version, appVersion: manifest.version });
  });

  test.each(['', 'production.yaml', 'production.yaml gateway-api-values.yaml'])(
    'passes helm lint with the values "%s"',
    async (files) => {
      expect(await helm.lint(pathsOf(files))).toMatch(/1 chart\(s\) linted, 0 chart\(s\) failed/);
    },
  );

  test.skipIf(kustomize === undefined)('renders the kustomize base and a ConfigMap by default', async () => {
    const { 'ConfigMap switchyard': settings, ...rest } = byName(comparable(await helm.render([])));
    expect(rest).toEqual(byName(comparable(kustomized('base'))));
    expect(settings).toMatchObject({ data: { SANDBOX: 'off', LOG_LEVEL: 'info' } });
  });

  test.skipIf(kustomize === undefined)('renders the overlay for production with its example of values', async () => {
    const expected = kustomized('overlays/production').filter(
      ({ kind, metadata }) => kind !== 'Namespace' && !metadata.name.startsWith('nats'),
    );
    const chart = await helm.render([`${examples}production.yaml`]);
    expect(byName(comparable(chart))).toEqual(byName(comparable(unplaced(expected))));
  });
});

describe('values of the chart', () => {
  test('set images', async () => {
    const imagesOf = async (values: object) =>
      [...podsOf(await renderWith(values))].map(([name, { containers }]) => [name, containers[0]?.image]);
    expect(
      Object.fromEntries(await imagesOf({ image: { registry: 'registry.example.com/team', tag: '2' } })),
    ).toMatchObject({
      edge: 'registry.example.com/team/switchyard/edge:2',
    });
    const own = { services: { edge: { image: 'example.com/edge@sha256:0' } } };
    expect(Object.fromEntries(await imagesOf(own))).toMatchObject({
      edge: 'example.com/edge@sha256:0',
      'chat-svc': `switchyard/chat-svc:${manifest.version}`,
    });
  });

  test('replace the autoscalers by fixed numbers of pods', async () => {
    const values = { autoscaling: { enabled: false }, services: { edge: { replicas: 5 } } };
    const resources = await renderWith(values);
    expect(resources.filter(({ kind }) => kind === 'HorizontalPodAutoscaler')).toEqual([]);
    expect(byName(resources)).toMatchObject({
      'Deployment edge': { spec: { replicas: 5 } },
      'Deployment chat-svc': { spec: { replicas: 2 } },
    });
  });

  test('bound the autoscalers, all or one', async () => {
    const edge = { autoscaling: { maxReplicas: 40, metrics: [{ type: 'Resource' }] } };
    const one = byName(await renderWith({ services: { edge } }));
    expect(one['HorizontalPodAutoscaler edge']).toMatchObject({
      spec: { minReplicas: 2, maxReplicas: 40, metrics: [{ type: 'Resource' }] },
    });
    const every = byName(await renderWith({ autoscaling: { minReplicas: 4 } }));
    expect(every['HorizontalPodAutoscaler mcp-svc']).toMatchObject({ spec: { minReplicas: 4, maxReplicas: 8 } });
  });

  test('create the Secret with URLs only if all three are set', async () => {
    const urls = { nats: 'nats://nats:4222', redis: 'rediss://redis:6379', database: 'postgres://postgres/switchyard' };
    const values = { urls, secrets: { state: 'our-state' } };
    expect(byName(await renderWith(values))).toMatchObject({
      'Secret our-state': {
        stringData: { NATS_URL: urls.nats, REDIS_URL: urls.redis, DATABASE_URL: urls.database },
      },
      'Deployment edge': expect.objectContaining({}),
    });
    expect(JSON.stringify(await renderWith(values))).not.toContain('"switchyard-state"');
    await expect(renderWith({ urls: { ...urls, redis: '' } })).rejects.toThrow(/Set urls\.redis too/);
  });

  test('restart pods when a setting changes', async () => {
    const checksumOf = async (values: object) =>
      /"checksum\/config":"(\w+)"/.exec(JSON.stringify(byName(await renderWith(values))['Deployment edge']))?.[1];
    const [before, same, after] = [{}, {}, { config: { LOG_LEVEL: 'debug' } }].map(checksumOf);
    expect(await same).toBe(await before);
    expect(await after).toMatch(/^[0-9a-f]{64}$/);
    expect(await after).not.toBe(await before);
  });

  test('add to pods and annotate resources', async () => {
    const authority = { name: 'authority', configMap: { name: 'authority' } };
    const mount = { name: 'authority', mountPath: '/etc/authority', readOnly: true };
    const edge = {
      env: [{ name: 'LOG_LEVEL', value: 'debug' }],
      podAnnotations: { 'example.com/of': 'pods' },
      serviceAccountAnnotations: { 'example.com/role': 'edge' },
      nodeSelector: { pool: 'public' },
      tolerations: [{ key: 'public', operator: 'Exists' }],
      affinity: { nodeAffinity: {} },
      resources: { limits: { memory: '2Gi' } },
    };
    const values = {
      annotations: { 'example.com/team': 'models' },
      volumes: [authority],
      volumeMounts: [mount],
      image: { pullPolicy: 'Always', pullSecrets: [{ name: 'registry' }] },
      services: { edge },
    };
    const resources = await renderWith(values);
    expect(resources.filter(({ metadata }) => !JSON.stringify(metadata).includes('example.com/team'))).toEqual([]);
    expect(byName(resources)).toMatchObject({
      'ServiceAccount edge': { metadata: { annotations: edge.serviceAccountAnnotations } },
      'Deployment edge': {
        spec: {
          template: {
            metadata: { annotations: edge.podAnnotations },
            spec: {
              nodeSelector: edge.nodeSelector,
              tolerations: edge.tolerations,
              affinity: edge.affinity,
              imagePullSecrets: values.image.pullSecrets,
              volumes: expect.arrayContaining([authority]),
              containers: [
                {
                  imagePullPolicy: 'Always',
                  env: expect.arrayContaining(edge.env),
                  volumeMounts: expect.arrayContaining([mount]),
                  resources: { limits: { memory: '2Gi' }, requests: { cpu: '500m' } },
                },
              ],
            },
          },
        },
      },
    });
    for (const version of namesOf(kubernetesVersions)) expect(await allProblems(resources, version)).toEqual([]);
  });

  test('switch off network policies and the PodMonitor', async () => {
    const resources = await renderWith({ networkPolicy: { enabled: false }, podMonitor: { enabled: false } });
    expect(resources.filter(({ kind }) => ['NetworkPolicy', 'PodMonitor'].includes(kind))).toEqual([]);
  });

  test('allow connections to NATS elsewhere, for the services that use it', async () => {
    const nats = { to: [{ ipBlock: { cidr: '10.0.0.1/32' } }], ports: [{ port: 4223 }] };
    const resources = byName(await renderWith({ networkPolicy: { nats } }));
    expect(resources['NetworkPolicy to-nats']).toMatchObject({ spec: { egress: [nats] } });
    expect(Object.keys(resources)).not.toContain('NetworkPolicy to-redis');
  });

  test('allow connections to private targets, for the services that connect to those of accounts', async () => {
    const privateTargets = { to: [{ namespaceSelector: {} }], ports: [{ port: 8080 }] };
    const resources = byName(await renderWith({ networkPolicy: { privateTargets } }));
    const values = ['auth-svc', 'chat-svc', 'image-svc', 'mcp-svc'];
    expect(resources['NetworkPolicy to-private-targets']).toMatchObject({
      spec: {
        podSelector: { matchExpressions: [{ key: 'app.kubernetes.io/name', operator: 'In', values }] },
        egress: [privateTargets],
      },
    });
  });

  test('need a Gateway for a route', async () => {
    await expect(renderWith({ httpRoute: { enabled: true } })).rejects.toThrow('Set httpRoute.parentRefs');
  });
});

async function allProblems(
  resources: readonly Resource[],
  version: keyof typeof kubernetesVersions,
): Promise<readonly string[]> {
  const found = resources.map(async (resource) =>
    (await problemsOf(resource, version)).map((problem) => `${resource.kind} ${resource.metadata.name}: ${problem}`),
  );
  return (await Promise.all(found)).flat();
}

describe.each(namesOf(kubernetesVersions))('Kubernetes %s', (version) => {
  test.each(['', 'production.yaml', 'production.yaml gateway-api-values.yaml'])(
    'accepts the chart with the values "%s"',
    async (files) => {
      const resources = await helm.render(pathsOf(files));
      expect(await allProblems(resources, version)).toEqual([]);
      expect(resources.length).toBeGreaterThan(30);
    },
  );

  test('accepts the examples for cert-manager, External Secrets, Argo CD, Flux and the Gateway API', async () => {
    const files = readdirSync(examples).flatMap((file) => parseAllDocuments(readFileSync(examples + file, 'utf8')));
    const resources = files.flatMap((document) => resourceSchema.safeParse(document.toJS()).data ?? []);
    expect(resources.map(({ kind }) => kind).toSorted()).toEqual(exampleKinds);
    expect(await allProblems(resources, version)).toEqual([]);
  });
});

test('the values in the examples are values of the chart', async () => {
  const values = ['production.yaml', 'gateway-api-values.yaml'].map((file) =>
    parse(readFileSync(examples + file, 'utf8')),
  );
  const releases = parseAllDocuments(readFileSync(`${examples}flux.yaml`, 'utf8')).map((document) => document.toJS());
  values.push(...releases.flatMap(({ kind, spec }) => (kind === 'HelmRelease' ? [spec.values] : [])));
  expect(values).toHaveLength(3);
  for (const one of values) expect((await renderWith(one)).length).toBeGreaterThan(30);
});

const exampleKinds = [
  'Application',
  'Certificate',
  'ClusterIssuer',
  'ExternalSecret',
  'ExternalSecret',
  'ExternalSecret',
  'Gateway',
  'GitRepository',
  'HelmRelease',
];

describe('values.schema.json', () => {
  test('accepts values of a chart that contains this one', async () => {
    expect((await renderWith({ global: { team: 'models' } })).length).toBeGreaterThan(30);
  });

  test.each([
    ['an unknown value', { replicas: 3 }],
    ['an unknown value of a service', { services: { edge: { replica: 3 } } }],
    ['a number instead of a text', { config: { JOURNAL_REPLICAS: 3 } }],
    ['less than one pod', { services: { edge: { replicas: -1 } } }],
  ])('rejects %s', async (_name, values) => {
    await expect(renderWith(values)).rejects.toThrow(/values don't meet the specifications of the schema/);
  });
});
