import { hash, timingSafeEqual } from 'node:crypto';
import type { Client, Provider } from 'oidc-provider';

const mark = 'sha256:';

/** The stored form of a client secret. The secret is 512 random bits, so a plain hash reveals nothing. */
export const hashClientSecret = (secret: string): string =>
  secret.startsWith(mark) ? secret : mark + hash('sha256', secret, 'base64url');

/** Makes the library compare the hash of the secret that a client sends. */
export function secretsAreHashed(provider: Provider): void {
  const prototype: Client = provider.Client.prototype;
  prototype.compareClientSecret = function compareClientSecret(this: Client, given: string): boolean {
    const expected = Buffer.from(hashClientSecret(this.clientSecret ?? ''));
    const actual = Buffer.from(mark + hash('sha256', given, 'base64url'));
    return this.clientSecret !== undefined && expected.length === actual.length && timingSafeEqual(actual, expected);
  };
}
