import type { RelayedRoute } from './routes.ts';
import type { EdgeServerOptions, HotRoute } from './server.ts';

/** The routes as the server finds them, and as they are spoken of. */
export interface RouteTable extends Pick<EdgeServerOptions, 'hotRoutes' | 'openRoutes'> {
  /** What a path can be asked with; `undefined` when there is nothing. */
  methodsOf(path: string): readonly string[] | undefined;
}

const openEnd = '{id}';

/** Where an open route's own path ends; `undefined` for whole ones. */
export const pathStartOf = ({ path }: RelayedRoute): string | undefined =>
  path.endsWith(openEnd) ? path.slice(0, -openEnd.length) : undefined;

export const mcpPath = '/mcp';
/** It answers for itself what it does not take. */
const mcpMethods = ['GET', 'POST', 'DELETE', 'OPTIONS', 'PUT', 'PATCH'] as const;

export interface RouteHandlers {
  health: HotRoute;
  mcp: HotRoute;
  relayed(route: RelayedRoute): HotRoute;
}

/** `health` answers `GET /`, `mcp` whatever `/mcp` is asked; everything else is relayed. */
export function routeTable(routes: readonly RelayedRoute[], { health, mcp, relayed }: RouteHandlers): RouteTable {
  const hotRoutes = new Map([['GET /', health]]);
  for (const method of mcpMethods) hotRoutes.set(`${method} ${mcpPath}`, mcp);
  const openRoutes = new Map<string, HotRoute>();
  const methods = new Map<string, readonly string[]>([['/', ['GET', 'HEAD']]]);
  const openMethods = new Map<string, readonly string[]>();
  for (const route of routes) {
    const start = pathStartOf(route);
    const [found, taken] = start === undefined ? [hotRoutes, methods] : [openRoutes, openMethods];
    found.set(`${route.method} ${start ?? route.path}`, relayed(route));
    taken.set(start ?? route.path, route.method === 'GET' ? ['GET', 'HEAD'] : [route.method]);
  }
  return {
    hotRoutes,
    openRoutes,
    methodsOf: (path) =>
      methods.get(path) ?? [...openMethods].find(([start]) => path.startsWith(start) && path !== start)?.[1],
  };
}
