/** Who may import whom. A folder not listed here may import nothing. */
export interface Allowed {
  /** Workspace packages, without their scope. */
  packages: readonly string[];
  /** Packages from outside; a value names the part of `src` that alone may import it. */
  outside: Readonly<Record<string, string>>;
  /** Pure: no files, sockets or processes. */
  pure?: true;
}

const everywhere = '';

const everyPackage = [
  ...[
    'answer-cache',
    'bus',
    'contracts',
    'database',
    'dispatch',
    'dispatch-kit',
    'limits',
    'providers',
    'replay',
    'service-kit',
    'store',
    'wire',
  ],
];

const service: Allowed = {
  packages: everyPackage,
  outside: { zod: everywhere, 'lru-cache': everywhere, express: 'http' },
};

export const allowedImports: Readonly<Record<string, Allowed>> = {
  'packages/answer-cache': {
    packages: ['bus', 'contracts', 'dispatch', 'dispatch-kit', 'service-kit', 'store', 'wire'],
    outside: { zod: everywhere },
  },
  'packages/bus': { packages: ['contracts'], outside: { nats: 'nats' } },
  'packages/contracts': { packages: [], outside: { zod: everywhere }, pure: true },
  'packages/database': {
    packages: ['contracts'],
    outside: { '@electric-sql/pglite': everywhere, kysely: everywhere, pg: everywhere },
  },
  'packages/dispatch': {
    packages: ['contracts', 'providers', 'store', 'wire'],
    outside: {
      ...{ '@smithy/signature-v4': 'credentials', jose: 'credentials' },
      ...{ 'ipaddr.js': 'inline', 'lru-cache': 'account-keys', opossum: everywhere, undici: 'upstream' },
    },
  },
  'packages/dispatch-kit': {
    packages: ['bus', 'contracts', 'dispatch', 'limits', 'providers', 'service-kit', 'store', 'wire'],
    outside: { zod: everywhere, 'lru-cache': 'budgets' },
  },
  'packages/limits': { packages: ['contracts', 'store'], outside: { 'lru-cache': everywhere } },
  'packages/providers': { packages: ['contracts', 'wire'], outside: { zod: everywhere }, pure: true },
  'packages/replay': { packages: ['bus', 'contracts', 'service-kit', 'store'], outside: { zod: everywhere } },
  'packages/service-kit': {
    packages: ['bus', 'contracts'],
    outside: {
      ...{ pino: everywhere, 'prom-client': everywhere, zod: everywhere },
      ...{ '@opentelemetry/api': 'trace', '@opentelemetry/sdk-trace': 'trace', '@opentelemetry/resources': 'trace' },
      '@opentelemetry/exporter-trace-otlp-http': 'trace',
    },
  },
  'packages/simulator': { packages: [], outside: {} },
  'packages/store': {
    packages: ['contracts'],
    outside: { 'lru-cache': everywhere, opossum: everywhere, redis: everywhere },
  },
  'packages/wire': { packages: [], outside: { zod: everywhere }, pure: true },
  'services/all-in-one': {
    packages: [
      ...['bus', 'contracts', 'database', 'service-kit', 'simulator', 'store'],
      ...['auth-svc', 'catalog-svc', 'chat-svc', 'edge', 'image-svc', 'mcp-svc'],
    ],
    outside: { zod: everywhere },
  },
  'services/auth-svc': { ...service, outside: { ...service.outside, 'oidc-provider': 'oauth' } },
  'services/catalog-svc': { ...service, outside: { ...service.outside, yaml: 'operator-file' } },
  'services/chat-svc': service,
  'services/edge': {
    packages: everyPackage,
    outside: {
      ...service.outside,
      ...{ express: everywhere, 'http-proxy-middleware': everywhere, 'swagger-ui-dist': 'reference' },
    },
  },
  'services/image-svc': {
    ...service,
    outside: { zod: everywhere, '@fastify/busboy': 'request', sharp: 'pixels' },
  },
  'services/mcp-svc': {
    ...service,
    outside: { zod: everywhere, '@modelcontextprotocol/server': 'http', sharp: 'preview' },
  },
};

/** What a pure package must not touch. */
export const impureModules =
  /^node:(child_process|cluster|dgram|dns|fs|http|http2|https|net|os|process|timers|tls|worker_threads)(\/|$)/;
