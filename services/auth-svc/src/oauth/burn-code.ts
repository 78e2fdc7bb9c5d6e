import type { KoaContextWithOIDC } from 'oidc-provider';

/** Invalidates a code that was presented with a wrong verifier or redirect: a thief has one guess. */
export async function burnCode(ctx: KoaContextWithOIDC): Promise<void> {
  const { provider, client, params = {} } = ctx.oidc;
  const { grant_type: grantType, code: presented } = params;
  if (grantType !== 'authorization_code' || typeof presented !== 'string' || !isInvalidGrant(ctx.body)) return;
  const code = await provider.AuthorizationCode.find(presented);
  // A used code is kept: using it again revokes its grant.
  if (code !== undefined && code.clientId === client?.clientId && Reflect.get(code, 'consumed') === undefined)
    await code.destroy();
}

const isInvalidGrant = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'error' in body && body.error === 'invalid_grant';
