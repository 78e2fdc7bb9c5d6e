import { GatewayError, hashKey } from '@switchyard/contracts';
import { openMemoryStore, type Store, type TakeRule } from '@switchyard/store';

/** What somebody could try over and over: each may be tried so often in a row, and then as often as it fills up again. */
const rules = {
  sign_in_email: { capacity: 10, refillPerSecond: 10 / 900, what: 'sign in' },
  sign_in_address: { capacity: 50, refillPerSecond: 50 / 900, what: 'sign in' },
  link_address: { capacity: 20, refillPerSecond: 20 / 900, what: 'open links' },
  invite_account: { capacity: 50, refillPerSecond: 50 / 3600, what: 'invite people' },
  unknown_key: { capacity: 200, refillPerSecond: 1, what: 'use keys that are unknown' },
  oauth_authorize: { capacity: 300, refillPerSecond: 1, what: 'connect applications' },
  oauth_register: { capacity: 60, refillPerSecond: 60 / 3600, what: 'register applications' },
  oauth_token: { capacity: 600, refillPerSecond: 10, what: 'get tokens' },
  oauth_fetch: { capacity: 30, refillPerSecond: 60 / 3600, what: 'introduce applications' },
} as const satisfies Record<string, Omit<TakeRule, 'cost'> & { what: string }>;

export type AttemptKind = keyof typeof rules;

export interface Attempts {
  /** Throws `rate_limit_exceeded` when it was tried too often. `by` is whatever is counted: an e-mail, an address. */
  count(kind: AttemptKind, by: string): Promise<void>;
  /** It was no guess after all. */
  giveBack(kind: AttemptKind, by: string): Promise<void>;
}

/** One count for all replicas; each counts by itself while the store is away. */
export function createAttempts(store: Store): Attempts {
  const own = openMemoryStore();
  async function take(kind: AttemptKind, by: string, cost: number) {
    // Hashed: what people type is neither bounded nor meant for a store.
    const key = `attempts:${kind}:${hashKey(by)}`;
    const { capacity, refillPerSecond } = rules[kind];
    const rule = { capacity, refillPerSecond, cost };
    return (await store.take(key, rule)) ?? (await own.take(key, rule));
  }
  return {
    async count(kind, by) {
      const taken = await take(kind, by, 1);
      if (taken?.allowed === false) throw tooOften(kind, taken.retryAfterMs);
    },
    async giveBack(kind, by) {
      await take(kind, by, -1);
    },
  };
}

function tooOften(kind: AttemptKind, retryAfterMs: number): GatewayError {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  return new GatewayError(
    'rate_limit_exceeded',
    `Too many attempts to ${rules[kind].what}. Try again in ${seconds} seconds.`,
    { retryAfterMs },
  );
}
