import { generateKeyPairSync, sign as signBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { listen, stopServer } from '@tallyport/service-kit';

type Keys = Awaited<ReturnType<typeof generateKeyPair>>;

export interface RogueProvider {
  issuer: string;
  keys: Keys;
  /** A pair of keys that the provider does not publish. */
  otherKeys: Keys;
  /** The tokens of the next response, or what to do instead. */
  next: { idToken?: string; refreshToken?: string; status?: number; body?: string; hangs?: boolean };
  /** Refresh tokens that are valid. Each works once: the response has the next one. */
  refreshTokens: Set<string>;
  /** All refresh tokens that were sent. */
  refreshes: string[];
  /** Signs with the published key. */
  sign(claims: JWTPayload, header?: { alg?: string; kid?: string; cty?: string }, keys?: Keys): Promise<string>;
  /** Signs with a published key of 1,024 bits, which libraries refuse to create. */
  signWeakly(claims: JWTPayload): string;
  /** Members of the discovery document that differ. */
  metadata: Record<string, unknown>;
  /** How often the published keys were loaded. */
  keyRequests(): number;
  stop(): Promise<void>;
}

export const rogueClientId = 'rogue-client';

/** An identity provider under the control of a test. It sends what a correct server never sends. */
export async function startRogueProvider(): Promise<RogueProvider> {
  const [keys, otherKeys] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'first', alg: 'RS256', use: 'sig' };
  const weak = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const weakJwk = { ...weak.publicKey.export({ format: 'jwk' }), kid: 'weak', alg: 'RS256', use: 'sig' };
  const metadata: RogueProvider['metadata'] = {};
  let keyRequests = 0;
  const next: RogueProvider['next'] = {};
  const refreshTokens = new Set<string>();
  const refreshes: string[] = [];
  async function takeRefreshToken(request: IncomingMessage): Promise<{ refresh_token?: string } | undefined> {
    const sent = new URLSearchParams(await text(request)).get('refresh_token');
    if (sent === null) {
      if (next.refreshToken === undefined) return {};
      refreshTokens.add(next.refreshToken);
      return { refresh_token: next.refreshToken };
    }
    refreshes.push(sent);
    if (!refreshTokens.delete(sent)) return undefined;
    refreshTokens.add(`${sent}+`);
    return { refresh_token: `${sent}+` };
  }
  const server = createServer(async (request, response) => {
    const json = (value: unknown) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
    };
    switch (request.url) {
      case '/.well-known/openid-configuration':
        return json({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/jwks`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
          ...metadata,
        });
      case '/jwks':
        keyRequests++;
        return json({ keys: [jwk, weakJwk, unusableJwk] });
      case '/token': {
        const { idToken, status = 200, body, hangs = false } = next;
        if (hangs) return undefined;
        response.statusCode = status;
        if (body !== undefined) return void response.setHeader('content-type', 'application/json').end(body);
        if (status !== 200) return json({});
        const refreshed = await takeRefreshToken(request);
        if (refreshed === undefined) response.statusCode = 400;
        if (refreshed === undefined) return json({ error: 'invalid_grant' });
        return json({ access_token: 'any', token_type: 'Bearer', id_token: idToken, ...refreshed });
      }
      default:
        return void response.writeHead(404).end();
    }
  });
  const issuer = await listen(server, { host: '127.0.0.1', port: 0 });
  return {
    issuer,
    keys,
    otherKeys,
    next,
    refreshTokens,
    refreshes,
    sign: (claims, header = {}, by = keys) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'first', ...header }).sign(by.privateKey),
    signWeakly(claims) {
      const text = `${encode({ alg: 'RS256', kid: 'weak' })}.${encode(claims)}`;
      return `${text}.${signBytes('sha256', Buffer.from(text), weak.privateKey).toString('base64url')}`;
    },
    metadata,
    keyRequests: () => keyRequests,
    stop: () => stopServer(server, 100),
  };
}

/** A point that is not on its curve. */
const unusableJwk = { kty: 'EC', crv: 'P-256', x: 'AQ', y: 'AQ', kid: 'unusable', alg: 'ES256', use: 'sig' };

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
