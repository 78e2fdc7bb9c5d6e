import { readConfig } from '@switchyard/service-kit';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { podsOf, renderer, renderOverlay, type Container, type Pod, type Resource } from './rendered.ts';
import { runtimeVariables, secretSamples, serviceNames, settingsOf } from './service-settings.ts';

const program = renderer();
if (program === undefined)
  console.warn('Neither kubectl nor kustomize is on this machine: what they render is not checked.');

const restricted = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

describe.skipIf(program === undefined).each(['dev', 'production'])('the overlay %s', (overlay) => {
  const resources = program === undefined ? [] : renderOverlay(overlay, program);
  const pods = podsOf(resources);
  const podOf = (service: string): Pod => pods.get(service) ?? expect.fail(`${service} is not deployed`);
  const serviceOf = (service: string): Container => podOf(service).containers[0] ?? expect.fail('no container');

  test.each(serviceNames)('%s can read what it is told', (service) => {
    const container = serviceOf(service);
    const settings = settingsOf(service);
    const environment = environmentOf(container, resources);
    const runtime = runtimeVariables[service] ?? {};
    expect(environment).toMatchObject(runtime);
    const names = container.env.map(({ name }) => name);
    expect(names.filter((name) => !(name in settings) && !(name in runtime))).toEqual([]);
    expect(() => readConfig(settings, { environment })).not.toThrow();
  });

  test.each(serviceNames)('%s lacks nothing that ties services together', (service) => {
    const environment = environmentOf(serviceOf(service), resources);
    const tying = ['NATS_URL', 'REDIS_URL', 'DATABASE_URL', 'INTERNAL_SECRET', 'SECRETS_KEY', 'MCP_URL', 'AUTH_URL'];
    const wanted = tying.filter((name) => name in settingsOf(service));
    expect(wanted.filter((name) => environment[name] === undefined)).toEqual([]);
  });

  test('the settings all services share are settings', () => {
    const shared = resources.filter(
      ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.startsWith('switchyard'),
    );
    const names = shared.flatMap(({ data }) => Object.keys(data ?? {}));
    expect(names).not.toEqual([]);
    const known = new Set(serviceNames.flatMap((service) => Object.keys(settingsOf(service))));
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });

  test.each(serviceNames)('%s is asked on its admin port how it is', (service) => {
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

  test.each(serviceNames)('%s ends after what it is doing', (service) => {
    const { env, lifecycle } = serviceOf(service);
    const shutdownMs = Number(valueOf(env, 'SHUTDOWN_TIMEOUT_MS'));
    const graceMs = (podOf(service).terminationGracePeriodSeconds ?? 0) * 1000;
    const waitMs = Number(/setTimeout\(\(\) => \{\}, (\d+)\)/.exec(JSON.stringify(lifecycle))?.[1]);
    expect(graceMs).toBeGreaterThan(shutdownMs + waitMs);
    const longestMs = Number(settingsOf(service)['REQUEST_TIMEOUT_MS']?.default ?? 0);
    expect(shutdownMs).toBeGreaterThan(longestMs);
  });

  test.each(serviceNames)('%s is scaled, spread, guarded and has an identity of its own', (service) => {
    const named = resources.filter(({ metadata }) => metadata.name === service).map(({ kind }) => kind);
    const always = ['ServiceAccount', 'Deployment', 'HorizontalPodAutoscaler', 'PodDisruptionBudget', 'NetworkPolicy'];
    expect(named).toEqual(expect.arrayContaining(always));
    expect(podOf(service).serviceAccountName).toBe(service);
    expect(podOf(service).topologySpreadConstraints).toHaveLength(2);
  });

  test('every address named in a setting is a Service, and policies let the traffic pass', () => {
    const flows = serviceNames.flatMap((service) => addressesIn(serviceOf(service)).map((url) => ({ service, url })));
    const refused = flows.filter(({ service, url }) => !isAllowed(resources, { service, url }));
    expect(refused).toEqual([]);
    const hosts = new Set(flows.map(({ url }) => url.hostname));
    const services = new Set(resources.filter(({ kind }) => kind === 'Service').map(({ metadata }) => metadata.name));
    expect([...hosts].filter((host) => !services.has(host))).toEqual([]);
  });
});

/** What the process would find in its environment. */
function environmentOf({ env, envFrom }: Container, resources: readonly Resource[]): Record<string, string> {
  const maps = envFrom.map(({ configMapRef }) =>
    resources.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === configMapRef?.name),
  );
  const entries = env.map(({ name, value }) => [name, value ?? secretSamples[name] ?? '']);
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

/** Out of the one and into the other. */
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
