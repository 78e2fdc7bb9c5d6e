import { GatewayError } from '@tallyport/contracts';
import type { Auth } from '@tallyport/providers';
import { importPKCS8, SignJWT } from 'jose';
import type { Credential, CredentialSources } from './credential.ts';
import type { Network } from './network.ts';
import { createTokenCache, type Token } from './token-cache.ts';

type GoogleAuth = Extract<Auth, { kind: 'google-service-account' }>;

/** The members read from a service account's key file. */
interface ServiceAccount {
  clientEmail: string;
  privateKey: string;
  privateKeyId: string | undefined;
  tokenUri: string;
}

const LIFETIME_SECONDS = 3_600;
const marginMs = 5 * 60_000;
const failureMs = 1_000;

/** Sends the access token if one is configured; otherwise fetches one for the service account and renews it in time. */
export function googleCredential({ scope, variables }: GoogleAuth, sources: CredentialSources): Credential {
  if (sources.key !== undefined) return { headers: bearer(sources.key) };
  const name = variables.find((variable) => sources.setting(variable) !== undefined);
  if (name === undefined) return { missing: variables.join(' or ') };
  const account = readAccount(sources.setting(name) ?? '');
  if (account === undefined) return { missing: `${name} with the JSON of a service account's key` };
  const { now } = sources;
  const make = async (network: Network) => {
    const assertion = await assertionOf(account, { scope, time: now() });
    return fetchToken(account, assertion, { network, now });
  };
  const token = createTokenCache(make, { now, marginMs, failureMs });
  return { headers: {}, authorize: async (_request, network) => bearer(await token(network)) };
}

const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

function readAccount(json: string): ServiceAccount | undefined {
  const parsed = parse(json);
  const { client_email: clientEmail, private_key: privateKey, private_key_id: id, token_uri: uri } = parsed;
  if (typeof clientEmail !== 'string' || typeof privateKey !== 'string') return undefined;
  const tokenUri = typeof uri === 'string' && URL.canParse(uri) ? uri : 'https://oauth2.googleapis.com/token';
  return { clientEmail, privateKey, privateKeyId: typeof id === 'string' ? id : undefined, tokenUri };
}

function parse(json: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

async function assertionOf(
  { clientEmail, privateKey, privateKeyId, tokenUri }: ServiceAccount,
  { scope, time }: { scope: string; time: number },
): Promise<string> {
  const issuedAt = Math.floor(time / 1_000);
  try {
    return await new SignJWT({ scope })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(privateKeyId !== undefined && { kid: privateKeyId }) })
      .setIssuer(clientEmail)
      .setAudience(tokenUri)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + LIFETIME_SECONDS)
      .sign(await importPKCS8(privateKey, 'RS256'));
  } catch (cause) {
    throw refused('The private key of the service account cannot be read.', cause);
  }
}

async function fetchToken(
  { tokenUri }: ServiceAccount,
  assertion: string,
  { network, now }: { network: Network; now(): number },
): Promise<Token> {
  const { origin, pathname, search } = new URL(tokenUri);
  const { status, text } = await network.send({
    origin,
    path: pathname + search,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }).toString(),
  });
  const { access_token: value, expires_in: seconds } = parse(text);
  if (status >= 400 && status < 500 && status !== 408 && status !== 429) {
    throw refused(`The token endpoint returned ${status}: ${text.slice(0, 200)}`, undefined);
  }
  if (status !== 200 || typeof value !== 'string') throw failed(`The token endpoint returned ${status}.`);
  const lifetime = typeof seconds === 'number' && seconds > 0 ? seconds : LIFETIME_SECONDS;
  return { value, expiresAt: now() + lifetime * 1_000 };
}

const refused = (detail: string, cause: unknown): GatewayError =>
  new GatewayError('upstream_auth', 'The provider refused our credentials.', { domain: 'provider', detail, cause });

const failed = (detail: string): GatewayError =>
  new GatewayError('upstream_error', 'The provider did not issue an access token.', { domain: 'provider', detail });
