import { GatewayError } from '@switchyard/contracts';
import { Provider, type AdapterFactory, type Client, type Configuration, type KoaContextWithOIDC } from 'oidc-provider';
import { applicationType } from './application-type.ts';
import { bindingProperties } from './bound-client.ts';
import { cleanName } from './clean-name.ts';
import type { OAuthKeys } from './keys.ts';
import { fetchForeign, mayFetch } from './foreign-documents.ts';
import { features } from './features.ts';
import { scopes } from './scopes.ts';
import { secretsAreHashed } from './client-secret.ts';

export interface ProviderOptions {
  /** Without a slash at its end: clients compare it to the letter. */
  publicUrl: string;
  keys: OAuthKeys;
  records: AdapterFactory;
  /** Whether this person (a `sub` of ours) still belongs to their account. */
  isMember(subject: string): Promise<boolean>;
  /** Throws when this address made us fetch too often. */
  countFetch(address: string): Promise<void>;
  /** The answer for people when there is nowhere to send them back to. */
  renderError(context: KoaContextWithOIDC, details: { error: string; error_description?: string | undefined }): void;
}

/** The OAuth 2.0 server, with everything off that an MCP client or an API client does not need. */
export function createProvider(options: ProviderOptions): Provider {
  const { publicUrl, keys, records, isMember } = options;
  const configuration: Configuration = {
    adapter: records,
    jwks: { keys: keys.jwks.keys },
    cookies: cookiesOf(keys),
    features: features({ publicUrl, mayFetch: (ctx, address) => countedFetch(options, ctx, address) }),
    routes,
    responseTypes: ['code'],
    pkce: { required: () => true },
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    clientBasedCORS: () => true,
    clientDefaults: { grant_types: ['authorization_code', 'refresh_token'] },
    extraClientMetadata: { properties: [...bindingProperties], validator: (...given) => adjustClient(given[3]) },
    extraTokenClaims: (_ctx, token) => ('accountId' in token && token.accountId ? undefined : accountOf(token.client)),
    fetch: fetchForeign,
    findAccount: async (_ctx, sub) =>
      (await isMember(sub)) ? { accountId: sub, claims: async () => ({ sub }) } : undefined,
    interactions: { url: (_ctx, interaction) => `/oauth/interaction/${interaction.uid}` },
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: async () => false,
    loadExistingGrant: async (ctx) => {
      const grantId = ctx.oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : ctx.oidc.provider.Grant.find(grantId);
    },
    renderError: (ctx, details) => options.renderError(ctx, details),
    rotateRefreshToken: true,
    ttl,
  };
  const provider = new Provider(publicUrl, configuration);
  // Endpoint addresses in the metadata come from X-Forwarded-*, which edge overwrites.
  provider.proxy = true;
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.oidc?.route === 'discovery') Object.assign(ctx.body as object, { scopes_supported: scopes });
  });
  secretsAreHashed(provider);
  return provider;
}

const routes = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  introspection: '/oauth/introspect',
  jwks: '/oauth/jwks',
  pushed_authorization_request: '/oauth/par',
  end_session: '/oauth/end-session',
};

const hour = 3600;
const day = 24 * hour;

/** In seconds. A grant outlives its refresh tokens: people are asked again after half a year, or a month without use. */
const ttl = {
  AccessToken: hour,
  AuthorizationCode: 60,
  ClientCredentials: hour,
  Grant: 180 * day,
  IdToken: hour,
  Interaction: hour,
  RefreshToken: 30 * day,
  Session: 600,
};

/** Nobody ever asks for this path: the library's own session is begun anew with each request to authorize. */
const nowhere = '/oauth/no-session';

const cookiesOf = ({ cookies }: OAuthKeys): Configuration['cookies'] => ({
  keys: cookies,
  names: { session: 'switchyard_oauth', interaction: 'switchyard_asked', resume: 'switchyard_resume' },
  long: { httpOnly: true, sameSite: 'lax', signed: true, path: nowhere },
  short: { httpOnly: true, sameSite: 'lax', signed: true },
});

/** For every client, however it came: registered, described by a document of its own, or read from our records. */
function adjustClient(metadata: Record<string, unknown>): void {
  metadata['application_type'] = applicationType(metadata['redirect_uris']);
  const name = cleanName(metadata['client_name']);
  if (name === undefined) delete metadata['client_name'];
  else metadata['client_name'] = name;
  // Its own document says so: only we may bind a client to an account.
  if (String(metadata['client_id']).includes(':')) for (const name of bindingProperties) delete metadata[name];
}

const accountOf = (client: Client | undefined): Record<string, string> | undefined => {
  const id = client?.['account_id'];
  return typeof id === 'string' ? { account_id: id } : undefined;
};

async function countedFetch(
  { countFetch }: ProviderOptions,
  ctx: KoaContextWithOIDC,
  address: string,
): Promise<boolean> {
  if (!mayFetch(address)) return false;
  try {
    await countFetch(ctx.ip);
    return true;
  } catch (error) {
    if (error instanceof GatewayError) return false;
    throw error;
  }
}
