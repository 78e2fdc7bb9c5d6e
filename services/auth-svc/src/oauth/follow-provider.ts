import type { Provider } from 'oidc-provider';

export interface OAuthServerEvents {
  oauthHappened(event: 'registered' | 'allowed' | 'token_issued' | 'token_refused' | 'grant_revoked'): void;
  oauthFailed(error: unknown): void;
  oauthNotSwept(error: unknown): void;
  /** The document of a client could not be read. */
  oauthDocumentNotRead(address: string, error: unknown): void;
}

/** Reports events of the library as our events. */
export function followProvider(provider: Provider, { oauthHappened, oauthFailed }: OAuthServerEvents): void {
  provider.on('registration_create.success', () => oauthHappened('registered'));
  provider.on('authorization.success', () => oauthHappened('allowed'));
  provider.on('grant.success', () => oauthHappened('token_issued'));
  provider.on('grant.error', () => oauthHappened('token_refused'));
  provider.on('grant.revoked', () => oauthHappened('grant_revoked'));
  provider.on('server_error', (_ctx, error) => oauthFailed(error));
}
