import { GatewayError, type Principal, type ProviderKey } from '@tallyport/contracts';
import type { OwnKeys } from '@tallyport/dispatch';
import { createAccountValues } from '@tallyport/store';

/** This replica's cache of accounts' own keys. */
export interface AccountKeys {
  /**
   * Resolves with the account's own keys. `undefined`, without a look-up, if it uses only the service's. Rejects with
   * `unavailable` if they cannot be loaded; other keys are never used instead.
   */
  of(principal: Principal | undefined): Promise<OwnKeys> | undefined;
  /** Forgets an account's keys. */
  drop(accountId: string): void;
}

interface AccountKeysOptions {
  /** Loads the keys from auth-svc; must have a deadline. */
  load(accountId: string): Promise<readonly ProviderKey[]>;
  /** Milliseconds of a monotonic clock. */
  now?(): number;
}

export function createAccountKeys({ load, now }: AccountKeysOptions): AccountKeys {
  const values = createAccountValues<readonly ProviderKey[]>({
    load: async (accountId, before = []) => sameObjects(await load(accountId), before),
    sizeOf: (keys) => keys.reduce((sum, { key }) => sum + key.length, 0),
    away,
    now,
  });
  return {
    of(principal) {
      const { accountId, providerKeys: mode = 'service_only' } = principal ?? {};
      if (accountId === undefined || mode === 'service_only') return undefined;
      return values.of(accountId).then((keys) => ({ mode, keys }));
    },
    drop: values.drop,
  };
}

/** Reuses the objects of unchanged keys, because the state of a key (such as being benched) is kept by object. */
function sameObjects(loaded: readonly ProviderKey[], before: readonly ProviderKey[]): readonly ProviderKey[] {
  return loaded.map((key) => before.find((old) => old.id === key.id && old.key === key.key) ?? key);
}

const away = (cause: unknown): GatewayError =>
  new GatewayError('unavailable', "Your account's provider keys could not be loaded. Try again in a moment.", {
    retryAfterMs: 1_000,
    cause,
  });
