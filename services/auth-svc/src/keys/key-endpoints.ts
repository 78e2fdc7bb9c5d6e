import type { Catalogue } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import { hasRole, keyOperations as operations, mayMakeAdminKeys } from '@tallyport/management';
import { type ApiCaller, type ApiEndpoint, endpoint } from '@tallyport/management-server';
import type { Announce } from '../bus/announce.ts';
import { checkModels } from '../models/check-models.ts';
import { routeNames } from '../models/route-names.ts';
import { notForAdminKeys } from './admin-keys.ts';
import { changeKey } from './change-key.ts';
import { createKey } from './create-key.ts';
import { noSuchKey, scopeOf } from './key-scope.ts';
import { listKeyPage } from './list-key-page.ts';
import { readApiKey } from './list-keys.ts';
import { revokeKey } from './revoke-key.ts';
import { rotateKey } from './rotate-key.ts';

export interface KeyEndpointTools {
  database: Database;
  announce: Announce;
  catalogue(): Promise<Catalogue>;
}

export function keyEndpoints({ database, announce, catalogue }: KeyEndpointTools): ApiEndpoint[] {
  /** Checked before the change; whether a key is an admin key never changes. */
  async function checkMayChange(id: string, caller: ApiCaller): Promise<void> {
    if (mayMakeAdminKeys(caller)) return;
    if ((await readApiKey(database, scopeOf(caller), id)).admin) throw notForAdminKeys();
  }

  const checkAllowed = (models: readonly string[] | null | undefined, { accountId }: ApiCaller): Promise<void> =>
    checkModels(
      (models ?? []).map((model, at) => ({ param: `allowedModels[${at}]`, model })),
      {
        catalogue,
        routes: () => routeNames(database, accountId),
        mayNameRoutes: true,
      },
    );

  return [
    endpoint(operations.listKeys, (query, caller) => listKeyPage(database, scopeOf(caller), query)),
    endpoint(operations.createKey, async (input, caller) => {
      if (input.admin === true && !mayMakeAdminKeys(caller)) throw notForAdminKeys();
      await checkAllowed(input.allowedModels, caller);
      const created = await createKey(database, { ...caller, byAdmin: hasRole(caller, 'admin') }, input);
      announce.keyCreated(created.record.id);
      return created;
    }),
    endpoint(operations.readKey, ({ id }, caller) => readApiKey(database, scopeOf(caller), id)),
    endpoint(operations.changeKey, async ({ id, ...changes }, caller) => {
      await checkMayChange(id, caller);
      await checkAllowed(changes.allowedModels, caller);
      const { actor, userId } = caller;
      const change = { id, actor, userId, changes, byAdmin: hasRole(caller, 'admin') };
      const { record, hashes } = await changeKey(database, scopeOf(caller), change);
      announce.keysEnded(hashes);
      return record;
    }),
    endpoint(operations.revokeKey, async ({ id }, caller) => {
      const scope = scopeOf(caller);
      const hashes = await revokeKey(database, { id, actor: caller.actor, scope });
      if (hashes === undefined) throw noSuchKey();
      announce.keyRevoked(id, hashes);
      return readApiKey(database, scope, id);
    }),
    endpoint(operations.rotateKey, async ({ id, overlapMinutes, key: wanted }, caller) => {
      await checkMayChange(id, caller);
      const rotation = { id, actor: caller.actor, overlapMinutes, key: wanted };
      const { key, record, hashes } = await rotateKey(database, scopeOf(caller), rotation);
      announce.keysEnded(hashes);
      return { key, record };
    }),
  ];
}
