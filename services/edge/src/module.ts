import { createClient, type Link } from '@tallyport/bus';
import {
  authService,
  batchService,
  catalogService,
  chatErrors,
  chatService,
  imageService,
  ledgerService,
  messagesErrors,
} from '@tallyport/contracts';
import { anthropicLimits } from '@tallyport/limits';
import { sendPage } from '@tallyport/pages';
import { type Kit, listen, type Part } from '@tallyport/service-kit';
import type { Store } from '@tallyport/store';
import { type EdgeConfig, edgeConfig, largestBody, largestUpload } from './config.ts';
import { type Door, openDoor } from './door.ts';
import { dashboardRoutes } from './dashboard/dashboard-routes.ts';
import { aliasRoutes } from './alias-routes.ts';
import { drainServer } from './drain.ts';
import { type EdgeEvents, edgeEvents } from './events.ts';
import { authRoutes } from './forward/auth-routes.ts';
import { batchRoutes } from './forward/batch-routes.ts';
import { ledgerRoutes } from './forward/ledger-routes.ts';
import { createFormReader } from './forward/read-form.ts';
import { healthChecks } from './health/checks.ts';
import { health } from './health/health.ts';
import { rootPage } from './health/root-page.ts';
import { isLoopback } from './http/loopback.ts';
import { closeAfterUnread } from './http/unread-body.ts';
import type { LingerBounds } from './http/lingering-close.ts';
import { createMemoryBudget } from './http/memory-budget.ts';
import { protectedResources } from './http/protected-resources.ts';
import { publicUrls, reachableAddress } from './http/public-url.ts';
import { requestIds } from './http/request-id.ts';
import { createRunningUploads, type RunningUploads } from './http/running-uploads.ts';
import { wantsPage } from './http/wants-page.ts';
import { openMcp } from './mcp/open-mcp.ts';
import type { WebRoute } from './http/web-route.ts';
import { openRefusedRequests } from './refusals/refused-requests.ts';
import { checkContentType } from './relay/content-type.ts';
import { placeOf } from './relay/path-place.ts';
import { relay, type RelayOptions } from './relay/relay.ts';
import { createRunningRequests, type RunningRequests } from './relay/running-requests.ts';
import { mcpPath, routeTable } from './route-table.ts';
import { type RelayedRoute, relayedRoutes, type Services } from './routes.ts';
import { edgeServer, type HotRoute } from './server.ts';
import { type ClientSecrets, createClientSecrets } from './authenticate/client-secrets.ts';
import { clientSecretsPath, mintClientSecret } from './sockets/realtime/mint-client-secret.ts';
import { openEdgeSockets } from './sockets/open-edge-sockets.ts';
import { createTracker, type Tracker } from './track.ts';
import { statusRoutes } from './status/status-routes.ts';
import { webApp, webRoute } from './web-app.ts';

export { edgeConfig };

export interface EdgePart extends Part {
  /** The address under which this machine reaches the server, once it has started. */
  address(): string;
}

export interface EdgeTools {
  link: Link;
  store: Store;
  /** The URLs of console-svc; called whenever they are needed. */
  consoleUrls(): readonly string[];
  /** How long connections with a response read on; the usual bounds if absent. */
  linger?: LingerBounds;
}

