import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { openAnswerStore } from '@tallyport/serving/cache';
import { authModule, commandSocket, oauthClientRules } from '@tallyport/auth-svc';
import { inProcessLink, type Link } from '@tallyport/bus';
import { catalogModule, catalogueSocket } from '@tallyport/catalog-svc';
import { chatModule } from '@tallyport/chat-svc';
import { consoleModule } from '@tallyport/console-svc';
import type { Database } from '@tallyport/database';
import { edgeModule, type EdgePart } from '@tallyport/edge';
import { imageModule } from '@tallyport/image-svc';
import { ledgerModule, ledgerSocket, openLedgerDatabase } from '@tallyport/ledger-svc';
import { openConfiguredDatabase } from '@tallyport/management-server';
import { mcpModule } from '@tallyport/mcp-svc';
import { type Kit, openBus, type OpenBus, type Part, showStore, tracedLink } from '@tallyport/service-kit';
import { openStore } from '@tallyport/store';
import type { AllInOneConfig } from './config.ts';
import { openSandbox, simulatedDefaults } from './sandbox.ts';

export interface Composition {
  parts: readonly Part[];
  database: Database;
  edge: EdgePart;
  link: Link;
  /** The path that creates the first owner; `undefined` if there is one. */
  setupPath(): string | undefined;
  /** The address of the simulated providers, if they run inside. */
  sandboxUrl: string | undefined;
}

/** Composes every service in one process. NATS, Redis and Postgres are embedded unless a URL names a real server. */
export async function composeAll(kit: Kit<AllInOneConfig>): Promise<Composition> {
  const database = await openConfiguredDatabase(kit);
  const ledgerDatabase = kit.config.DATABASE_URL === undefined ? database : await openLedgerDatabase(kit);
  const store = await openStore(kit.config.REDIS_URL === undefined ? {} : { url: kit.config.REDIS_URL });
  kit.onShutdown('store', () => store.close());
  showStore(kit.metrics, store);
  const answerStore = await openAnswerStore(kit, store);
  const gallery: { gatewayUrl?: () => string } = {};
  const sandbox = await openSandbox(kit, () => gallery.gatewayUrl?.());
  const bus = kit.config.NATS_URL === undefined ? embeddedBus(kit) : await openBus(kit);
  const config = {
    ...kit.config,
    ...(sandbox && { SANDBOX_BASE_URL: sandbox.url, ...simulatedDefaults(kit.config) }),
    INTERNAL_SECRET: kit.config.INTERNAL_SECRET ?? [randomBytes(32).toString('base64url')],
    CONSOLE_PORT: 0,
    USAGE_SPILL_DIR: kit.config.USAGE_SPILL_DIR ?? join(kit.config.DATA_DIR, 'usage'),
  };
  const { link } = bus;

  const publicUrl = (): string => config.BASE_URL ?? edge.address();
  const oauthClients = oauthClientRules(config);
  const web = { store, publicUrl, oauthClients, showsSetupLink: true as const };
  const auth = authModule(kit.child('auth-svc', config), { link, database, web });
  const dashboard = consoleModule(kit.child('console-svc', config), { link });
  const mcp = mcpModule(kit.child('mcp-svc', config), { link, store });
  const edge = edgeModule(kit.child('edge', config), { link, store, consoleUrls: () => [dashboard.address()] });
  gallery.gatewayUrl = publicUrl;
  const parts = [
    bus,
    auth,
    ledgerModule(kit.child('ledger-svc', config), { link, database: ledgerDatabase, web: { store, publicUrl } }),
    catalogModule(kit.child('catalog-svc', config), { link, database }),
    ...(config.DATABASE_URL === undefined ? controlSockets(kit, config, link) : []),
    chatModule(kit.child('chat-svc', config), { link, store, answerStore }),
    imageModule(kit.child('image-svc', config), { link, store, answerStore }),
    mcp,
    dashboard,
    edge,
  ];
  return { parts, database, edge, link, setupPath: auth.setupPath, sandboxUrl: sandbox?.url };
}

/** No other process can open an embedded database, so commands are sent to the process that holds it. */
const controlSockets = (kit: Kit<AllInOneConfig>, config: AllInOneConfig, link: Link): readonly Part[] => [
  commandSocket(kit.child('auth-svc', config), { link }),
  catalogueSocket(kit.child('catalog-svc', config), { link }),
  ledgerSocket(kit.child('ledger-svc', config), { link }),
];

function embeddedBus({ tracing }: Kit): OpenBus {
  const link = tracing === undefined ? inProcessLink() : tracedLink(inProcessLink(), tracing);
  return { name: 'bus', link, stop: () => link.close() };
}
