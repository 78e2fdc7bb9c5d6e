import { compositions } from '@tallyport/contracts';
import { readConfig, type Settings } from '@tallyport/service-kit';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { findRenderer } from '../../deploy/k8s/render.ts';
import { peersOf } from './peers.ts';
import { overlayNames, podsOf, renderOverlay, type Container, type Pod, type Resource } from './rendered.ts';
import * as services from './service-settings.ts';

const program = findRenderer();
if (program === undefined)
  console.warn('Neither kubectl nor kustomize is installed: the rendered overlays are not checked.');

/** What the overlay deploys: in the compact one, edge runs other services as well. */
const formOf = (overlay: string) =>
  overlay === 'compact'
    ? {
        serviceNames: services.serviceNames.filter((name) => name === 'edge' || !compact.includes(name)),
        settingsOf: (service: string) => (service === 'edge' ? services.compactSettings : services.settingsOf(service)),
        providerCallers: ['edge'],
      }
    : {
        serviceNames: services.serviceNames,
        settingsOf: services.settingsOf,
        providerCallers: ['catalog-svc', 'chat-svc', 'image-svc'],
      };
const compact: readonly string[] = compositions.compact;

const restricted = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

describe.skipIf(program === undefined).each(overlayNames)('the overlay %s', (overlay) => {
  const { serviceNames, settingsOf, providerCallers } = formOf(overlay);
  const resources = program === undefined ? [] : renderOverlay(overlay, program);
  const pods = podsOf(resources);
  const podOf = (service: string): Pod => pods.get(service) ?? expect.fail(`${service} is not deployed`);
  const serviceOf = (service: string): Container => podOf(service).containers[0] ?? expect.fail('no container');

  test.each(serviceNames)('%s accepts its settings', (service) => {
    const container = serviceOf(service);
    const settings = settingsOf(service);
    const environment = environmentOf(container, resources);
    const runtime = services.runtimeVariables[service] ?? {};
    expect(environment).toMatchObject(runtime);
    const names = container.env.map(({ name }) => name);
    expect(names.filter((name) => !(name in settings) && !(name in runtime))).toEqual([]);
    expect(() => readConfig(settings, { environment })).not.toThrow();
  });

  test.each(serviceNames)('%s has all settings that connect the services', (service) => {
    const environment = environmentOf(serviceOf(service), resources);
    const connecting = ['NATS_URL', 'REDIS_URL', 'DATABASE_URL', 'INTERNAL_SECRET', 'SECRETS_KEY', 'CONSOLE_URL'];
    const wanted = connecting.filter((name) => name in settingsOf(service));
    expect(wanted.filter((name) => environment[name] === undefined)).toEqual([]);
  });

  test('has a Deployment for each service, or for those that share a process, with a user of NATS', () => {
    const deployed = [...pods.keys()].filter((name) => services.serviceNames.includes(name));
    expect(deployed.toSorted()).toEqual(serviceNames.toSorted());
    const users = serviceNames.map((service) => {
      const url = serviceOf(service).env.find(({ name }) => name === 'NATS_URL');
      return [service, url?.valueFrom?.secretKeyRef?.key];
    });
    const own = serviceNames.map((service) => [
      service,
      settingsOf(service) === services.compactSettings ? 'compact' : service,
    ]);
    expect(users).toEqual(own);
  });

  test('only services that call providers receive their Secret as a whole', () => {
    const whole = serviceNames.flatMap((service) =>
      serviceOf(service).envFrom.flatMap(({ secretRef }) => (secretRef ? [`${service}: ${secretRef.name}`] : [])),
    );
    expect(whole.toSorted()).toEqual(providerCallers.map((service) => `${service}: tallyport-providers`));
    const [lister = ''] = providerCallers;
    expect(environmentOf(serviceOf(lister), resources)['SANDBOX']).toMatch(/^(on|off)$/);
  });

  test.each([...pods.keys()])('%s reaches only its peers', (pod) => {
    const settings = serviceNames.includes(pod) ? settingsOf(pod) : undefined;
    const peers = settings ? peersWith(settings, overlay) : peersOfState(pod, overlay);
    expect(peersOf(resources, pod, 'to')).toEqual([...names, ...peers].toSorted());
  });

  test.each([...pods.keys()])('%s accepts connections only from named peers; edge from everywhere', (pod) => {
    const open = peersOf(resources, pod, 'from').filter((peer) => /anywhere|any port/.test(peer));
    expect(open).toEqual(pod === 'edge' ? ['anywhere:http'] : []);
  });

  test('the shared ConfigMap contains only known settings', () => {
    const shared = resources.filter(
      ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.startsWith('tallyport'),
    );
    const names = shared.flatMap(({ data }) => Object.keys(data ?? {}));
    expect(names).not.toEqual([]);
    const known = new Set(serviceNames.flatMap((service) => Object.keys(settingsOf(service))));
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });

  test.each(serviceNames)('%s is probed on its admin port', (service) => {
    const { ports, startupProbe, readinessProbe, livenessProbe, env } = serviceOf(service);
    expect(ports).toContainEqual({ name: 'admin', containerPort: Number(valueOf(env, 'ADMIN_PORT')) });
    expect([startupProbe, readinessProbe, livenessProbe].map((probe) => probe?.httpGet)).toEqual([
      { path: '/livez', port: 'admin' },
      { path: '/readyz', port: 'admin' },
      { path: '/livez', port: 'admin' },
    ]);
  });

  test.each([...pods.keys()])('every container of %s is restricted', (name) => {
    const { automountServiceAccountToken, enableServiceLinks, securityContext, containers } = podOf(name);
    expect({ automountServiceAccountToken, enableServiceLinks, securityContext }).toEqual({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: expect.any(Number),
        runAsGroup: expect.any(Number),
        fsGroup: expect.any(Number),
        seccompProfile: { type: 'RuntimeDefault' },
      },
    });
    expect(containers.map((container) => container.securityContext)).toEqual(containers.map(() => restricted));
    for (const { resources: given } of containers)
      expect(given).toMatchObject({ limits: { memory: expect.any(String) } });
  });

  test.each(serviceNames)('%s has time to finish its requests', (service) => {
    const { env, lifecycle } = serviceOf(service);
    const shutdownMs = Number(valueOf(env, 'SHUTDOWN_TIMEOUT_MS'));
    const graceMs = (podOf(service).terminationGracePeriodSeconds ?? 0) * 1000;
    const waitMs = Number(/setTimeout\(\(\) => \{\}, (\d+)\)/.exec(JSON.stringify(lifecycle))?.[1]);
    expect(graceMs).toBeGreaterThan(shutdownMs + waitMs);
    const longestMs = Number(settingsOf(service)['REQUEST_TIMEOUT_MS']?.default ?? 0);
    expect(shutdownMs).toBeGreaterThan(longestMs);
  });

  test.each(serviceNames)(
    '%s has an autoscaler, a disruption budget, a network policy and a service account',
    (service) => {
      const named = resources.filter(({ metadata }) => metadata.name === service).map(({ kind }) => kind);
      const always = [
        'ServiceAccount',
        'Deployment',
        'HorizontalPodAutoscaler',
        'PodDisruptionBudget',
        'NetworkPolicy',
      ];
      expect(named).toEqual(expect.arrayContaining(always));
      expect(podOf(service).serviceAccountName).toBe(service);
      expect(podOf(service).topologySpreadConstraints).toHaveLength(2);
    },
  );

  test('every URL in a setting is a Service, and policies allow the traffic', () => {
    const flows = serviceNames.flatMap((service) => addressesIn(serviceOf(service)).map((url) => ({ service, url })));
    const refused = flows.filter(({ service, url }) => !isAllowed(resources, { service, url }));
    expect(refused).toEqual([]);
    const hosts = new Set(flows.map(({ url }) => url.hostname));
    const services = new Set(resources.filter(({ kind }) => kind === 'Service').map(({ metadata }) => metadata.name));
    expect([...hosts].filter((host) => !services.has(host))).toEqual([]);
  });
});