/** The only public process: authenticates, admits and relays requests. */
export function edgeModule(kit: Kit<EdgeConfig>, { link, store, consoleUrls, linger }: EdgeTools): EdgePart {
  const { config } = kit;
  const running = createRunningRequests();
  const services = servicesOn(link);
  const publicUrl = publicUrls(config.BASE_URL);
  const secrets = createClientSecrets(config.INTERNAL_SECRET);
  const door = openDoor(kit, { auth: services.auth, store, publicUrl, secrets });
  const routes = [...relayedRoutes(services), mintingRoute(secrets, door)];
  const events = edgeEvents(kit, { routes: ['/', mcpPath, ...routes.map(({ path }) => path), webRoute] });
  const memory = openMemory(config, events.bytesHeld);
  const refused = openRefusedRequests({ append: services.ledger.usage.append, onLost: events.refusalNotRecorded });
  const nextId = requestIds();
  const tracker = createTracker({ events, nextId, tracing: kit.tracing });

  const uploads = createRunningUploads();
  const relayOptions = relayOptionsOf(config, { memory, running, refused, door, uploads });
  const relayed = (route: RelayedRoute): HotRoute => {
    const options = relayOptions(route);
    const { anthropicErrors: errors } = route;
    const ofAnthropic = errors && relayOptions({ ...route, errors });
    return tracker.track(route.countedAs ?? route.path, (context) =>
      relay(context, (context.request.headers['anthropic-version'] !== undefined && ofAnthropic) || options),
    );
  };
  const sockets = openEdgeSockets(kit, { door, memory, running, tracker, auth: services.auth, secrets, nextId });
  const mcp = openMcp(config, { link, running, door, memory, events });
  const { methodsOf, ...found } = routeTable([...routes, ...aliasRoutes(routes)], {
    health: healthRoute(tracker, { config, link, store, services, publicUrl, onAway: events.healthAway }),
    mcp: tracker.track(mcpPath, mcp.answer),
    relayed,
    socket: (route) => sockets.route(route, relayOptions(route)),
  });
  const forwarded = forwardedRoutes(config, { services, publicUrl, door, running, consoleUrls });
  const own = ownRoutes(config, { services, publicUrl, events });
  const hasSocket = (path: string): boolean => found.socketRoutes.has(path);
  const app = webApp({ methodsOf, hasSocket, relayed: routes, forwarded, routes: own, publicUrl, nextId, events });
  const server = edgeServer({ ...found, otherwise: app, uploadTimeoutMs: config.UPLOAD_TIMEOUT_MS, uploads, linger });
  let address = '';

  return {
    name: 'edge',
    address: () => address,
    async start() {
      mcp.start();
      sockets.start();
      address = reachableAddress(await listen(server, { host: config.HOST, port: config.PORT }));
      if (config.BASE_URL === undefined && !isLoopback(config.HOST)) events.addressUnknown();
    },
    async check() {
      return link.connected() ? { ok: true } : { ok: false, message: 'The bus is not connected.' };
    },
    async stop(deadlineMs) {
      mcp.close();
      await Promise.all([sockets.stop(deadlineMs), drainServer(server, deadlineMs, running)]);
      await door.close();
    },
  };
}

/** Edge answers it itself: only edge knows what identifies a key. */
const mintingRoute = (secrets: ClientSecrets, door: Pick<Door, 'keyHash'>): RelayedRoute => ({
  method: 'POST',
  path: clientSecretsPath,
  key: 'required',
  kind: 'models',
  holdsContent: true,
  accepts: ['application/json'],
  open: (exchange, request) =>
    mintClientSecret(exchange, { secrets, keyHash: door.keyHash(request) ?? '', now: Date.now() }),
});

interface RelayTools extends Pick<RelayOptions, 'memory' | 'running' | 'refused'> {
  door: Pick<Door, 'enter'>;
  uploads: RunningUploads;
}

/** How the requests of a route are relayed. */
const relayOptionsOf =
  (config: EdgeConfig, { door, uploads, ...tools }: RelayTools) =>
  (route: RelayedRoute): RelayOptions => ({
    ...tools,
    largest: largestOf(config, route),
    upload: route.streamsBody && { pauseMs: config.UPLOAD_TIMEOUT_MS, running: uploads },
    timeoutMs: config.REQUEST_TIMEOUT_MS,
    open: route.open,
    errors: route.errors ?? chatErrors,
    operation: route.usage,
    isDeferrable: route.isDeferrable,
    place: placeOf(route),
    limitNames: route.errors === messagesErrors ? anthropicLimits : undefined,
    enter: (entry) => door.enter(entry, route),
    check: (headers) => checkContentType(headers, route.accepts),
  });

