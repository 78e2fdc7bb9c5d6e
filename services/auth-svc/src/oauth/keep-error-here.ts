import type { KoaContextWithOIDC } from 'oidc-provider';

export interface OAuthErrorDetails {
  error: string;
  error_description?: string | undefined;
  /** What happened, as sentences for people, if the error alone does not say it. */
  reason?: string | undefined;
}

export interface ErrorPlace {
  publicUrl: string;
  /** Whether a user ever allowed this client anything, or an account registered it. */
  isConsented(clientId: string): Promise<boolean>;
  /** Renders the error page. */
  renderError(context: KoaContextWithOIDC, details: OAuthErrorDetails): void;
}

/**
 * Anyone may register a client with any redirect. Until a user has allowed it something, errors are shown here instead
 * of being redirected: otherwise a link to this gateway could redirect to any site.
 */
export async function keepErrorHere(
  ctx: KoaContextWithOIDC,
  { publicUrl, isConsented, renderError }: ErrorPlace,
): Promise<void> {
  const location = ctx.response.get('location');
  const { client } = ctx.oidc;
  if (!URL.canParse(location, publicUrl) || client === undefined) return;
  const target = new URL(location, publicUrl);
  if (target.origin === new URL(publicUrl).origin || (await isConsented(client.clientId))) return;
  ctx.remove('location');
  ctx.status = 400;
  renderError(ctx, errorIn(target));
}

function errorIn({ search, hash }: URL): OAuthErrorDetails {
  const parameters = [new URLSearchParams(search), new URLSearchParams(hash.slice(1))];
  const read = (name: string) => parameters.map((given) => given.get(name)).find((text) => text !== null) ?? undefined;
  return { error: read('error') ?? 'invalid_request', error_description: read('error_description') };
}
