/** The imports that a folder is allowed. A folder without an entry may import nothing. */
export interface Allowed {
  /** Workspace packages, without their scope. */
  packages: readonly string[];
  /** Packages from outside. A value restricts the import to this part of `src`. */
  outside: Readonly<Record<string, string>>;
  /** Pure: no files, sockets or processes. */
  pure?: true;
}

const everywhere = '';

export const everyPackage: readonly string[] = [
  'bus',
  'contracts',
  'database',
  'dialects',
  'dispatch',
  'endpoints',
  'gateway-document',
  'guardrails',
  'http-exchange',
  'limits',
  'management',
  'management-server',
  'outbound',
  'pages',
  'pixels',
  'pricing',
  'providers',
  'routes',
  'service-kit',
  'serving',
  'store',
  'wire',
];

const service: Allowed = {
  packages: everyPackage,
  outside: { zod: everywhere, 'lru-cache': everywhere, express: 'http' },
};

export const allowedImports: Readonly<Record<string, Allowed>> = {
  'packages/bus': { packages: ['contracts'], outside: { nats: 'nats' } },
  'packages/contracts': { packages: [], outside: { zod: everywhere }, pure: true },
  'packages/database': {
    packages: ['contracts'],
    outside: { '@electric-sql/pglite': everywhere, kysely: everywhere, pg: everywhere },
  },
  'packages/dialects': { packages: ['contracts', 'wire'], outside: { zod: everywhere }, pure: true },
  'packages/dispatch': {
    packages: ['contracts', 'outbound', 'pricing', 'providers', 'store', 'wire'],
    outside: { '@smithy/signature-v4': 'credentials', jose: 'credentials', opossum: 'standing' },
  },
  'packages/endpoints': {
    packages: ['contracts', 'dialects', 'management', 'providers', 'wire'],
    outside: { zod: everywhere },
    pure: true,
  },
  'packages/gateway-document': {
    packages: ['contracts', 'management', 'routes', 'wire'],
    outside: { zod: everywhere },
    pure: true,
  },
  'packages/guardrails': {
    packages: ['contracts', 'wire'],
    outside: { 'ipaddr.js': 'detectors', re2js: everywhere },
    pure: true,
  },
  'packages/http-exchange': { packages: ['bus', 'contracts'], outside: {} },
  'packages/limits': { packages: ['contracts', 'store'], outside: { 'lru-cache': everywhere } },
  'packages/management': { packages: ['contracts'], outside: { zod: everywhere }, pure: true },
  'packages/management-server': {
    packages: [
      'bus',
      'contracts',
      'database',
      'limits',
      'management',
      'outbound',
      'pages',
      'service-kit',
      'store',
      'wire',
    ],
    outside: { zod: everywhere, express: 'http' },
  },
  'packages/outbound': {
    packages: ['service-kit', 'wire'],
    outside: { 'ipaddr.js': 'address', 'lru-cache': everywhere, undici: everywhere, ws: 'socket' },
  },
  'packages/pages': {
    packages: ['contracts', 'wire'],
    outside: { 'd3-scale': 'charts', 'd3-shape': 'charts', express: 'http' },
  },
  'packages/pixels': { packages: ['dispatch', 'providers', 'service-kit', 'wire'], outside: { sharp: everywhere } },
  'packages/pricing': { packages: ['contracts', 'wire'], outside: {}, pure: true },
  'packages/providers': { packages: ['contracts', 'wire'], outside: {}, pure: true },
  'packages/routes': { packages: ['contracts'], outside: { '@marcbachmann/cel-js': 'conditions' }, pure: true },
  'packages/sandbox': { packages: [], outside: {} },
  'packages/service-kit': {
    packages: ['bus', 'contracts'],
    outside: {
      pino: everywhere,
      'prom-client': everywhere,
      zod: everywhere,
      '@opentelemetry/api': 'trace',
      '@opentelemetry/sdk-trace': 'trace',
      '@opentelemetry/resources': 'trace',
      '@opentelemetry/exporter-trace-otlp-http': 'trace',
    },
  },
  'packages/serving': {
    packages: [
      'bus',
      'contracts',
      'dispatch',
      'guardrails',
      'limits',
      'outbound',
      'pricing',
      'providers',
      'routes',
      'service-kit',
      'store',
      'wire',
    ],
    outside: { zod: everywhere, 'lru-cache': everywhere },
  },
  'packages/simulator': { packages: ['sandbox'], outside: { ws: 'realtime' } },
  'packages/store': {
    packages: ['contracts'],
    outside: { ioredis: everywhere, 'lru-cache': everywhere, opossum: everywhere },
  },
  'packages/wire': { packages: [], outside: { yaml: 'yaml', zod: everywhere }, pure: true },
  'services/all-in-one': {
    packages: [
      'bus',
      'contracts',
      'database',
      'management-server',
      'service-kit',
      'serving',
      'sandbox',
      'store',
      'auth-svc',
      'batch-svc',
      'catalog-svc',
      'chat-svc',
      'console-svc',
      'edge',
      'image-svc',
      'ledger-svc',
      'mcp-svc',
    ],
    outside: { zod: everywhere },
  },
  'services/auth-svc': {
    ...service,
    outside: {
      ...service.outside,
      'oidc-provider': 'oauth',
      'openid-client': 'identity',
      jose: 'identity',
    },
  },
  'services/batch-svc': {
    ...service,
    outside: {
      ...service.outside,
      '@aws-sdk/client-s3': 'storage',
      '@aws-sdk/lib-storage': 'storage',
      '@fastify/busboy': 'request',
    },
  },
  'services/catalog-svc': service,
  'services/chat-svc': service,
  'services/console-svc': service,
  'services/edge': {
    packages: everyPackage,
    outside: {
      ...service.outside,
      express: everywhere,
      compression: everywhere,
      'http-proxy-middleware': 'dashboard',
      ws: 'sockets',
    },
  },
  'services/image-svc': {
    ...service,
    outside: { zod: everywhere, '@fastify/busboy': 'request' },
  },
  'services/ledger-svc': {
    ...service,
    outside: { zod: everywhere, express: 'http', nodemailer: 'alerts' },
  },
  'services/mcp-svc': {
    ...service,
    outside: {
      ...service.outside,
      '@modelcontextprotocol/client': 'federation',
      '@modelcontextprotocol/server': 'http',
      oauth4webapi: 'federation',
      sharp: 'preview',
    },
  },
};

/** Modules that a pure package must not import. */
export const impureModules =
  /^node:(child_process|cluster|dgram|dns|fs|http|http2|https|net|os|process|timers|tls|worker_threads)(\/|$)/;
