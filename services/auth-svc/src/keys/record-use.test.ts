import { type Database, openDatabase } from '@tallyport/database';
import { openMigrated } from '@tallyport/database/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOAuthClient, listOAuthClients } from '../oauth/management/clients.ts';
import { keyIdOfClient } from '@tallyport/management';
import { ensureDefaultAccount } from '@tallyport/management-server';
import { createKey, operator } from './create-key.ts';
import { listKeys } from './list-keys.ts';
import { createUseRecorder } from './record-use.ts';

describe('recording the last use', () => {
  let close: () => Promise<void>;
  let database: Database;
  beforeAll(async () => {
    ({ database, close } = await openMigrated());
    await ensureDefaultAccount(database);
  });
  afterAll(() => close());

  it('covers keys and OAuth clients that were used, and no others', async () => {
    const { record: used } = await createKey(database, operator, { name: 'used' });
    const { record: idle } = await createKey(database, operator, { name: 'idle' });
    const newClient = (name: string) => createOAuthClient(database, { ...operator, name, redirectUris: [] });
    const { client: usedClient } = await newClient('used');
    const { client: idleClient } = await newClient('idle');
    const failures: unknown[] = [];
    const uses = createUseRecorder(database, (error) => failures.push(error));
    for (const keyId of [used.id, keyIdOfClient(usedClient.id), keyIdOfClient('https://app.example.com/about')]) {
      uses.used(keyId);
    }
    await uses.stop();
    const lastUsedAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(await listKeys(database)).toEqual([{ ...used, lastUsedAt }, idle]);
    expect(await listOAuthClients(database, operator.accountId)).toEqual([{ ...usedClient, lastUsedAt }, idleClient]);
    expect(failures).toEqual([]);
  });

  it('reports a failed write', async () => {
    const away = await openDatabase({ url: 'postgres://127.0.0.1:1/nowhere' });
    const failures: unknown[] = [];
    const uses = createUseRecorder(away, (error) => failures.push(error));
    uses.used('key_1');
    await uses.stop();
    expect(failures).toHaveLength(1);
    await away.close();
  });
});
