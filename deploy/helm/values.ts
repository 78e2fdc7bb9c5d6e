import { z } from 'zod';
import type { Base, BaseService } from './base.ts';

const text = (description: string) => z.string().describe(description);
const texts = (description: string) => z.record(z.string(), z.string()).describe(description);
/** A part of a Kubernetes resource, which the cluster checks. */
const part = (description: string) => z.looseObject({}).describe(description);
const parts = (description: string) => z.array(z.looseObject({})).describe(description);
const peers = (name: string) =>
  z
    .strictObject({
      to: parts(`Peers of a network policy: the addresses of ${name}`),
      ports: parts('The ports of these peers'),
    })
    .describe(`Allows connections to ${name}, for the services that use it`);

const resources = z.looseObject({ requests: part('Reserved'), limits: part('Limits') });

/** Settings of pods: those of all services, and those of a single one. */
const podSettings = {
  podAnnotations: texts('Annotations of the pods'),
  podLabels: texts('Labels of the pods, beside those that select them'),
  podSecurityContext: part('Security context of the pods'),
  securityContext: part('Security context of the containers'),
  nodeSelector: texts('Labels of the nodes that may run the pods'),
  tolerations: parts('Taints of nodes that the pods tolerate'),
  affinity: part('Affinity of the pods'),
  topologySpreadConstraints: parts('How the pods spread over nodes. Without `labelSelector`: those of one service'),
  priorityClassName: text('Priority class of the pods'),
};

const serviceSchema = z.strictObject({
  image: text('The whole name of the image, with a tag or digest. Empty: made of `image` above'),
  replicas: z.int().min(0).describe('Pods while `autoscaling.enabled` is false'),
  autoscaling: z.strictObject({
    minReplicas: z.int().min(1).describe('The fewest pods'),
    maxReplicas: z.int().min(1).describe('The most pods'),
    metrics: parts('Metrics of the HorizontalPodAutoscaler'),
  }),
  resources: resources.describe('CPU and memory of a pod'),
  env: parts('More environment variables, which replace those of the same name'),
  serviceAccount: z.strictObject({
    create: z.boolean().describe('Whether the chart creates the ServiceAccount'),
    name: text('Its name. Empty: the name of the service in the release; without `create`: `default`'),
    annotations: texts("Its annotations, for a cloud's workload identity"),
    automount: z.boolean().describe('Whether pods get its token. No service calls the API of Kubernetes'),
  }),
  ...podSettings,
});

/** All values of the chart. Descriptions become comments in values.yaml and rows in the README of the chart. */
export const valuesSchema = z.strictObject({
  nameOverride: text('Replaces the name of the chart in names and labels'),
  fullnameOverride: text('Replaces the start of all names, which is the release, with the name of the chart'),
  image: z.strictObject({
    registry: text('Registry and folder before the names of the images, such as `registry.example.com/team`'),
    tag: text('Tag of all images. Empty: `appVersion` of the chart'),
    pullPolicy: z.enum(['Always', 'IfNotPresent', 'Never']).describe('When nodes pull images'),
  }),
  imagePullSecrets: parts('Secrets for the registry, such as `{ name: registry }`'),
  config: texts('Settings of all services (docs/configuration.md). Pods restart when one changes'),
  secrets: texts('Names of the Secrets that the services read, which must exist. Empty: as `<fullname>-state`'),
  urls: z
    .strictObject({
      nats: text('NATS_URL of all services, with one user'),
      redis: text('REDIS_URL'),
      database: text('DATABASE_URL'),
    })
    .describe('Creates the Secrets `secrets.state` and `secrets.nats` with these URLs. Empty: they must exist'),
  annotations: texts('Annotations of every resource'),
  ...podSettings,
  volumes: parts('More volumes of every pod, such as a ConfigMap with a certificate authority'),
  volumeMounts: parts('Where every container mounts them'),
  autoscaling: z.strictObject({
    enabled: z.boolean().describe('Whether HorizontalPodAutoscalers set the number of pods'),
    minReplicas: z.int().min(0).describe("Replaces every service's own minimum. 0: does not"),
  }),
  networkPolicy: z.strictObject({
    enabled: z.boolean().describe('Whether each pod reaches only its peers'),
    nats: peers('NATS servers that are not pods with the label `app.kubernetes.io/name: nats` in this namespace'),
    redis: peers('Redis'),
    postgres: peers('Postgres'),
    privateTargets: peers('webhooks and MCP servers of accounts in private networks (PRIVATE_TARGETS)'),
  }),
  podMonitor: z
    .strictObject({ enabled: z.boolean().describe('Whether the Prometheus operator scrapes every pod') })
    .describe('Needs the Prometheus operator'),
  ingress: z.strictObject({
    enabled: z.boolean().describe('Whether an Ingress leads to edge'),
    className: text('The class of the Ingress'),
    host: text('The public host name, as in `BASE_URL`'),
    tlsSecret: text('The Secret with the certificate'),
    annotations: texts('Annotations of the Ingress. Streams must not be buffered'),
  }),
  httpRoute: z.strictObject({
    enabled: z.boolean().describe('Whether a route of the Gateway API leads to edge'),
    parentRefs: parts('The Gateways, such as `{ name: public, namespace: gateways }`'),
    hostnames: z.array(z.string()).describe('The public host names'),
  }),
  compact: z
    .strictObject({ enabled: z.boolean().describe('Whether pods named edge run these four services') })
    .describe(
      'Runs edge, chat-svc, image-svc and catalog-svc in one process, with the image `all-in-one` and `services.compact`',
    ),
  services: z
    .record(z.string(), serviceSchema)
    .describe(
      'Values of single services. Their settings of pods replace those above; annotations and labels add to them',
    ),
});

