import { Provider, type AdapterFactory, type Client, type Configuration, type KoaContextWithOIDC } from 'oidc-provider';
import { applicationType } from './application-type.ts';
import { bindingProperties, setBinding } from './bound-client.ts';
import { burnCode } from './burn-code.ts';
import { cleanName } from './clean-name.ts';
import type { OAuthKeys } from './keys.ts';
import { type ErrorPlace, keepErrorHere } from './keep-error-here.ts';
import { createForeignFetch } from './foreign-documents.ts';
import type { ClientDocuments } from './client-documents.ts';
import { features } from './features.ts';
import { responseModes, scopes } from './scopes.ts';
import { secretsAreHashed } from './client-secret.ts';
import { successorsAreDerived } from './refresh-successor.ts';
import { tokenExchangeGrant } from './token-exchange-grant.ts';

export interface ProviderOptions extends ErrorPlace {
  /** Without a trailing slash: clients compare it literally. */
  publicUrl: string;
  keys: OAuthKeys;
  records: AdapterFactory;
  /** Whether the user in this `sub` still belongs to their account. */
  isMember(subject: string): Promise<boolean>;
  /** Absent if clients must register. */
  documents: ClientDocuments | undefined;
}

/** Creates the OAuth 2.0 server. Features that MCP and API clients do not need are disabled. */
export function createProvider(options: ProviderOptions): Provider {
  const { publicUrl, keys, records, isMember, documents } = options;
  const configuration: Configuration = {
    adapter: records,
    allowOmittingSingleRegisteredRedirectUri: false,
    jwks: { keys: keys.jwks.keys },
    cookies: cookiesOf(keys),
    features: features({ publicUrl, documents }),
    routes: oauthPaths,
    responseTypes: ['code'],
    pkce: { required: () => true },
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    clientBasedCORS: () => true,
    clientDefaults: { grant_types: ['authorization_code', 'refresh_token'] },
    extraClientMetadata: {
      properties: [...bindingProperties],
      validator: (...given) => adjustClient(given[0], given[3]),
    },
    extraTokenClaims: (_ctx, token) => ('accountId' in token && token.accountId ? undefined : accountOf(token.client)),
    // Without documents, clients still have keys to read.
    fetch: documents?.fetch ?? createForeignFetch(),
    findAccount: async (_ctx, sub) =>
      (await isMember(sub)) ? { accountId: sub, claims: async () => ({ sub }) } : undefined,
    interactions: { url: (_ctx, interaction) => `/oauth/interaction/${interaction.uid}` },
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: async () => false,
    loadExistingGrant: async (ctx) => {
      const grantId = ctx.oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : ctx.oidc.provider.Grant.find(grantId);
    },
    renderError: (ctx, details) =>
      options.renderError(ctx, { ...details, reason: documents?.explain(ctx, details.error_description) }),
    rotateRefreshToken: true,
    ttl,
  };
  const provider = new Provider(publicUrl, configuration);
  // Endpoint URLs in the metadata come from X-Forwarded-*, which contain only what edge signed.
  provider.proxy = true;
  provider.use(async (ctx, next) => {
    await next();
    if (!isOfProvider(ctx)) return;
    if (ctx.oidc.route === 'discovery') Object.assign(ctx.body as object, discovered);
    if (ctx.oidc.route === 'authorization') await keepErrorHere(ctx, options);
    if (ctx.oidc.route === 'token') await burnCode(ctx);
    explainError(ctx, documents);
  });
  secretsAreHashed(provider);
  successorsAreDerived(provider, keys);
  return provider;
}

const isOfProvider = (ctx: object): ctx is KoaContextWithOIDC => 'oidc' in ctx;

const discovered = {
  scopes_supported: scopes,
  response_modes_supported: responseModes,
  grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials', tokenExchangeGrant],
};

/** The paths of the library. It finds them in any case of letters. */
export const oauthPaths = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  introspection: '/oauth/introspect',
  jwks: '/oauth/jwks',
};

const hour = 3600;
const day = 24 * hour;

/**
 * In seconds. A grant outlives its refresh tokens: users are asked again after half a year, or after a month without
 * use.
 */
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

/**
 * A path that is never requested, so browsers never send the library's session cookie: each authorization starts a new
 * session.
 */
const unusedPath = '/oauth/no-session';

const cookiesOf = ({ cookies }: OAuthKeys): Configuration['cookies'] => ({
  keys: cookies,
  names: { session: 'tallyport_oauth', interaction: 'tallyport_asked', resume: 'tallyport_resume' },
  long: { httpOnly: true, sameSite: 'lax', signed: true, path: unusedPath },
  short: { httpOnly: true, sameSite: 'lax', signed: true },
});

/**
 * Adjusts the metadata of each client: registered, described by its own document, or read from our records. Only a
 * registration has a context.
 */
function adjustClient(ctx: KoaContextWithOIDC | undefined, metadata: Record<string, unknown>): void {
  metadata['application_type'] = applicationType(metadata['redirect_uris']);
  const name = cleanName(metadata['client_name']);
  if (name === undefined) delete metadata['client_name'];
  else metadata['client_name'] = name;
  // A client with a URL as its id brings its own metadata. Neither this nor a registration may bind it to an account.
  if (ctx || String(metadata['client_id']).includes(':')) setBinding(metadata, ctx?.req);
}

const accountOf = (client: Client | undefined): Record<string, string> | undefined => {
  const id = client?.['account_id'];
  return typeof id === 'string' ? { account_id: id } : undefined;
};

/** For programs, whose errors are JSON. */
function explainError(ctx: KoaContextWithOIDC, documents: ClientDocuments | undefined): void {
  const { body } = ctx;
  if (typeof body !== 'object' || body === null || !('error_description' in body)) return;
  const reason = documents?.explain(ctx, body.error_description);
  if (reason !== undefined) body.error_description = reason;
}
