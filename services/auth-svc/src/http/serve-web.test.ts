import { rm } from 'node:fs/promises';
import { createClient, inProcessLink } from '@tallyport/bus';
import { authService } from '@tallyport/contracts';
import { openDatabase } from '@tallyport/database';
import { preparedDirectory } from '@tallyport/database/testing';
import { type ExchangeFetch, exchangeFetch } from '@tallyport/http-exchange/testing';
import { openMemoryStore } from '@tallyport/store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { authModule } from '../module.ts';
import { testKit } from '../testing/open-auth.ts';

describe('an HTTP request to auth-svc', () => {
  let ask: ExchangeFetch;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const directory = await preparedDirectory();
    const database = await openDatabase({ directory });
    const link = inProcessLink();
    const web = { store: openMemoryStore(), publicUrl: () => 'https://gateway.example' };
    const auth = authModule(testKit({ DATA_DIR: directory }), {
      link,
      database,
      web: { ...web, oauthClients: { readsDocuments: true, pinned: [] } },
    });
    await auth.start?.();
    ask = exchangeFetch(createClient(link, authService).serve);
    close = async () => {
      await auth.stop?.(1_000);
      await link.close();
      await database.close();
      await rm(directory, { recursive: true });
    };
  });
  afterAll(() => close?.());

  test('has the address and origin that edge sees, not those of other headers', async () => {
    const forged = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' };
    const answer = await ask('/.well-known/oauth-authorization-server', { headers: forged });
    expect(await answer.json()).toMatchObject({
      issuer: 'https://gateway.example',
      token_endpoint: 'https://gateway.example/oauth/token',
    });
    const open = async (address: string, claimed: number) =>
      (await ask('/setup/none', { address, headers: { 'x-forwarded-for': `198.51.100.${claimed}` } })).status;
    const statuses = [];
    for (let count = 0; count < 21; count += 1) statuses.push(await open('192.0.2.7', count));
    expect(statuses).toEqual([...Array<number>(20).fill(404), 429]);
    expect(await open('192.0.2.8', 1)).toBe(404);
  });
});
