import type { ErrorForm } from '@tallyport/contracts';
import type { KnownRoute } from '@tallyport/service-kit';
import { readDocumentedRoutes } from '../reference/document.ts';
import { mcpPath } from '../route-table.ts';
import type { RelayedRoute } from '../routes.ts';

/** An address that can be suggested in place of a wrong one. */
export interface KnownAddress extends KnownRoute {
  /** The form of its errors; that of OpenAI's API if absent. */
  errors?: ErrorForm;
}

export interface AddressSources {
  relayed: readonly RelayedRoute[];
  /** The paths of all other routes, in express syntax. */
  paths: readonly string[];
}

/** Every address of this gateway. Those of other services, such as the management API, are read from the reference. */
export function knownAddresses({ relayed, paths }: AddressSources): readonly KnownAddress[] {
  const routes = relayed
    .filter(({ key }) => key !== 'session')
    .map(({ method, path, errors }) => ({ method, path, ...(errors && { errors }) }));
  const below = paths.filter((path) => path.endsWith(rest)).map((path) => path.slice(0, -rest.length + 1));
  const documented = readDocumentedRoutes().filter(({ path }) => below.some((start) => path.startsWith(start)));
  // Documented paths are suggested with their methods.
  const described = new Set(documented.map(({ path }) => path));
  const fixed = paths
    .map((path) => path.replace('{/*rest}', ''))
    .filter((path) => isTyped(path) && !described.has(path));
  return [...routes, ...documented, ...[mcpPath, ...fixed].map((path) => ({ path }))];
}

const rest = '/*rest';

/** Whether people type the path: it has no open parts and is not one of the hidden ones of OAuth. */
const isTyped = (path: string): boolean => !/[*:]|^\/\./.test(path);

/** `POST /v1/chat/completions`, or the path alone. */
export const addressName = ({ method, path }: KnownRoute): string =>
  method === undefined ? path : `${method} ${path}`;
