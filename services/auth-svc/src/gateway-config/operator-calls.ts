import type { CallInAccount } from '@tallyport/gateway-document';
import { defaultAccountId } from '@tallyport/contracts';
import type { ManagementOperations } from '@tallyport/management';
import { type AnyApiEndpoint, endpointsByName } from '@tallyport/management-server';
import type { z } from 'zod';

/** Calls operations of the management API in this process, as an operator. */
export function operatorCalls(endpoints: readonly AnyApiEndpoint[]): CallInAccount {
  const byName = endpointsByName(endpoints);
  return async <Name extends keyof ManagementOperations>(name: Name, input: unknown, accountId = defaultAccountId) => {
    const endpoint = byName.get(name);
    if (endpoint === undefined) throw new TypeError(`No document can call ${name}.`);
    const caller = { actor: 'operator', accountId, role: 'owner', operator: true } as const;
    // The endpoint has parsed its output with the operation's schema.
    return (await endpoint.run(input, caller, noRequest)) as z.output<ManagementOperations[Name]['output']>;
  };
}

/** Only operations about sessions use the request, and the document has none. */
const noRequest = { address: '', sessionToken: undefined, setSession: () => {} };
