import type { z } from 'zod';
import { type ApiCaller, checkAccess } from './caller.ts';
import { managementOperations } from './management.ts';
import type { AnyApiEndpoint, ApiEndpoint, ApiOperation, ApiRequest } from './operation.ts';

type Operations = typeof managementOperations;

/** Does an operation of the management API: its checks of access and input are those of the API. */
export type Ask = <Name extends keyof Operations>(
  name: Name,
  input?: object,
) => Promise<z.output<Operations[Name]['output']>>;

export type ManagementClient = (caller: ApiCaller, request: ApiRequest) => Ask;

/** The management API for our own pages, without the way through HTTP. */
export function createManagementClient(endpoints: readonly AnyApiEndpoint[]): ManagementClient {
  const byOperation = new Map<ApiOperation, ApiEndpoint>();
  for (const endpoint of endpoints) if ('run' in endpoint) byOperation.set(endpoint.operation, endpoint);

  return (caller, request) =>
    async <Name extends keyof Operations>(name: Name, input: object = {}) => {
      const operation: ApiOperation = managementOperations[name];
      const endpoint = byOperation.get(operation);
      if (endpoint === undefined) throw new TypeError(`No page can ask for ${name}.`);
      if (operation.access !== 'anyone') checkAccess(caller, operation.access);
      // What an endpoint answers has gone through the schema of its operation.
      return (await endpoint.run(input, caller, request)) as z.output<Operations[Name]['output']>;
    };
}
