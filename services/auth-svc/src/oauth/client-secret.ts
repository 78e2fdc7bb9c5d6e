import { hash, timingSafeEqual } from 'node:crypto';
import type { Client, Provider } from 'oidc-provider';

const mark = 'sha256:';

/** What is stored instead of a client's secret: it is 512 random bits, so its plain hash tells nothing. */
export const hashClientSecret = (secret: string): string =>
  secret.startsWith(mark) ? secret : mark + hash('sha256', secret, 'base64url');

/** Makes the library compare what a client sends with what is stored of it. */
export function secretsAreHashed(provider: Provider): void {
  const prototype: Client = provider.Client.prototype;
  prototype.compareClientSecret = function compareClientSecret(this: Client, given: string): boolean {
    const expected = Buffer.from(hashClientSecret(this.clientSecret ?? ''));
    const actual = Buffer.from(mark + hash('sha256', given, 'base64url'));
    return this.clientSecret !== undefined && expected.length === actual.length && timingSafeEqual(actual, expected);
  };
}
