import { hashKey } from '../../../packages/contracts/src/index.ts';
import { authenticate } from '../../../services/auth-svc/src/keys/authenticate.ts';
import { createKey, operator } from '../../../services/auth-svc/src/keys/create-key.ts';
import type { Gateway } from '../gateway.ts';
import type { Mechanism } from '../mechanism.ts';
import { startMeteredPostgres } from '../postgres-meter.ts';

/** For this long an edge knows a key, as in `known-keys.ts`. */
const knownSeconds = 30;
const keys = 200;
const lookUps = 4_000;
const atOnce = 8;

export const keyLookUps: Mechanism = {
  name: 'keys',
  title: 'Postgres: look-ups of keys',
  unit: 'look-up',
  payer: 'Postgres and auth-svc',
  replicasOf: () => 1,
  unitsPerSecond: lookUpsPerSecond,
  async measure({ undo }) {
    const { database, usedMicros } = await startMeteredPostgres(undo);
    await database.kysely.insertInto('accounts').values({ id: operator.accountId, name: 'Default' }).execute();
    const hashes: string[] = [];
    for (let index = 0; index < keys; index += 1)
      hashes.push(hashKey((await createKey(database, operator, { name: `key ${index}` })).key));
    const before = usedMicros();
    for (let index = 0; index < lookUps; index += atOnce) {
      const some = Array.from({ length: atOnce }, (_, at) => hashes[(index + at) % keys] ?? '');
      await Promise.all(some.map((hash) => authenticate(database, hash)));
    }
    return [{ replicas: 1, micros: (usedMicros() - before) / lookUps }];
  },
};

/**
 * Each edge asks for each key that it has not looked up for half a minute. A key's requests reach any edge: with more
 * edges, one of them is met less often, until each request needs a look-up.
 */
function lookUpsPerSecond({ edges, keys: all, requestsPerSecond }: Gateway): number {
  const secondsBetweenRequests = (edges * all) / requestsPerSecond;
  return (edges * all) / (knownSeconds + secondsBetweenRequests);
}
