import type { MasterKey } from './master-key.ts';
import type { Secret } from './secret.ts';
import { type SecretPlace, seal, unseal } from './seal.ts';

/** A secret as it is stored. */
export interface SealedSecret {
  /** The master key it was encrypted with. */
  key_id: string;
  sealed: string;
}

/** The master keys there are: the first encrypts, every one decrypts what it encrypted. */
export interface KeyRing {
  readonly firstId: string;
  has(keyId: string): boolean;
  seal(secret: Secret, place: SecretPlace): SealedSecret;
  /** `undefined` when its master key is not among these, or it is not what was sealed for this place. */
  unseal(sealed: SealedSecret, place: SecretPlace): Secret | undefined;
}

export function createKeyRing([first, ...others]: readonly [MasterKey, ...MasterKey[]]): KeyRing {
  const keys = new Map([first, ...others].toReversed().map((key) => [key.id, key]));
  return {
    firstId: first.id,
    has: (keyId) => keys.has(keyId),
    seal: (secret, place) => ({ key_id: first.id, sealed: seal(secret, place, first) }),
    unseal({ key_id: keyId, sealed }, place) {
      const key = keys.get(keyId);
      return key && unseal(sealed, place, key);
    },
  };
}
