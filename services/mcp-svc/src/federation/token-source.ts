import type { McpServerAuth } from '@tallyport/contracts';
import * as oauth from 'oauth4webapi';
import type { PublicFetch } from '@tallyport/outbound';

type ClientCredentials = Extract<McpServerAuth, { type: 'client_credentials' }>;

/** The access token of one server, requested once and again before it expires. */
export interface TokenSource {
  token(): Promise<string>;
  /** The server refused this token. */
  forget(): void;
}

interface TokenSourceOptions {
  auth: ClientCredentials;
  fetch: PublicFetch;
  /** Called with each new token. */
  onToken(token: string): void;
  now(): number;
}

interface HeldToken {
  text: string;
  refreshAt: number;
}

const timeoutMs = 10_000;
/** A server that states no lifetime gets a new token this often. */
const defaultLifetimeMs = 300_000;
/** A token is replaced this much before it expires, or at half of a short lifetime. */
const earlyMs = 60_000;

export function createTokenSource({ auth, fetch, onToken, now }: TokenSourceOptions): TokenSource {
  let held: HeldToken | undefined;
  let running: Promise<HeldToken> | undefined;

  async function request(): Promise<HeldToken> {
    const requestedAt = now();
    const server = { issuer: new URL(auth.tokenUrl).origin, token_endpoint: auth.tokenUrl };
    const client = { client_id: auth.clientId };
    const response = await oauth.clientCredentialsGrantRequest(
      server,
      client,
      oauth.ClientSecretBasic(auth.clientSecret),
      { ...(auth.scope && { scope: auth.scope }), ...(auth.resource && { resource: auth.resource }) },
      {
        [oauth.customFetch]: (url, init) => fetch(url, init as RequestInit),
        // `fetch` decides where plain http is allowed.
        [oauth.allowInsecureRequests]: true,
        signal: AbortSignal.timeout(timeoutMs),
      },
    );
    const result = await oauth.processClientCredentialsResponse(server, client, response);
    const lifetimeMs = (result.expires_in ?? defaultLifetimeMs / 1000) * 1000;
    onToken(result.access_token);
    return { text: result.access_token, refreshAt: requestedAt + Math.max(lifetimeMs / 2, lifetimeMs - earlyMs) };
  }

  return {
    async token() {
      if (held !== undefined && now() < held.refreshAt) return held.text;
      running ??= request().finally(() => {
        running = undefined;
      });
      held = await running;
      return held.text;
    },
    forget() {
      held = undefined;
    },
  };
}
