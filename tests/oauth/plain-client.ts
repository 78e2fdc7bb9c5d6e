import * as oauth from 'oauth4webapi';
import { allow, type OAuthGateway } from './gateway.ts';

const insecure = { [oauth.allowInsecureRequests]: true };

export const redirectUri = 'https://app.example.com/callback';

/** An OAuth client without a library, so that a test can send wrong parameters. */
export interface PlainClient {
  server: oauth.AuthorizationServer;
  client: oauth.Client;
  authentication: oauth.ClientAuth;
  /** The URL for the user's browser. */
  authorizationUrl(parameters?: Readonly<Record<string, string>>): Promise<{ url: string; verifier: string }>;
  /** Grants access as the owner and returns the code. */
  code(parameters?: Readonly<Record<string, string>>): Promise<{ code: string; verifier: string }>;
  /** Sends a request to the token endpoint. */
  token(body: Readonly<Record<string, string>>): Promise<TokenAnswer>;
}

interface TokenAnswer {
  status: number;
  body: Record<string, unknown>;
  headers: Headers;
}

export async function discover(baseUrl: string): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(baseUrl);
  const found = await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' });
  return oauth.processDiscoveryResponse(issuer, found);
}

export async function register(baseUrl: string, metadata: Record<string, unknown>, key?: string): Promise<TokenAnswer> {
  return postTo(`${baseUrl}/oauth/register`, JSON.stringify(metadata), {
    'content-type': 'application/json',
    ...(key && { authorization: `Bearer ${key}` }),
  });
}

export async function plainClient(
  gateway: Pick<OAuthGateway, 'baseUrl' | 'owner'>,
  metadata: Record<string, unknown> = {},
): Promise<PlainClient> {
  const server = await discover(gateway.baseUrl);
  const given = { client_name: 'Plain', redirect_uris: [redirectUri], token_endpoint_auth_method: 'none', ...metadata };
  const { body } = await register(gateway.baseUrl, given);
  const client = body as unknown as oauth.Client;
  const secret = typeof body['client_secret'] === 'string' ? body['client_secret'] : undefined;

  const made: PlainClient = {
    server,
    client,
    authentication: secret === undefined ? oauth.None() : oauth.ClientSecretPost(secret),
    async authorizationUrl(parameters = {}) {
      const verifier = oauth.generateRandomCodeVerifier();
      const url = new URL(server.authorization_endpoint ?? '');
      const query = {
        client_id: client.client_id,
        redirect_uri: redirectUri,
        response_type: 'code',
        state: 'a-state',
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...parameters,
      };
      for (const [name, value] of Object.entries(query)) if (value !== '') url.searchParams.set(name, value);
      return { url: url.href, verifier };
    },
    async code(parameters) {
      const { url, verifier } = await made.authorizationUrl(parameters);
      const answer = await allow(gateway.owner(), url);
      const code = answer.searchParams.get('code');
      if (code === null) throw new Error(`There is no code in ${answer.href}`);
      return { code, verifier };
    },
    token: (body) =>
      postTo(
        `${gateway.baseUrl}/oauth/token`,
        new URLSearchParams({ client_id: client.client_id, ...body }).toString(),
        {
          'content-type': 'application/x-www-form-urlencoded',
        },
      ),
  };
  return made;
}

async function postTo(url: string, body: string, headers: Record<string, string>): Promise<TokenAnswer> {
  const response = await fetch(url, { method: 'POST', body, headers });
  return {
    status: response.status,
    body: (await response.json()) as Record<string, unknown>,
    headers: response.headers,
  };
}

/** Gets tokens with the library, which validates all answers. */
export async function tokensByLibrary(gateway: OAuthGateway, made: PlainClient, parameters?: Record<string, string>) {
  const { server, client, authentication } = made;
  const { url, verifier } = await made.authorizationUrl(parameters);
  const answer = await allow(gateway.owner(), url);
  const checked = oauth.validateAuthResponse(server, client, answer, 'a-state');
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authentication,
    checked,
    redirectUri,
    verifier,
    insecure,
  );
  return oauth.processAuthorizationCodeResponse(server, client, response);
}

export const refreshByLibrary = async ({ server, client, authentication }: PlainClient, refreshToken: string) =>
  oauth.processRefreshTokenResponse(
    server,
    client,
    await oauth.refreshTokenGrantRequest(server, client, authentication, refreshToken, insecure),
  );

export const revoke = async ({ server, client, authentication }: PlainClient, token: string): Promise<void> =>
  oauth.processRevocationResponse(await oauth.revocationRequest(server, client, authentication, token, insecure));
