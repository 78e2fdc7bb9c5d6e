import { generateKeyPairSync, verify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { WireRequest } from '@tallyport/outbound';
import type { Credential } from './credential.ts';
import { googleCredential } from './google-service-account.ts';

const now = () => 1_790_000_000_000;
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const account = {
  type: 'service_account',
  private_key_id: 'key-1',
  private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  client_email: 'tallyport@project.iam.gserviceaccount.com',
  token_uri: 'http://127.0.0.1:9/token?x=1',
};
const auth = { kind: 'google-service-account', scope: 'cloud', variables: ['KEY_JSON', 'KEY_FILE'] } as const;

const credential = (settings: Record<string, string>, key?: string): Credential =>
  googleCredential(auth, { key, setting: (name) => settings[name], baseUrl: undefined, now });

/** The headers of a service account's requests, and the requests that the token endpoint received. */
async function headersWith(answer: { status: number; text: string }, settings = { KEY_JSON: JSON.stringify(account) }) {
  const requests: WireRequest[] = [];
  const send = async (request: WireRequest) => {
    requests.push(request);
    return answer;
  };
  const made = credential(settings);
  const authorize = 'authorize' in made ? made.authorize : undefined;
  const request = { origin: 'https://a.test', path: '/', method: 'POST', headers: {}, body: '' } as const;
  return { headers: await authorize?.(request, { send }), requests };
}

const good = { status: 200, text: '{"access_token":"ya29.a","expires_in":3599,"token_type":"Bearer"}' };

describe('a service account', () => {
  test('exchanges a signed assertion for a token', async () => {
    const { headers, requests } = await headersWith(good);
    expect(headers).toEqual({ authorization: 'Bearer ya29.a' });
    expect(requests).toMatchObject([{ origin: 'http://127.0.0.1:9', path: '/token?x=1', method: 'POST' }]);
    const form = new URLSearchParams(String(requests[0]?.body));
    expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
    const [head = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.');
    expect(decoded(head)).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'key-1' });
    expect(decoded(claims)).toEqual({
      iss: account.client_email,
      scope: 'cloud',
      aud: account.token_uri,
      iat: 1_790_000_000,
      exp: 1_790_003_600,
    });
    const signed = Buffer.from(`${head}.${claims}`);
    expect(verify('sha256', signed, publicKey, Buffer.from(signature, 'base64url'))).toBe(true);
  });

  test.each([
    ['refused by the endpoint', { status: 400, text: '{"error":"invalid_grant"}' }, 'upstream_auth'],
    ['while the endpoint fails', { status: 503, text: 'no' }, 'upstream_error'],
    ['while the endpoint is busy', { status: 429, text: '{}' }, 'upstream_error'],
    ['given no token', { status: 200, text: '{}' }, 'upstream_error'],
    ['given a page', { status: 200, text: '<html>' }, 'upstream_error'],
  ])('%s is the provider’s fault', async (_name, answer, code) => {
    await expect(headersWith(answer)).rejects.toMatchObject({ code, domain: 'provider' });
  });

  test('with an unreadable key fails without calling the token endpoint', async () => {
    const settings = { KEY_JSON: JSON.stringify({ ...account, private_key: 'nonsense' }) };
    await expect(headersWith(good, settings)).rejects.toMatchObject({ code: 'upstream_auth', domain: 'provider' });
  });
});

test('an access token is sent unchanged', () => {
  expect(credential({ KEY_JSON: '{}' }, 'ya29.b')).toEqual({ headers: { authorization: 'Bearer ya29.b' } });
});

test.each([
  [{}, 'KEY_JSON or KEY_FILE'],
  [{ KEY_JSON: 'no json' }, "KEY_JSON with the JSON of a service account's key"],
  [{ KEY_FILE: '{"type":"authorized_user"}' }, "KEY_FILE with the JSON of a service account's key"],
])('with %j a setting is missing', (settings, missing) => {
  expect(credential(settings)).toEqual({ missing });
});

const decoded = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