function largestOf(config: EdgeConfig, { accepts, streamsBody }: RelayedRoute): RelayOptions['largest'] {
  if (accepts.length === 0) return undefined;
  return streamsBody ? largestUpload(config) : largestBody(config);
}

/**
 * One account may hold half of the memory, so that it cannot lock others out, but at least one body of the largest
 * size.
 */
function openMemory({ MAX_INFLIGHT_BYTES, MAX_BODY_BYTES }: EdgeConfig, onChange: (bytes: number) => void) {
  const total = { bytes: MAX_INFLIGHT_BYTES, setting: 'MAX_INFLIGHT_BYTES' };
  return createMemoryBudget({ total, perHolder: Math.max(MAX_INFLIGHT_BYTES / 2, MAX_BODY_BYTES), onChange });
}

const servicesOn = (link: Link): Services => ({
  auth: createClient(link, authService),
  batch: createClient(link, batchService),
  catalog: createClient(link, catalogService),
  chat: createClient(link, chatService),
  image: createClient(link, imageService),
  ledger: createClient(link, ledgerService),
});

interface ForwardedTools extends Pick<EdgeTools, 'consoleUrls'>, Pick<OwnRouteTools, 'services' | 'publicUrl'> {
  door: Door;
  running: RunningRequests;
}

/** The pages and APIs of services that answer HTTP themselves. Their forms share one budget. */
function forwardedRoutes(
  { REQUEST_TIMEOUT_MS: timeoutMs, INTERNAL_SECRET: secrets, STATUS_PAGE: hasStatusPage }: EdgeConfig,
  { services, publicUrl, door, running, consoleUrls }: ForwardedTools,
): readonly WebRoute[] {
  const { addressOf } = door;
  const readForm = createFormReader(addressOf);
  const forwarding = { publicUrl, addressOf, running, readForm, timeoutMs };
  return [
    ...batchRoutes({ open: services.batch.serve, ...forwarding }),
    ...ledgerRoutes({ open: services.ledger.serve, ...forwarding }),
    ...authRoutes({ open: services.auth.serve, ...forwarding }),
    ...dashboardRoutes({ consoleUrls, door, publicUrl, readForm, secret: secrets[0]!, hasStatusPage }),
  ];
}

interface OwnRouteTools {
  services: Services;
  publicUrl: ReturnType<typeof publicUrls>;
  events: Pick<EdgeEvents, 'statusNotRead'>;
}

/** What edge serves itself beside the health check. */
const ownRoutes = (
  { STATUS_PAGE: hasStatus }: EdgeConfig,
  { services, publicUrl, events }: OwnRouteTools,
): readonly WebRoute[] => [
  ...protectedResources(publicUrl),
  ...(hasStatus ? statusRoutes(services, { onFailure: events.statusNotRead }) : []),
];

interface HealthTools extends Pick<EdgeTools, 'link' | 'store'>, Pick<OwnRouteTools, 'services' | 'publicUrl'> {
  config: Pick<EdgeConfig, 'STATUS_PAGE'>;
  onAway: EdgeEvents['healthAway'];
}

/** `GET /`: JSON for programs, a page for browsers. */
function healthRoute({ track }: Tracker, { config, link, store, services, publicUrl, onAway }: HealthTools): HotRoute {
  const checks = healthChecks({
    link,
    redis: (withinMs) => store.ping(withinMs),
    database: (timeoutMs) => services.auth.databaseStatus({}, { timeoutMs }),
    onAway,
  });
  return track('/', async (context) => {
    const { request, response } = context;
    closeAfterUnread(request, response);
    if (wantsPage(request)) {
      response.setHeader('x-request-id', context.requestId);
      sendPage(response, rootPage(publicUrl(request).origin, { hasStatus: config.STATUS_PAGE }));
      return { status: 200 };
    }
    return { status: await health(checks, context.query, context) };
  });
}
