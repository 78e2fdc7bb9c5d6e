import { type ApiOperation, managementOperations } from '@tallyport/management';
import type { AnyApiEndpoint, ApiEndpoint } from './operation.ts';

/** The operations with one response, by name. */
export function endpointsByName(endpoints: readonly AnyApiEndpoint[]): ReadonlyMap<string, ApiEndpoint> {
  const nameOf = new Map<ApiOperation, string>(
    Object.entries<ApiOperation>(managementOperations).map(([name, operation]) => [operation, name]),
  );
  return new Map(
    endpoints.flatMap((endpoint) =>
      'run' in endpoint ? [[nameOf.get(endpoint.operation) ?? '', endpoint] as const] : [],
    ),
  );
}
