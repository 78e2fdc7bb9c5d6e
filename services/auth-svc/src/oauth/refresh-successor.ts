import { createHmac } from 'node:crypto';
import { Provider } from 'oidc-provider';
import type { OAuthKeys } from './keys.ts';

/**
 * Makes every use of a refresh token, at any replica, issue the same next one. A second use then starts no line of its
 * own that would outlive the first.
 */
export function successorsAreDerived(provider: Provider, { cookies: [key = ''] }: OAuthKeys): void {
  const { prototype } = provider.RefreshToken;
  const save = prototype.save;
  prototype.save = function saveDerived(...given) {
    const before = Provider.ctx?.oidc.entities.RotatedRefreshToken;
    if (before !== undefined) this.jti = createHmac('sha256', key).update(`after ${before.jti}`).digest('base64url');
    return save.apply(this, given);
  };
}
