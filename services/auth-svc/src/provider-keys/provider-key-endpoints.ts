import { type Catalogue, GatewayError } from '@tallyport/contracts';
import { providerKeyOperations as operations } from '@tallyport/management';
import { type ApiEndpoint, endpoint } from '@tallyport/management-server';
import type { Announce } from '../bus/announce.ts';
import { changeProviderKey } from './change-provider-key.ts';
import { checkProvider } from './check-provider.ts';
import { createProviderKey } from './create-provider-key.ts';
import { deleteProviderKey } from './delete-provider-key.ts';
import { listProviderKeys } from './list-provider-keys.ts';
import { type ProviderKeyTestTools, testProviderKey } from './test-provider-key.ts';

export interface ProviderKeyEndpointTools extends ProviderKeyTestTools {
  announce: Pick<Announce, 'providerKeyChanged'>;
  /** Loads the catalogue, for providers that are not built in. */
  catalogue(): Promise<Catalogue>;
}

export function providerKeyEndpoints(tools: ProviderKeyEndpointTools): ApiEndpoint[] {
  const { database, announce } = tools;
  return [
    endpoint(operations.listProviderKeys, async (_input, { accountId }) => ({
      providerKeys: await listProviderKeys(database.kysely, accountId),
    })),
    endpoint(operations.createProviderKey, async (input, caller) => {
      await checkProvider(input.provider, tools.catalogue);
      const created = await createProviderKey(tools, caller, input);
      announce.providerKeyChanged('created', { id: created.id, accountId: caller.accountId });
      return created;
    }),
    endpoint(operations.changeProviderKey, async ({ id, ...changes }, caller) => {
      const changed = (await changeProviderKey(tools, caller, { id, changes })) ?? noSuchKey();
      announce.providerKeyChanged('changed', { id, accountId: caller.accountId });
      return changed;
    }),
    endpoint(operations.deleteProviderKey, async ({ id }, caller) => {
      const deleted = (await deleteProviderKey(tools, caller, id)) ?? noSuchKey();
      announce.providerKeyChanged('deleted', { id, accountId: caller.accountId });
      return deleted;
    }),
    endpoint(
      operations.testProviderKey,
      async ({ id }, caller) => (await testProviderKey(tools, caller, id)) ?? noSuchKey(),
    ),
  ];
}

function noSuchKey(): never {
  throw new GatewayError('not_found', 'This provider key does not exist. List all keys: GET /api/v1/provider-keys');
}
