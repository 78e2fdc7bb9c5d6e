import { createCipheriv, createDecipheriv, createHmac, type KeyObject, randomBytes } from 'node:crypto';
import { GatewayError } from '@tallyport/contracts';

/** The results of a batch are sealed with its key, each for its line. */
interface LinePlace {
  key: KeyObject;
  line: number;
}

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

export function sealResult(bytes: Uint8Array, { key, line }: LinePlace): Buffer {
  const nonce = randomBytes(nonceBytes);
  const encryption = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(String(line)));
  return Buffer.concat([nonce, encryption.update(bytes), encryption.final(), encryption.getAuthTag()]);
}

export function openResult(sealed: Uint8Array, { key, line }: LinePlace): Buffer {
  try {
    const decryption = createDecipheriv(cipher, key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes });
    decryption.setAAD(Buffer.from(String(line))).setAuthTag(sealed.subarray(-tagBytes));
    return Buffer.concat([decryption.update(sealed.subarray(nonceBytes, -tagBytes)), decryption.final()]);
  } catch (cause) {
    throw new GatewayError('internal_error', 'A stored result is damaged.', { cause });
  }
}

/** The Idempotency-Key of a line: the same after a death, and no client can know it. Another one if its answer is `lost`. */
export const onceKeyOf = ({ key, line }: LinePlace, lost = 0): string =>
  `batch-${createHmac('sha256', key)
    .update(lost === 0 ? `line ${line}` : `line ${line} ${lost}`)
    .digest('base64url')}`;
