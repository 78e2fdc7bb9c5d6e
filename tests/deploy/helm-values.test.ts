import { readFileSync } from 'node:fs';
import { namesOf } from '@tallyport/contracts';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import manifest from '../../package.json' with { type: 'json' };
import { allProblems, kubernetesVersions } from './api-schemas.ts';
import { examples, type Helm, openHelm } from './helm.ts';
import { byName, podsOf } from './rendered.ts';
import { serviceNames } from './service-settings.ts';

let renderWith: Helm['renderWith'];
beforeAll(async () => {
  ({ renderWith } = await openHelm());
});

describe('values of the chart', () => {
  test('set images', async () => {
    const imagesOf = async (values: object) =>
      [...podsOf(await renderWith(values))].map(([name, { containers }]) => [name, containers[0]?.image]);
    expect(
      Object.fromEntries(await imagesOf({ image: { registry: 'registry.example.com/team', tag: '2' } })),
    ).toMatchObject({
      'tallyport-edge': 'registry.example.com/team/tallyport/edge:2',
    });
    const own = { services: { edge: { image: 'example.com/edge@sha256:0' } } };
    expect(Object.fromEntries(await imagesOf(own))).toMatchObject({
      'tallyport-edge': 'example.com/edge@sha256:0',
      'tallyport-chat-svc': `tallyport/chat-svc:${manifest.version}`,
    });
  });

  test('replace the autoscalers by fixed numbers of pods', async () => {
    const values = { autoscaling: { enabled: false }, services: { edge: { replicas: 5 } } };
    const resources = await renderWith(values);
    expect(resources.filter(({ kind }) => kind === 'HorizontalPodAutoscaler')).toEqual([]);
    expect(byName(resources)).toMatchObject({
      'Deployment tallyport-edge': { spec: { replicas: 5 } },
      'Deployment tallyport-chat-svc': { spec: { replicas: 2 } },
    });
  });

  test('bound the autoscalers, all or one', async () => {
    const edge = { autoscaling: { maxReplicas: 40, metrics: [{ type: 'Resource' }] } };
    const one = byName(await renderWith({ services: { edge } }));
    expect(one['HorizontalPodAutoscaler tallyport-edge']).toMatchObject({
      spec: { minReplicas: 2, maxReplicas: 40, metrics: [{ type: 'Resource' }] },
    });
    const every = byName(await renderWith({ autoscaling: { minReplicas: 4 } }));
    expect(every['HorizontalPodAutoscaler tallyport-mcp-svc']).toMatchObject({
      spec: { minReplicas: 4, maxReplicas: 8 },
    });
  });

  test('create the Secrets with URLs only if all three are set', async () => {
    const urls = { nats: 'nats://nats:4222', redis: 'rediss://redis:6379', database: 'postgres://postgres/tallyport' };
    const values = { urls, secrets: { state: 'our-state', nats: 'our-nats' } };
    expect(byName(await renderWith(values))).toMatchObject({
      'Secret our-state': {
        stringData: { REDIS_URL: urls.redis, DATABASE_URL: urls.database },
      },
      'Secret our-nats': {
        stringData: Object.fromEntries([...serviceNames, 'compact'].map((name) => [name, urls.nats])),
      },
      'Deployment tallyport-edge': expect.objectContaining({}),
    });
    expect(JSON.stringify(await renderWith(values))).not.toMatch(/"tallyport-(state|nats)"/);
    await expect(renderWith({ urls: { ...urls, redis: '' } })).rejects.toThrow(/Set urls\.redis too/);
  });

  test('restart pods when a setting changes', async () => {
    const checksumOf = async (values: object) =>
      /"checksum\/config":"(\w+)"/.exec(
        JSON.stringify(byName(await renderWith(values))['Deployment tallyport-edge']),
      )?.[1];
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
      podLabels: { 'example.com/tier': 'public' },
      serviceAccount: { annotations: { 'example.com/role': 'edge' } },
      nodeSelector: { pool: 'public' },
      tolerations: [{ key: 'public', operator: 'Exists' }],
      affinity: { nodeAffinity: {} },
      resources: { limits: { memory: '2Gi' } },
    };
    const values = {
      annotations: { 'example.com/team': 'models' },
      volumes: [authority],
      volumeMounts: [mount],
      image: { pullPolicy: 'Always' },
      imagePullSecrets: [{ name: 'registry' }],
      services: { edge },
    };
    const resources = await renderWith(values);
    expect(resources.filter(({ metadata }) => !JSON.stringify(metadata).includes('example.com/team'))).toEqual([]);
    expect(byName(resources)).toMatchObject({
      'ServiceAccount tallyport-edge': { metadata: { annotations: edge.serviceAccount.annotations } },
      'Deployment tallyport-edge': {
        spec: {
          template: {
            metadata: { annotations: edge.podAnnotations, labels: edge.podLabels },
            spec: {
              nodeSelector: edge.nodeSelector,
              tolerations: edge.tolerations,
              affinity: edge.affinity,
              imagePullSecrets: values.imagePullSecrets,
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

  test('set all pods, and single services otherwise', async () => {
    const everywhere = {
      podAnnotations: { 'example.com/of': 'pods' },
      podLabels: { 'example.com/of': 'pods', 'app.kubernetes.io/component': 'other' },
      podSecurityContext: { fsGroup: 1000 },
      securityContext: { runAsUser: 1000 },
      nodeSelector: { pool: 'models' },
      tolerations: [{ key: 'models', operator: 'Exists' }],
      affinity: { nodeAffinity: {} },
      topologySpreadConstraints: [{ maxSkew: 2, topologyKey: 'rack', whenUnsatisfiable: 'DoNotSchedule' }],
      priorityClassName: 'high',
    };
    const edge = { priorityClassName: 'highest', nodeSelector: { zone: 'a' } };
    const resources = byName(await renderWith({ ...everywhere, services: { edge } }));
    const { podAnnotations, podSecurityContext, securityContext, podLabels: _labels, ...settings } = everywhere;
    const matchLabels = {
      'app.kubernetes.io/name': 'tallyport',
      'app.kubernetes.io/instance': 'tallyport',
      'app.kubernetes.io/component': 'mcp-svc',
    };
    const topologySpreadConstraints = [{ ...settings.topologySpreadConstraints[0], labelSelector: { matchLabels } }];
    expect(resources).toMatchObject({
      'Deployment tallyport-mcp-svc': {
        spec: {
          selector: { matchLabels },
          template: {
            metadata: { annotations: podAnnotations, labels: { 'example.com/of': 'pods', ...matchLabels } },
            spec: {
              ...settings,
              topologySpreadConstraints,
              securityContext: { ...podSecurityContext, runAsNonRoot: true },
              containers: [{ securityContext: { ...securityContext, readOnlyRootFilesystem: true } }],
            },
          },
        },
      },
      'Deployment tallyport-edge': {
        spec: { template: { spec: { priorityClassName: 'highest', nodeSelector: { zone: 'a' } } } },
      },
    });
  });

  test('use ServiceAccounts that exist', async () => {
    const edge = { serviceAccount: { create: false, name: 'ours', automount: true } };
    const resources = await renderWith({ services: { edge, 'mcp-svc': { serviceAccount: { create: false } } } });
    const accounts = resources.flatMap(({ kind, metadata }) => (kind === 'ServiceAccount' ? [metadata.name] : []));
    const created = ['auth-svc', 'batch-svc', 'catalog-svc', 'chat-svc', 'console-svc', 'image-svc', 'ledger-svc'];
    expect(accounts.toSorted()).toEqual(created.map((name) => `tallyport-${name}`));
    const used = [...podsOf(resources)].map(([name, { serviceAccountName, automountServiceAccountToken }]) => [
      name,
      [serviceAccountName, automountServiceAccountToken],
    ]);
    expect(Object.fromEntries(used)).toEqual({
      ...Object.fromEntries(created.map((name) => [`tallyport-${name}`, [`tallyport-${name}`, false]])),
      'tallyport-edge': ['ours', true],
      'tallyport-mcp-svc': ['default', false],
    });
  });

  test('switch off network policies and the PodMonitor', async () => {
    const resources = await renderWith({ networkPolicy: { enabled: false }, podMonitor: { enabled: false } });
    expect(resources.filter(({ kind }) => ['NetworkPolicy', 'PodMonitor'].includes(kind))).toEqual([]);
  });

  test('allow connections to NATS elsewhere, for the services that use it', async () => {
    const nats = { to: [{ ipBlock: { cidr: '10.0.0.1/32' } }], ports: [{ port: 4223 }] };
    const resources = byName(await renderWith({ networkPolicy: { nats } }));
    expect(resources['NetworkPolicy tallyport-to-nats']).toMatchObject({ spec: { egress: [nats] } });
    expect(Object.keys(resources)).not.toContain('NetworkPolicy tallyport-to-redis');
  });

  test('allow connections to private targets, for the services that connect to those of accounts', async () => {
    const privateTargets = { to: [{ namespaceSelector: {} }], ports: [{ port: 8080 }] };
    const resources = byName(await renderWith({ networkPolicy: { privateTargets } }));
    const values = ['auth-svc', 'chat-svc', 'image-svc', 'ledger-svc', 'mcp-svc'];
    expect(resources['NetworkPolicy tallyport-to-private-targets']).toMatchObject({
      spec: {
        podSelector: { matchExpressions: [{ key: 'app.kubernetes.io/component', operator: 'In', values }] },
        egress: [privateTargets],
      },
    });
  });

  test('run four services in the pods of edge, which have values of their own', async () => {
    const compact = {
      autoscaling: { maxReplicas: 40 },
      resources: { limits: { memory: '6Gi' } },
      priorityClassName: 'high',
    };
    const nats = { to: [{ ipBlock: { cidr: '10.0.0.1/32' } }] };
    const values = {
      compact: { enabled: true },
      services: { compact },
      networkPolicy: { postgres: nats, privateTargets: nats },
    };
    const resources = await renderWith(values);
    expect([...podsOf(resources).keys()].toSorted()).toEqual(
      ['auth-svc', 'batch-svc', 'console-svc', 'edge', 'ledger-svc', 'mcp-svc'].map((name) => `tallyport-${name}`),
    );
    const users = ['auth-svc', 'batch-svc', 'catalog-svc', 'ledger-svc', 'edge'];
    expect(byName(resources)).toMatchObject({
      'HorizontalPodAutoscaler tallyport-edge': { spec: { minReplicas: 2, maxReplicas: 40 } },
      'Deployment tallyport-edge': {
        spec: {
          template: {
            spec: {
              priorityClassName: 'high',
              containers: [
                { image: `tallyport/all-in-one:${manifest.version}`, resources: { limits: { memory: '6Gi' } } },
              ],
            },
          },
        },
      },
      'NetworkPolicy tallyport-to-postgres': { spec: { podSelector: { matchExpressions: [{ values: users }] } } },
      'NetworkPolicy tallyport-to-private-targets': {
        spec: { podSelector: { matchExpressions: [{ values: expect.arrayContaining(['edge', 'mcp-svc']) }] } },
      },
      'Pod tallyport-test': { spec: { containers: [{ image: `tallyport/all-in-one:${manifest.version}` }] } },
    });
  });

  test('need a Gateway for a route', async () => {
    await expect(renderWith({ httpRoute: { enabled: true } })).rejects.toThrow('Set httpRoute.parentRefs');
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
