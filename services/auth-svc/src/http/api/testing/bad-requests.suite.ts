import { request } from 'node:http';
import { makeKey } from '@tallyport/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenedManagement, ApiCallOptions } from './open-management.ts';

const inThePast = '2020-01-01T00:00:00Z';

export function describeBadRequests(open: () => Promise<OpenedManagement>): void {
  describe('bad requests', () => {
    let management: OpenedManagement;
    let key: string;
    beforeAll(async () => {
      management = await open();
      key = (await management.makeKey({ admin: true })).key;
    });
    afterAll(() => management.close());

    const ask = (method: string, path: string, options: ApiCallOptions = {}) =>
      management.ask(method, path, { key, ...options });

    it.each([
      ['no key', {}, 401, 'invalid_api_key'],
      ['an unknown key', { key: makeKey() }, 401, 'invalid_api_key'],
      ['another scheme', { headers: { authorization: 'Basic eDp5' } }, 401, 'invalid_api_key'],
      ['a key that is too long', { key: 'k'.repeat(513) }, 401, 'invalid_api_key'],
      ['an unknown session', { cookie: `tallyport=${'a'.repeat(43)}` }, 401, 'invalid_api_key'],
      ['a malformed session', { cookie: "tallyport=' or true --" }, 401, 'invalid_api_key'],
    ])('with %s are refused', async (_what, options, status, code) => {
      const answer = await management.ask('GET', '/account', options);
      expect(answer).toMatchObject({ status, body: { error: { code, type: 'invalid_request_error', param: null } } });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="tallyport"');
    });

    it.each([
      ['a name that is too long', { name: 'x'.repeat(101) }, 'name'],
      ['a name with a NUL character', { name: 'a\0' }, null],
      ['a very deeply nested name', `{"name":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, null],
      ['a blank name', { name: ' ' }, 'name'],
      ['a line break in a name', { name: 'a\nlevel=error msg=owned' }, 'name'],
      ['an escape sequence in a name', { name: 'a\u001b[31m' }, 'name'],
      ['a name with a text direction mark', { name: 'a\u202eb' }, 'name'],
      ['half a surrogate pair in a name', { name: 'a\ud800' }, 'name'],
      ['an expiry in the past', { name: 'k', expiresAt: inThePast }, 'expiresAt'],
      ['an expiry without a time zone', { name: 'k', expiresAt: '2099-01-01T00:00:00' }, 'expiresAt'],
      ['an invalid range', { name: 'k', allowedAddresses: ['203.0.113.0/33'] }, 'allowedAddresses[0]'],
      ['an invalid address', { name: 'k', allowedAddresses: ['203.0.113.0/24', 'here'] }, 'allowedAddresses[1]'],
      ['an empty list of ranges', { name: 'k', allowedAddresses: [] }, 'allowedAddresses'],
      ['a negative limit', { name: 'k', limits: { concurrency: -1 } }, 'limits.concurrency'],
      ['an unknown limit', { name: 'k', limits: { requests: 1 } }, 'limits'],
      ['a budget as a number', { name: 'k', budget: { amount: 5, period: 'day' } }, 'budget.amount'],
      ['a negative budget', { name: 'k', budget: { amount: '-5', period: 'day' } }, 'budget.amount'],
      ['a cache of 9 seconds', { name: 'k', cacheTtlSeconds: 9 }, 'cacheTtlSeconds'],
      ['a cache of more than a year', { name: 'k', cacheTtlSeconds: 31_536_001 }, 'cacheTtlSeconds'],
      ['an unknown member', { name: 'k', hash: 'f'.repeat(64) }, null],
    ])('with %s name the invalid member', async (_what, body, param) => {
      expect(await ask('POST', '/keys', { body })).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_parameters', param, message: expect.stringMatching(/.+\.$/) } },
      });
    });

    it('may be up to 64 KB', async () => {
      const padded = (bytes: number) => `{"name":7${' '.repeat(bytes - 10)}}`;
      expect((await ask('POST', '/keys', { body: padded(65_536) })).status).toBe(400);
      expect(await ask('POST', '/keys', { body: padded(65_537) })).toMatchObject({
        status: 413,
        body: { error: { code: 'request_too_large', message: expect.stringContaining('64 KB') } },
      });
    });

    it.each([
      ['{"name":', {}, 400, 'invalid_json'],
      ['[]', {}, 400, 'invalid_parameters'],
      ['"text"', {}, 400, 'invalid_parameters'],
      ['name=k', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'unsupported_media_type'],
      ['{}', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
      ['{}', { 'content-encoding': 'rot13' }, 400, 'invalid_parameters'],
    ])('with the body %s and %j are refused', async (body, headers, status, code) => {
      expect(await ask('POST', '/keys', { body, headers })).toMatchObject({ status, body: { error: { code } } });
    });

    it('name a missing or unknown member', async () => {
      const missing = await ask('POST', '/keys', { body: {} });
      expect(missing.body.error).toMatchObject({ message: 'name is missing.', param: 'name' });
      const unknown = await ask('POST', '/keys', { body: { name: 'k', limits: { rpm: 1 } } });
      expect(unknown.body.error).toMatchObject({ message: 'limits has the unknown member "rpm".', param: 'limits' });
      const passwordless = await management.ask('POST', '/session', { body: { email: 'a@b.test' } });
      expect(passwordless.body.error.message).toBe('password is missing.');
    });

    it('may announce a body that does not exist, as proxies do', async () => {
      const { record } = (await ask('POST', '/keys', { body: { name: 'k' } })).body;
      const status = await new Promise((resolve, reject) => {
        const headers = { authorization: `Bearer ${key}`, 'transfer-encoding': 'chunked' };
        const outgoing = request(`${management.address}/keys/${record.id}`, { method: 'DELETE', headers });
        outgoing.on('error', reject).on('response', (response) => resolve(response.resume().statusCode));
        outgoing.end();
      });
      expect(status).toBe(200);
    });

    it.each([
      ['GET', '/kyes', 'Did you mean GET /api/v1/keys?'],
      ['POST', '/key/key_1/rotate', 'Did you mean POST /api/v1/keys/key_1/rotate?'],
      ['GET', '/nothing', 'The management API is below /api/v1 and that of models below /v1; /docs describes both.'],
    ])('to the wrong address %s %s name the right one', async (method, path, hint) => {
      expect((await ask(method, path)).body.error).toEqual({
        message: `${method} /api/v1${path} does not exist. ${hint}`,
        type: 'invalid_request_error',
        param: null,
        code: 'not_found',
      });
    });

    it('to unknown addresses and methods are refused', async () => {
      expect((await ask('GET', '/nothing')).status).toBe(404);
      const wrong = await ask('PUT', '/keys', { body: {} });
      expect(wrong).toMatchObject({ status: 405, body: { error: { code: 'method_not_allowed' } } });
      expect(wrong.headers.get('allow')).toBe('GET, POST');
      expect((await ask('GET', '/audit?cursor=1%20or%201')).body.error.param).toBe('cursor');
      expect((await ask('GET', '/audit?limit=201')).body.error.param).toBe('limit');
      expect((await ask('GET', '/keys/__proto__')).status).toBe(404);
      expect((await ask('GET', '/account', { account: "x' or true --" })).status).toBe(404);
    });

    it('store names unchanged', async () => {
      const name = `'; drop table api_keys; -- \u{1F469}\u200d\u{1F680} %s <b>`;
      const made = await ask('POST', '/keys', { body: { name } });
      expect(made.body.record.name).toBe(name);
      const { keys } = (await ask('GET', '/keys')).body;
      expect(keys.map((listed: { name: string }) => listed.name)).toContain(name);
    });

    it('never cause an internal error', () => {
      expect(management.failures).toEqual([]);
    });
  });
}
