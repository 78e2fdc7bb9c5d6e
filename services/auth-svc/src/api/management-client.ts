import { type ApiOperation, type ManagementOperations, managementOperations } from '@switchyard/management';
import type { z } from 'zod';
import { type ApiCaller, checkAccess } from './caller.ts';
import type { AnyApiEndpoint, ApiEndpoint, ApiRequest } from './operation.ts';

/** Calls an operation of the management API, with the same checks of access and input. */
export type CallOperation = <Name extends keyof ManagementOperations>(
  name: Name,
  input?: object,
) => Promise<z.output<ManagementOperations[Name]['output']>>;

export type ManagementClient = (caller: ApiCaller, request: ApiRequest) => CallOperation;

/** The management API for the dashboard, called without HTTP. */
export function createManagementClient(endpoints: readonly AnyApiEndpoint[]): ManagementClient {
  const byOperation = new Map<ApiOperation, ApiEndpoint>();
  for (const endpoint of endpoints) if ('run' in endpoint) byOperation.set(endpoint.operation, endpoint);

  return (caller, request) =>
    async <Name extends keyof ManagementOperations>(name: Name, input: object = {}) => {
      const operation: ApiOperation = managementOperations[name];
      const endpoint = byOperation.get(operation);
      if (endpoint === undefined) throw new TypeError(`No page can call ${name}.`);
      if (operation.access !== 'anyone') checkAccess(caller, operation.access);
      // The endpoint has parsed its output with the operation's schema.
      return (await endpoint.run(input, caller, request)) as z.output<ManagementOperations[Name]['output']>;
    };
}
