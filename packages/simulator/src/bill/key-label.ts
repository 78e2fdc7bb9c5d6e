import { contentHash, type Received } from '@tallyport/sandbox';

/** A name for the vendor's key that paid, which does not show it. */
export function keyLabelOf({ headers }: Pick<Received, 'headers'>): string {
  const { authorization, ...others } = headers;
  const secret = others['x-api-key'] ?? others['api-key'] ?? others['x-goog-api-key'] ?? authorization;
  return secret === undefined
    ? 'none'
    : keyLabel(
        String(secret)
          .replace(signed, '$1')
          .replace(/^Bearer /i, ''),
      );
}

/** Only the id of a signature's key is constant. */
const signed = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/.*$/;

export const keyLabel = (secret: string): string => `key_${contentHash(secret).slice(0, 12)}`;
