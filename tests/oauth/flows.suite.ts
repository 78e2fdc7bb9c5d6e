import { hashKey } from '@tallyport/contracts';
import { describe, expect, test } from 'vitest';
import { runsOf } from '../support/scale.ts';
import { type OAuthGateway, signedIn } from './gateway.ts';
import {
  type PlainClient,
  plainClient,
  redirectUri,
  refreshByLibrary,
  register,
  revoke,
  tokensByLibrary,
} from './plain-client.ts';

const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });

/** Without news of a revocation, an edge would accept a token that it knows for 30 seconds. */

const refreshRounds = runsOf(40);

/** The status of a request to `/mcp` with this token. */
export async function statusAtMcp({ baseUrl }: OAuthGateway, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json' };
  const response = await fetch(`${baseUrl}/mcp`, { method: 'POST', headers, body: list });
  await response.body?.cancel();
  return response.status;
}

/** Flows that succeed, and those that must succeed exactly once. */
export function flowsSuite(gateway: () => OAuthGateway): void {
  const redeem = ({ token }: PlainClient, { code, verifier }: { code: string; verifier: string }) =>
    token({ grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier });
  const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status).toSorted();

  describe('authorization code and refresh', () => {
    test('a reference client gets tokens, uses them, and rotates them', async () => {
      const client = await plainClient(gateway());
      const tokens = await tokensByLibrary(gateway(), client);
      expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'mcp:tools mcp:models' });
      expect(await statusAtMcp(gateway(), tokens.access_token)).toBe(200);
      const fresh = await refreshByLibrary(client, tokens.refresh_token ?? '');
      expect(fresh.refresh_token).not.toBe(tokens.refresh_token);
      expect(await statusAtMcp(gateway(), fresh.access_token)).toBe(200);
    });

    test('six at once with one code: one succeeds', async () => {
      const client = await plainClient(gateway());
      const granted = await client.code();
      const answers = await Promise.all(Array.from({ length: 6 }, () => redeem(client, granted)));
      expect(statuses(answers)).toEqual([200, 400, 400, 400, 400, 400]);
      const refused = answers.filter(({ status }) => status === 400);
      expect(new Set(refused.map(({ body }) => body['error']))).toEqual(new Set(['invalid_grant']));
    });

    test('concurrent and repeated refreshes with one token get the same successor', async () => {
      const client = await plainClient(gateway());
      const rotate = (refresh_token: string) => client.token({ grant_type: 'refresh_token', refresh_token });
      let accesses: string[] = [];
      let { refresh_token: token } = (await redeem(client, await client.code())).body;
      for (let round = 0; round < refreshRounds; round += 1) {
        const answers = await Promise.all(Array.from({ length: 6 }, () => rotate(String(token))));
        answers.push(await rotate(String(token)));
        expect(statuses(answers)).toEqual(Array<number>(7).fill(200));
        const successors = new Set(answers.map(({ body }) => body['refresh_token']));
        expect(successors.size).toBe(1);
        expect(successors).not.toContain(token);
        accesses = answers.map(({ body }) => String(body['access_token']));
        [token] = successors;
      }
      for (const access of accesses) expect(await statusAtMcp(gateway(), access)).toBe(200);
    });

    test('a second branch, as older versions made them, ends with the next use of the first', async () => {
      const client = await plainClient(gateway());
      const rotate = (refresh_token: string) => client.token({ grant_type: 'refresh_token', refresh_token });
      const { kysely } = gateway().database;
      for (const uses of [['branch'], ['token', 'branch'], ['branch', 'token']] as const) {
        const { refresh_token } = (await redeem(client, await client.code())).body;
        const token = String(refresh_token);
        const row = await kysely
          .selectFrom('oauth_records')
          .selectAll()
          .where('id', '=', hashKey(token))
          .executeTakeFirstOrThrow();
        const branch = `branch of ${token}`;
        const copy = { ...row, id: hashKey(branch), payload: JSON.stringify(row.payload) };
        await kysely.insertInto('oauth_records').values(copy).execute();
        const given = { token, branch };
        const answers = [];
        for (const use of uses) answers.push((await rotate(given[use])).status);
        expect([uses, answers]).toEqual([uses, [200, 400].slice(0, uses.length)]);
        const left = kysely.selectFrom('oauth_records').select('id').where('grant_id', '=', row.grant_id);
        // The use of the branch that had ended revokes the grant.
        expect((await left.where('model', '=', 'RefreshToken').execute()).length > 0).toBe(uses.length === 1);
      }
    });

    test('later reuse of a refresh token revokes the whole family at every edge', async () => {
      const client = await plainClient(gateway());
      const first = (await redeem(client, await client.code())).body;
      const rotate = (token: unknown) => client.token({ grant_type: 'refresh_token', refresh_token: String(token) });
      const second = (await rotate(first['refresh_token'])).body;
      expect(await statusAtMcp(gateway(), String(second['access_token']))).toBe(200);
      await gateway()
        .database.kysely.updateTable('oauth_records')
        .set({ consumed_at: new Date(Date.now() - 21_000) })
        .where('consumed_at', 'is not', null)
        .execute();
      expect((await rotate(first['refresh_token'])).body).toMatchObject({ error: 'invalid_grant' });
      await expect.poll(() => statusAtMcp(gateway(), String(second['access_token']))).toBe(401);
      expect((await rotate(second['refresh_token'])).body).toMatchObject({ error: 'invalid_grant' });
    });

    test('reuse of a code revokes its tokens', async () => {
      const client = await plainClient(gateway());
      const granted = await client.code();
      const { body } = await redeem(client, granted);
      expect(await statusAtMcp(gateway(), String(body['access_token']))).toBe(200);
      expect((await redeem(client, granted)).body).toMatchObject({ error: 'invalid_grant' });
      await expect.poll(() => statusAtMcp(gateway(), String(body['access_token']))).toBe(401);
    });

    test('a revoked token is refused, also where it was known', async () => {
      const client = await plainClient(gateway());
      const { body } = await redeem(client, await client.code());
      const token = String(body['access_token']);
      expect(await statusAtMcp(gateway(), token)).toBe(200);
      await revoke(client, token);
      await expect.poll(() => statusAtMcp(gateway(), token)).toBe(401);
    });

    test('the database contains no usable secrets', async () => {
      const client = await plainClient(gateway(), { token_endpoint_auth_method: 'client_secret_post' });
      const tokens = await tokensByLibrary(gateway(), client);
      const rows = await gateway().database.kysely.selectFrom('oauth_records').selectAll().execute();
      const text = JSON.stringify(rows);
      expect(text).toContain(client.client.client_id);
      for (const secret of [tokens.access_token, tokens.refresh_token, client.client.client_secret]) {
        expect(text).not.toContain(secret);
      }
    });

    test('tokens of a removed member neither work nor refresh', async () => {
      const client = await plainClient(gateway());
      const { body } = await redeem(client, await client.code());
      const { kysely } = gateway().database;
      const [place] = await kysely.deleteFrom('memberships').returningAll().execute();
      const refused = await client.token({ grant_type: 'refresh_token', refresh_token: String(body['refresh_token']) });
      expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
      expect(await statusAtMcp(gateway(), String(body['access_token']))).toBe(401);
      await kysely
        .insertInto('memberships')
        .values({ ...place!, created_at: undefined })
        .execute();
    });
  });

  describe('client credentials', () => {
    const makeClient = async () => {
      const person = await signedIn(gateway());
      const { status, body } = await person.call('POST', '/api/v1/oauth-clients', { name: 'Nightly job' });
      expect(status).toBe(201);
      const { secret, client } = body as { secret: string; client: { id: string } };
      return { person, secret, id: client.id };
    };
    const ask = async (headers: Record<string, string>, body: Record<string, string>) => {
      const form = new URLSearchParams({ grant_type: 'client_credentials', ...body });
      const response = await fetch(`${gateway().baseUrl}/oauth/token`, { method: 'POST', headers, body: form });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    const basic = (id: string, secret: string) => ({ authorization: `Basic ${btoa(`${id}:${secret}`)}` });

    test('a client of the account gets tokens with both authentication methods until it is deleted', async () => {
      const { person, secret, id } = await makeClient();
      const expected = {
        token_type: 'Bearer',
        expires_in: 3600,
        scope: 'mcp:tools mcp:models',
        access_token: expect.any(String),
      };
      const one = await ask(basic(id, secret), {});
      expect(one).toEqual({ status: 200, body: expected });
      const other = await ask({}, { client_id: id, client_secret: secret });
      expect(other).toEqual({ status: 200, body: expected });
      const tokens = [one, other].map(({ body }) => String(body['access_token']));
      const both = () => Promise.all(tokens.map((token) => statusAtMcp(gateway(), token)));
      expect(await both()).toEqual([200, 200]);
      expect((await ask(basic(id, `${secret}x`), {})).body).toMatchObject({ error: 'invalid_client' });
      expect(await person.call('DELETE', `/api/v1/oauth-clients/${id}`)).toEqual({
        status: 200,
        body: { deleted: true },
      });
      await expect.poll(both).toEqual([401, 401]);
      expect((await ask(basic(id, secret), {})).body).toMatchObject({ error: 'invalid_client' });
    });

    test('a program with an admin key registers a client', async () => {
      const person = await signedIn(gateway());
      const made = await person.call('POST', '/api/v1/keys', { name: 'deploy', admin: true });
      const { id: keyId } = made.body['record'] as { id: string };
      const metadata = { grant_types: ['client_credentials'], client_name: 'Robot' };
      const { status, body } = await register(gateway().baseUrl, metadata, String(made.body['key']));
      expect([status, body['grant_types']]).toEqual([201, ['client_credentials']]);
      const got = await ask(basic(String(body['client_id']), String(body['client_secret'])), {});
      expect(await statusAtMcp(gateway(), String(got.body['access_token']))).toBe(200);
      const { body: listed } = await person.call('GET', '/api/v1/oauth-clients');
      expect(listed['clients']).toContainEqual(expect.objectContaining({ id: body['client_id'], name: 'Robot' }));
      const { body: audit } = await person.call('GET', '/api/v1/audit');
      expect(audit['entries']).toContainEqual({
        id: expect.any(String),
        at: expect.any(String),
        actor: `key:${keyId}`,
        action: 'oauth_client.created',
        address: expect.any(String),
        subject: body['client_id'],
        detail: { name: 'Robot', redirectUris: [] },
      });
    });

    test('a user can list and revoke grants', async () => {
      const client = await plainClient(gateway());
      const { body } = await redeem(client, await client.code());
      const token = String(body['access_token']);
      expect(await statusAtMcp(gateway(), token)).toBe(200);
      const person = await signedIn(gateway());
      const { grants } = (await person.call('GET', '/api/v1/oauth-grants')).body as {
        grants: { id: string; clientId: string; clientName: string }[];
      };
      const grant = grants.find(({ clientId }) => clientId === client.client.client_id);
      expect(grant).toMatchObject({ clientName: 'Plain' });
      await person.call('DELETE', `/api/v1/oauth-grants/${grant?.id}`);
      await expect.poll(() => statusAtMcp(gateway(), token)).toBe(401);
    });
  });

  describe('resources', () => {
    test('a token for /v1 works there and not at /mcp, and vice versa', async () => {
      const client = await plainClient(gateway());
      const statusAtV1 = async (token: string) =>
        (await fetch(`${gateway().baseUrl}/v1/providers`, { headers: { authorization: `Bearer ${token}` } })).status;
      const forApi = await tokensByLibrary(gateway(), client, { resource: `${gateway().baseUrl}/v1` });
      expect(await statusAtMcp(gateway(), forApi.access_token)).toBe(401);
      expect(await statusAtV1(forApi.access_token)).toBe(200);
      const forMcp = await tokensByLibrary(gateway(), client);
      expect(await statusAtV1(forMcp.access_token)).toBe(401);
    });
  });
}
