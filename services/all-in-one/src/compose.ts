import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { authModule, commandSocket, oauthClientRules } from '@tallyport/auth-svc';
import { batchModule } from '@tallyport/batch-svc';
import type { Link } from '@tallyport/bus';
import { catalogModule, catalogueSocket } from '@tallyport/catalog-svc';
import { chatModule } from '@tallyport/chat-svc';
import { consoleModule } from '@tallyport/console-svc';
import type { Database } from '@tallyport/database';
import { edgeModule } from '@tallyport/edge';
import { imageModule } from '@tallyport/image-svc';
import { ledgerModule, ledgerSocket } from '@tallyport/ledger-svc';
import { mcpModule } from '@tallyport/mcp-svc';
import type { Simulator } from '@tallyport/sandbox';
import type { Kit, Part } from '@tallyport/service-kit';
import type { AllInOneConfig } from './config.ts';
import { openSandbox, simulatedDefaults } from './sandbox.ts';
import { composedServices, runsAll, type ServiceName } from './services.ts';
import { openState, type State } from './state.ts';

export interface Composition extends Modules {
  link: Link;
  /** The database of accounts; `undefined` if no service of the process uses it. */
  database: Database | undefined;
  /** The address of the simulated providers, if they run inside. */
  sandboxUrl: string | undefined;
}

interface Modules {
  /** In the order in which they start. */
  parts: readonly Part[];
  publicUrl(): string;
  /** The path that creates the first owner; `undefined` if there is one, or if the process does not show it. */
  setupPath(): string | undefined;
}

/** Composes the services that `SERVICES` names in one process: by default all. */
export async function compose(kit: Kit<AllInOneConfig>): Promise<Composition> {
  const services = composedServices(kit.config);
  const state = await openState(kit, services);
  const gallery: { gatewayUrl?: () => string } = {};
  // Some of the services call simulated providers only in a process of their own, as each service alone.
  const sandbox = runsAll(kit.config) ? await openSandbox(kit, () => gallery.gatewayUrl?.()) : undefined;
  const modules = openModules(kit, services, { ...state, config: moduleConfig(kit.config, sandbox) });
  gallery.gatewayUrl = modules.publicUrl;
  return { ...modules, link: state.bus.link, database: state.database, sandboxUrl: sandbox?.url };
}

/** The settings of the modules. In a process with all services, those that connect them have values of their own. */
function moduleConfig(config: AllInOneConfig, sandbox: Simulator | undefined) {
  const { INTERNAL_SECRET = [randomBytes(32).toString('base64url')], USAGE_SPILL_DIR, DATA_DIR } = config;
  return {
    ...config,
    INTERNAL_SECRET,
    ...(runsAll(config) && { CONSOLE_PORT: 0, USAGE_SPILL_DIR: USAGE_SPILL_DIR ?? join(DATA_DIR, 'usage') }),
    ...(sandbox && { SANDBOX_BASE_URL: sandbox.url, ...simulatedDefaults(config) }),
  };
}

interface ModuleTools extends State {
  config: ReturnType<typeof moduleConfig>;
}

function openModules(
  kit: Kit<AllInOneConfig>,
  services: readonly ServiceName[],
  { config, bus, store, answerStore, database, ledgerDatabase }: ModuleTools,
): Modules {
  const { link } = bus;
  const kitOf = (name: ServiceName) => kit.child(name, config);
  const only = <Module>(name: ServiceName, open: (child: ReturnType<typeof kitOf>) => Module): Module | undefined =>
    services.includes(name) ? open(kitOf(name)) : undefined;
  const publicUrl = (): string => config.BASE_URL ?? edge?.address() ?? `http://127.0.0.1:${config.PORT}`;
  const oauthClients = oauthClientRules(config);
  const web = { store, publicUrl, oauthClients, ...(runsAll(config) && { showsSetupLink: true as const }) };
  const auth = database && only('auth-svc', (child) => authModule(child, { link, database, web }));
  const dashboard = only('console-svc', (child) => consoleModule(child, { link }));
  const consoleUrls = () => (dashboard === undefined ? config.CONSOLE_URL : [dashboard.address()]);
  const edge = only('edge', (child) => edgeModule(child, { link, store, consoleUrls }));
  const parts = [
    bus,
    auth,
    ledgerDatabase &&
      only('ledger-svc', (child) => ledgerModule(child, { link, database: ledgerDatabase, web: { store, publicUrl } })),
    only('catalog-svc', (child) => catalogModule(child, { link, database })),
    ...(runsAll(config) && config.DATABASE_URL === undefined ? controlSockets(kitOf, link) : []),
    only('chat-svc', (child) => chatModule(child, { link, store, answerStore })),
    only('image-svc', (child) => imageModule(child, { link, store, answerStore })),
    database && only('batch-svc', (child) => batchModule(child, { link, database })),
    only('mcp-svc', (child) => mcpModule(child, { link, store })),
    dashboard,
    // The last ones stop first: no more requests of other processes, then none of clients, whose running ones find the rest.
    edge,
    { name: 'queue', stop: () => link.leave() },
  ];
  return { parts: parts.filter((part) => part !== undefined), publicUrl, setupPath: () => auth?.setupPath() };
}

/** No other process can open an embedded database, so commands are sent to the process that holds it. */
const controlSockets = (kitOf: (name: ServiceName) => Kit<AllInOneConfig>, link: Link): readonly Part[] => [
  commandSocket(kitOf('auth-svc'), { link }),
  catalogueSocket(kitOf('catalog-svc'), { link }),
  ledgerSocket(kitOf('ledger-svc'), { link }),
];
