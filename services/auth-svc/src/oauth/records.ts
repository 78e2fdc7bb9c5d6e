import { GatewayError, hashKey } from '@tallyport/contracts';
import { type Database, isUnavailable, sql } from '@tallyport/database';
import { type Adapter, type AdapterFactory, type AdapterPayload, errors } from 'oidc-provider';
import { type Binding, isBound } from './bound-client.ts';
import { addClient } from './management/add-client.ts';
import { columnsOf, withoutSecrets } from './record-columns.ts';
import { consumeOnce, justUsed, useRefreshToken } from './refresh-use.ts';

interface RecordsOptions {
  database: Database;
  /** Called when an access token ends before its expiry. */
  onTokenEnded(tokenHash: string): void;
}

/** These ids are public. All others are secrets and stored as SHA-256. */
const openIds = new Set(['Client', 'Grant']);

export const tokenModels: readonly string[] = ['AccessToken', 'ClientCredentials'];

/** The storage of the OAuth server: rows that all replicas share. */
export const recordsFor =
  (options: RecordsOptions): AdapterFactory =>
  (model) =>
    model === 'Session' ? noSessions : guarded(recordsOf(model, options));

function recordsOf(model: string, { database: { kysely }, onTokenEnded }: RecordsOptions): Adapter {
  const named = (id: string) => ({ model, id: openIds.has(model) ? id : hashKey(id) });
  const reportEnded = (ended: readonly { id: string }[]): void => {
    if (tokenModels.includes(model)) for (const { id } of ended) onTokenEnded(id);
  };
  return {
    async upsert(id, payload, expiresIn) {
      if (model === 'Client' && isBound(payload)) return keepBoundClient(kysely, id, payload);
      if (model === 'Grant' && payload.clientId !== undefined) await keepClient(kysely, payload.clientId);
      const columns = columnsOf(model, payload, expiresIn);
      await kysely
        .insertInto('oauth_records')
        .values({ ...named(id), ...columns })
        .onConflict((conflict) => conflict.columns(['model', 'id']).doUpdateSet(columns))
        .execute();
    },
    async find(id) {
      const found = await kysely
        .selectFrom('oauth_records')
        .select(['payload', 'consumed_at', secondsLeft, justUsed.as('just_used')])
        .where((where) => where.and(named(id)))
        .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', sql<Date>`now()`)]))
        .executeTakeFirst();
      if (found === undefined) return undefined;
      const usedAt = model === 'RefreshToken' && found.just_used ? null : found.consumed_at;
      const consumed = usedAt ? { consumed: Math.floor(usedAt.getTime() / 1000) } : {};
      const exp = expiryByOurClock(found.payload, found.seconds_left);
      return { ...found.payload, ...exp, ...(model !== 'Client' && { jti: id }), ...consumed };
    },
    async consume(id) {
      const used = model === 'RefreshToken' ? useRefreshToken(kysely, hashKey(id)) : consumeOnce(kysely, named(id));
      if (!(await used)) throw new errors.InvalidGrant('already used');
    },
    async destroy(id) {
      const query = kysely.deleteFrom('oauth_records').where((where) => where.and(named(id)));
      reportEnded(await query.returning('id').execute());
    },
    async revokeByGrantId(grantId) {
      const query = kysely.deleteFrom('oauth_records').where('grant_id', '=', grantId).where('model', '=', model);
      reportEnded(await query.returning('id').execute());
    },
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
  };
}

const secondsLeft = sql<number | null>`extract(epoch from expires_at - now())::float8`.as('seconds_left');

/**
 * The library compares with the clock of this process, although another may have written the record. Converts the
 * expiry from the database's clock.
 */
function expiryByOurClock({ exp }: AdapterPayload, left: number | null): { exp?: number } {
  return exp === undefined || left === null ? {} : { exp: Math.floor(Date.now() / 1000) + Math.ceil(left) };
}

/** A client registered with an admin key counts as a client of its account. */
async function keepBoundClient(
  kysely: Database['kysely'],
  id: string,
  payload: AdapterPayload & Binding,
): Promise<void> {
  const { account_id: accountId, registered_by: actor } = payload;
  const client = { id, accountId, actor, payload: withoutSecrets(payload) };
  await kysely
    .transaction()
    .execute((transaction) => addClient(transaction, client))
    .catch((error: unknown) => {
      throw error instanceof GatewayError ? new errors.AccessDenied(error.message) : error;
    });
}

async function keepClient(kysely: Database['kysely'], clientId: string): Promise<void> {
  await kysely
    .updateTable('oauth_records')
    .set({ expires_at: null })
    .where('model', '=', 'Client')
    .where('id', '=', clientId)
    .execute();
}

/** The library would report an unreachable database as a server error; clients should retry instead. */
const guarded = (adapter: Adapter): Adapter => ({
  ...adapter,
  upsert: (...given) => adapter.upsert(...given).catch(throwUnavailable),
  find: (...given) => adapter.find(...given).catch(throwUnavailable),
  consume: (...given) => adapter.consume(...given).catch(throwUnavailable),
  destroy: (...given) => adapter.destroy(...given).catch(throwUnavailable),
  revokeByGrantId: (...given) => adapter.revokeByGrantId(...given).catch(throwUnavailable),
});

function throwUnavailable(error: unknown): never {
  if (!isUnavailable(error)) throw error;
  const away = new errors.TemporarilyUnavailable('the database is not reachable; try again in a moment');
  throw Object.assign(away, { status: 503, statusCode: 503, cause: error });
}

/** Our own session determines who is signed in; a session of the library would outlive signing out. */
const noSessions: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
};