const names = ['kube-system/kube-dns:53'];
const internet = ['0.0.0.0/0:443', '2000::/3:443'];

const peersOfState = (pod: string, overlay: string): readonly string[] =>
  pod === 'nats' && overlay !== 'dev' ? ['nats:peers'] : [];

/** The peers a service needs: those in its settings, and the internet if it calls providers or fetches documents. */
function peersWith(settings: Settings, overlay: string): readonly string[] {
  const dev = overlay === 'dev';
  const peers = {
    NATS_URL: ['nats:4222'],
    REDIS_URL: [dev ? 'redis:6379' : '192.0.2.10/32:6379'],
    DATABASE_URL: [dev ? 'postgres:5432' : '192.0.2.20/32:5432'],
    CONSOLE_URL: ['console-svc:4004'],
    SANDBOX_BASE_URL: dev ? [...internet, 'sandbox:4010'] : internet,
    // catalog-svc lists the models of providers.
    MODEL_DISCOVERY_MS: internet,
    // mcp-svc connects to MCP servers of accounts.
    MCP_SERVERS_MAX_ANSWER_BYTES: internet,
    // auth-svc fetches client metadata documents.
    SECRETS_KEY: internet,
  };
  return [...new Set(Object.entries(peers).flatMap(([setting, found]) => (setting in settings ? found : [])))];
}

/** The environment of the process. */
function environmentOf({ env, envFrom }: Container, resources: readonly Resource[]): Record<string, string> {
  const maps = envFrom.map(({ configMapRef }) =>
    resources.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === configMapRef?.name),
  );
  const entries = env.map(({ name, value }) => [name, value ?? services.secretSamples[name] ?? '']);
  return { ...Object.assign({}, ...maps.map((map) => map?.data)), ...Object.fromEntries(entries) };
}

const valueOf = (env: Container['env'], name: string): string | undefined =>
  env.find((entry) => entry.name === name)?.value;

const addressesIn = ({ env }: Container): URL[] =>
  env.flatMap(({ name, value }) => (value !== undefined && name.endsWith('_URL') ? [new URL(value)] : []));

const policySchema = z.object({
  podSelector: z.object({ matchLabels: z.record(z.string(), z.string()).default({}) }).loose(),
  ingress: z.array(z.object({ from: z.array(z.unknown()).optional() }).loose()).default([]),
  egress: z
    .array(
      z.object({
        to: z.array(z.unknown()).optional(),
        ports: z.array(z.object({ port: z.union([z.number(), z.string()]) })).default([]),
      }),
    )
    .default([]),
});

/** Whether the egress policy of the service and the ingress policy of the target allow the connection. */
function isAllowed(resources: readonly Resource[], { service, url }: { service: string; url: URL }): boolean {
  const policyOf = (name: string) =>
    policySchema.parse(
      resources.find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === name)?.spec,
    );
  const label = (name: string) => ({ podSelector: { matchLabels: { 'app.kubernetes.io/name': name } } });
  const out = policyOf(service).egress.some(
    ({ to = [], ports }) => contains(to, label(url.hostname)) && ports.some(({ port }) => String(port) === url.port),
  );
  const into = policyOf(url.hostname).ingress.some(({ from = [] }) => contains(from, label(service)));
  return out && into;
}

const contains = (list: readonly unknown[], wanted: object): boolean =>
  list.some((item) => JSON.stringify(item) === JSON.stringify(wanted));
