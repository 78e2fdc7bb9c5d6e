import type { MasterKey } from './master-key.ts';
import type { Secret } from './secret.ts';
import { type SecretPlace, seal, unseal } from './seal.ts';

/** A secret in its stored form. */
export interface SealedSecret {
  /** The id of the master key that encrypted it. */
  key_id: string;
  sealed: string;
}

/** The available master keys: the first encrypts, and each decrypts what it encrypted. */
export interface KeyRing {
  readonly firstId: string;
  has(keyId: string): boolean;
  seal(secret: Secret, place: SecretPlace): SealedSecret;
  /** Decrypts a secret. `undefined` if its master key is not in the ring, or it was not sealed for this place. */
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
