import type { RelayedRoute } from './routes.ts';
import { type EdgeServerOptions, type HotRoute, matchesOpen, type OpenRoute } from './server.ts';
import type { SocketRoute } from './http/upgrade.ts';

/** The routes in the form the server looks them up, and the methods of each path. */
interface RouteTable extends Pick<EdgeServerOptions, 'hotRoutes' | 'openRoutes' | 'socketRoutes'> {
  /** The methods a path supports; `undefined` for an unknown path. */
  methodsOf(path: string): readonly string[] | undefined;
}

const openPart = '{id}';

/** The fixed start of a path with an id; `undefined` for other paths. */
export function pathStartOf({ path }: RelayedRoute): string | undefined {
  const at = path.indexOf(openPart);
  return at < 0 ? undefined : path.slice(0, at);
}

/** What follows the last id in a path with one or two. */
export const pathEndOf = ({ path }: RelayedRoute): string => afterIds(path).at(-1) ?? '';

/** What is between the ids of a path with two; empty for one. */
const pathMiddleOf = ({ path }: RelayedRoute): string => (afterIds(path).length > 1 ? (afterIds(path)[0] ?? '') : '');

const afterIds = (path: string): string[] => path.split(/\{\w+\}/).slice(1);

export const mcpPath = '/mcp';
/** All methods: the MCP route refuses unsupported ones itself. */
const mcpMethods = ['GET', 'POST', 'DELETE', 'OPTIONS', 'PUT', 'PATCH'] as const;

interface RouteHandlers {
  health: HotRoute;
  mcp: HotRoute;
  relayed(route: RelayedRoute): HotRoute;
  /** For routes that have a socket. */
  socket(route: RelayedRoute): SocketRoute;
}

/** `health` serves `GET /` and `mcp` serves `/mcp`; all other routes are relayed. */
export function routeTable(routes: readonly RelayedRoute[], handlers: RouteHandlers): RouteTable {
  const { health, mcp, relayed } = handlers;
  const hotRoutes = new Map([['/', new Map([['GET', health]])]]);
  const mcpRoutes = new Map(mcpMethods.map((method) => [method, mcp]));
  hotRoutes.set(mcpPath, mcpRoutes).set(`${mcpPath}/`, mcpRoutes);
  const openRoutes: OpenRoute[] = [];
  const methods = new Map<string, readonly string[]>([['/', ['GET', 'HEAD']]]);
  for (const route of routes) {
    const start = pathStartOf(route);
    if (isSocketOnly(route)) {
      methods.set(route.path, [route.method]);
    } else if (start === undefined) {
      const ofPath = hotRoutes.get(route.path) ?? new Map<string, HotRoute>();
      hotRoutes.set(route.path, ofPath.set(route.method, relayed(route)));
      methods.set(route.path, methodsWith(methods.get(route.path), route));
    } else {
      openRoutes.push({
        method: route.method,
        start,
        middle: pathMiddleOf(route),
        end: pathEndOf(route),
        route: relayed(route),
      });
    }
  }
  const withSocket = routes.filter(({ socket }) => socket !== undefined);
  return {
    hotRoutes,
    openRoutes,
    socketRoutes: new Map(withSocket.map((route) => [route.path, handlers.socket(route)])),
    methodsOf: (path) => methods.get(path) ?? openMethods(openRoutes, path),
  };
}

/** Its requests are those for a socket. */
const isSocketOnly = ({ method, socket }: RelayedRoute): boolean => method === 'GET' && socket !== undefined;

const methodsWith = (known: readonly string[] = [], { method }: Pick<OpenRoute, 'method'>): readonly string[] => [
  ...new Set([...known, ...(method === 'GET' ? ['GET', 'HEAD'] : [method])]),
];

function openMethods(routes: readonly OpenRoute[], path: string): readonly string[] | undefined {
  const found = routes.filter((route) => matchesOpen(route, path));
  return found.length === 0 ? undefined : found.reduce<readonly string[]>(methodsWith, []);
}