type Values = z.infer<typeof valuesSchema>;

/** The values with which the chart renders the kustomize base. */
export function defaultValues({ services, secrets, pods }: Base, compact: BaseService): Values {
  return {
    nameOverride: '',
    fullnameOverride: '',
    image: { registry: '', tag: '', pullPolicy: 'IfNotPresent' },
    imagePullSecrets: [],
    config: { BASE_URL: 'https://gateway.example.com', JOURNAL_REPLICAS: '3', LOG_LEVEL: 'info', SANDBOX: 'off' },
    secrets: Object.fromEntries(secrets.map((name) => [name, ''])),
    urls: { nats: '', redis: '', database: '' },
    annotations: {},
    ...noPodSettings,
    ...pods,
    volumes: [],
    volumeMounts: [],
    autoscaling: { enabled: true, minReplicas: 0 },
    networkPolicy: {
      enabled: true,
      nats: { to: [], ports: [{ port: 4222 }] },
      redis: { to: [], ports: [{ port: 6379 }] },
      postgres: { to: [], ports: [{ port: 5432 }] },
      privateTargets: { to: [], ports: [{ port: 443 }] },
    },
    podMonitor: { enabled: true },
    ingress: {
      enabled: false,
      className: 'nginx',
      host: 'gateway.example.com',
      tlsSecret: 'gateway-tls',
      annotations: ingressAnnotations,
    },
    httpRoute: { enabled: false, parentRefs: [], hostnames: ['gateway.example.com'] },
    compact: { enabled: false },
    services: {
      ...Object.fromEntries(services.map((service) => [service.name, serviceValues(service)])),
      compact: serviceValues(compact),
    },
  };
}

const noPodSettings = {
  podAnnotations: {},
  podLabels: {},
  podSecurityContext: {},
  securityContext: {},
  nodeSelector: {},
  tolerations: [],
  affinity: {},
  topologySpreadConstraints: [],
  priorityClassName: '',
};

/** For ingress-nginx: event streams are not buffered and may be idle for long; edge enforces its own limits. */
const ingressAnnotations = {
  'nginx.ingress.kubernetes.io/proxy-buffering': 'off',
  'nginx.ingress.kubernetes.io/proxy-request-buffering': 'off',
  'nginx.ingress.kubernetes.io/proxy-read-timeout': '1290',
  'nginx.ingress.kubernetes.io/proxy-send-timeout': '1290',
  'nginx.ingress.kubernetes.io/proxy-body-size': '50m',
  'nginx.ingress.kubernetes.io/proxy-next-upstream': 'off',
};

function serviceValues({ autoscaler, resources: given }: BaseService): Values['services'][string] {
  return {
    image: '',
    replicas: autoscaler.minReplicas,
    autoscaling: autoscaler,
    resources: given,
    env: [],
    serviceAccount: { create: true, name: '', annotations: {}, automount: false },
    ...noPodSettings,
  };
}
