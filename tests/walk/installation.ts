import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase } from '@tallyport/database/testing';
import { neutralEnvironment, type ServiceName } from '../../scripts/distributed/settings.ts';
import { type Distributed, startDistributed } from '../../scripts/distributed/start.ts';
import { clientSecret, type Company, startCompany } from '../identity/company.ts';
import { type RogueProvider, startRogueProvider } from '../identity/rogue-provider.ts';
import { type Balancer, startBalancer } from '../rolling/balancer.ts';
import { waitUntil } from '../support/probe.ts';
import { startNats, startRedis } from '../support/servers.ts';
import { runToEnd } from '../support/run-to-end.ts';

/** What the platform team has: services behind balancers, an identity provider and a cluster that issues tokens. */
export interface Installation {
  url: string;
  databaseUrl: string;
  running: Distributed;
  company: Company;
  cluster: RogueProvider;
  balancerOf(service: ServiceName): Balancer | undefined;
  /** Runs a block of the guide and returns its output. */
  run(block: string, variables?: Record<string, string>): Promise<string>;
  /** `npm run key -- create ops --admin`. */
  createAdminKey(): Promise<string>;
  stop(): Promise<void>;
}

const behindBalancers = ['edge', 'console-svc'] as const;
const unlimited = ['CHAT', 'IMAGES', 'MODELS', 'MCP'].map((kind) => [`LIMIT_${kind}_PER_MINUTE`, '0'] as const);

/** The simulated providers charge nothing by default. */
const pricing = '{ pricing: { prompt: "0.01", completion: "0.01" } }';
const prices = `models: { sandbox-chat: { offers: { sandbox-a: ${pricing}, sandbox-b: ${pricing}, sandbox-c: ${pricing} } } }`;

/** `identityFile` makes the document of identity providers from the issuers of the company and of the cluster. */
export async function install(
  identityFile: (issuers: { company: string; cluster: string }) => string,
): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'tallyport-walk-'));
  const [nats, redis, company, cluster] = await Promise.all([
    startNats(),
    startRedis(),
    startCompany(),
    startRogueProvider(),
  ]);
  const database = await createTestDatabase(process.env['TEST_DATABASE_URL'] ?? '');
  const [edge, dashboard] = await Promise.all([startBalancer(), startBalancer()]);
  const balancers: Partial<Record<ServiceName, Balancer>> = {
    edge,
    'console-svc': dashboard,
  };
  const file = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  const running = await startDistributed({
    servers: { NATS_URL: nats.url, REDIS_URL: redis.url, DATABASE_URL: database.url },
    sandboxArgs: ['--chunks-per-second', '4'],
    environment: {
      ...Object.fromEntries(unlimited),
      BASE_URL: edge.url,
      TALLYPORT_CONFIG: await file('tallyport.yaml', prices),
      ROUTING_MAX_COOLDOWN_MS: '3000',
    },
    serviceEnvironment: {
      edge: { CONSOLE_URL: dashboard.url },
      'auth-svc': {
        IDENTITY_CONFIG: await file(
          'identity.yaml',
          identityFile({ company: company.issuer, cluster: cluster.issuer }),
        ),
        IDENTITY_SECRET_ACME: clientSecret,
      },
      'ledger-svc': { ALLOW_LOCAL_TARGETS: 'true' },
    },
  });
  company.open(edge.url);
  for (const service of behindBalancers) running.replicas(service).forEach((each) => balancers[service]?.add(each));
  await waitUntil('the balancers to know all', () =>
    Object.values(balancers).every((balancer) => balancer.ready() === 1),
  );
  const run = (block: string, variables: Record<string, string> = {}): Promise<string> =>
    runToEnd('sh', ['-ec', block], {
      cwd: folder,
      env: { ...neutralEnvironment(), URL: edge.url, DATABASE_URL: database.url, ...variables },
    });
  return {
    url: edge.url,
    databaseUrl: database.url,
    running,
    company,
    cluster,
    run,
    balancerOf: (service) => balancers[service],
    async createAdminKey() {
      const command = ['services/auth-svc/src/commands/key.ts', 'create', 'ops', '--admin'];
      const output = await runToEnd(process.execPath, command, {
        env: { ...neutralEnvironment(), NATS_URL: nats.url },
      });
      return /sk-tp-\w+/.exec(output)?.[0] ?? '';
    },
    async stop() {
      await running.stop();
      Object.values(balancers).forEach((balancer) => balancer.close());
      await Promise.all([company.stop(), cluster.stop(), nats.stop(), redis.stop(), database.drop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
