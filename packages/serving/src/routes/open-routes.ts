import type { Link } from '@tallyport/bus';
import type { LoadedRoute, Principal } from '@tallyport/contracts';
import type { ModelIndex, PlannedRoute } from '@tallyport/dispatch';
import { type CompiledRoute, openRouteCompiler } from '@tallyport/routes';
import { LRUCache } from 'lru-cache';
import { splitSuffix } from './model-suffix.ts';
import { openAccountRoutes } from './open-account-routes.ts';

/** The named routes that a request may ask for. */
export interface NamedRoutes {
  /**
   * The route of this name, with or without `:floor` or `:nitro`: the account's, else the operator's; `undefined` if the name is
   * none. Rejects with `unavailable` if the account's routes cannot be loaded.
   */
  find(name: string, principal: Principal | undefined): FoundRoute | undefined | Promise<FoundRoute | undefined>;
}

export interface FoundRoute extends Pick<PlannedRoute, 'owner'> {
  compiled: CompiledRoute;
  /** How the request sorts the offers of each model: `:floor` or `:nitro`. */
  suffix?: string;
}

interface RoutesOptions {
  link: Link;
  /** Throws `unavailable` until there is a catalogue. */
  index(): ModelIndex;
}

const none = {};

/** Characters of the routes that are kept compiled, which take about a hundred times as many bytes. */
const mostCharacters = 1_000_000;

export function openRoutes({ link, index }: RoutesOptions): NamedRoutes {
  const accounts = openAccountRoutes(link);
  const compile = openRouteCompiler();
  const compiledRoutes = new LRUCache<LoadedRoute, CompiledRoute>({
    maxSize: mostCharacters,
    sizeCalculation: (_compiled, { when }) => when.reduce((sum, { if: text }) => sum + text.length, 100),
  });

  function compiled(name: string, route: LoadedRoute): CompiledRoute {
    const known = compiledRoutes.get(route);
    if (known !== undefined) return known;
    const made = compile(name, route);
    compiledRoutes.set(route, made);
    return made;
  }

  function chosen(name: string, routes: Readonly<Record<string, LoadedRoute>>): FoundRoute | undefined {
    const own = Object.hasOwn(routes, name) ? routes[name] : undefined;
    if (own !== undefined) return { owner: 'account', compiled: compiled(name, own) };
    const shared = index().findRoute(name);
    if (shared !== undefined) return { owner: 'operator', compiled: compiled(name, shared) };
    return name.includes(':') ? sorted(name, routes) : undefined;
  }

  function sorted(name: string, routes: Readonly<Record<string, LoadedRoute>>): FoundRoute | undefined {
    const split = index().find(name) === undefined ? splitSuffix(name) : undefined;
    const found = split && chosen(split.base, routes);
    return found && { ...found, suffix: split.suffix };
  }

  return {
    find(name, principal) {
      const loading = accounts.of(principal);
      const routeOf = (routes: Readonly<Record<string, LoadedRoute>>) => chosen(name, routes);
      if (loading === undefined) return chosen(name, none);
      return loading instanceof Promise ? loading.then(routeOf) : routeOf(loading);
    },
  };
}
