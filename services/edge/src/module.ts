import { createClient, type Link } from '@switchyard/bus';
import { authService, catalogService, chatService, imageService } from '@switchyard/contracts';
import { type Kit, listen, type Part } from '@switchyard/service-kit';
import type { Store } from '@switchyard/store';
import { type EdgeConfig, edgeConfig } from './config.ts';
import { type EntryRequest, openDoor } from './door.ts';
import { drainServer } from './drain.ts';
import { edgeEvents } from './events.ts';
import { healthChecks } from './health/checks.ts';
import { health } from './health/health.ts';
import { isLoopback } from './http/loopback.ts';
import { createMemoryBudget } from './http/memory-budget.ts';
import { protectedResources } from './http/protected-resources.ts';
import { publicUrls } from './http/public-url.ts';
import { requestIds } from './http/request-id.ts';
import { openMcp } from './mcp/open-mcp.ts';
import { authRoutes } from './proxy/auth-proxy.ts';
import { checkContentType } from './relay/content-type.ts';
import { relay } from './relay/relay.ts';
import { createRunningRequests } from './relay/running-requests.ts';
import type { RequestContext } from './request-context.ts';
import { mcpPath, pathStartOf, routeTable } from './route-table.ts';
import { type RelayedRoute, relayedRoutes, type Services } from './routes.ts';
import { edgeServer, type HotRoute } from './server.ts';
import { createTracker, type Tracker } from './track.ts';
import { webApp, webRoute } from './web-app.ts';

export { edgeConfig };

export interface EdgePart extends Part {
  /** Where it listens, once started. */
  address(): string;
}

export interface EdgeNeeds {
  link: Link;
  store: Store;
  /** Where mcp-svc's replicas listen; asked when it is needed. */
  mcpUrls(): readonly string[];
  /** Where auth-svc's replicas listen; asked when it is needed. */
  authUrls(): readonly string[];
}

/** The only public process: identifies, admits and relays. */
export function edgeModule(kit: Kit<EdgeConfig>, { link, store, mcpUrls, authUrls }: EdgeNeeds): EdgePart {
  const { config } = kit;
  const running = createRunningRequests();
  const memory = createMemoryBudget({
    maxBodyBytes: config.MAX_BODY_BYTES,
    maxInflightBytes: config.MAX_INFLIGHT_BYTES,
  });
  const auth = createClient(link, authService);
  const door = openDoor(kit, { auth, store });
  const routes = relayedRoutes(servicesOn(link));
  const labels = ['/', mcpPath, ...routes.map(({ path }) => path), webRoute];
  const events = edgeEvents(kit, { routes: labels, inflightBytes: memory.inflightBytes });
  const nextId = requestIds();
  const tracker = createTracker({ events, nextId, tracing: kit.tracing });

  function relayed(route: RelayedRoute): HotRoute {
    const { key, kind } = route;
    const options = {
      memory,
      running,
      timeoutMs: config.REQUEST_TIMEOUT_MS,
      open: route.open,
      pathStart: pathStartOf(route),
      enter: ({ request, query }: RequestContext, addHeaders: EntryRequest['addHeaders']) =>
        door.enter({ request, query, key, kind, addHeaders }),
      check: (headers: Parameters<typeof checkContentType>[0]) => checkContentType(headers, route.accepts),
    };
    return tracker.track(route.path, (context) => relay(context, options));
  }

  const mcp = openMcp(config, { mcpUrls, door });
  const { methodsOf, ...found } = routeTable(routes, {
    health: healthRoute(tracker, { store, auth }),
    mcp: tracker.track(mcpPath, mcp.answer),
    relayed,
  });
  const publicUrl = publicUrls(config.BASE_URL);
  const web = [...protectedResources(publicUrl), ...authRoutes({ authUrls, publicUrl, addressOf: door.addressOf })];
  const app = webApp({ methodsOf, routes: web, nextId, events });
  const server = edgeServer({ ...found, otherwise: app, uploadTimeoutMs: config.UPLOAD_TIMEOUT_MS });
  let address = '';

  return {
    name: 'edge',
    address: () => address,
    async start() {
      address = await listen(server, { host: config.HOST, port: config.PORT });
      if (config.BASE_URL === undefined && !isLoopback(config.HOST)) events.addressUnknown();
    },
    async check() {
      return link.connected() ? { ok: true } : { ok: false, message: 'The bus is not connected.' };
    },
    async stop(deadlineMs) {
      mcp.close();
      await drainServer(server, deadlineMs, running);
      await door.close();
    },
  };
}

const servicesOn = (link: Link): Services => ({
  auth: createClient(link, authService),
  catalog: createClient(link, catalogService),
  chat: createClient(link, chatService),
  image: createClient(link, imageService),
});

function healthRoute(
  { track }: Tracker,
  { store, auth }: { store: Store; auth: ReturnType<typeof createClient<(typeof authService)['operations']>> },
): HotRoute {
  const checks = healthChecks({
    redis: (withinMs) => store.ping(withinMs),
    database: (timeoutMs) => auth.databaseStatus({}, { timeoutMs }),
  });
  return track('/', async (context) => ({ status: await health(checks, context.query, context) }));
}
