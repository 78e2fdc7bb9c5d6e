import { networkOf } from '@tallyport/limits';
import { GatewayError, hashKey } from '@tallyport/contracts';
import { openMemoryStore, type Store, type TakeRule } from '@tallyport/store';

/**
 * Token buckets for attempts that could be repeated to guess or to flood: capacity and refill rate. Addresses are
 * counted by network, IPv6 by /64.
 */
const rules = {
  /** One e-mail address from one network. */
  sign_in_place: { capacity: 10, refillPerSecond: 10 / 900, what: 'sign in' },
  /** One e-mail address from all networks from which it has not signed in before. */
  sign_in_email: { capacity: 100, refillPerSecond: 100 / 900, what: 'sign in' },
  sign_in_address: { capacity: 50, refillPerSecond: 50 / 900, what: 'sign in' },
  sign_in_provider: { capacity: 300, refillPerSecond: 1, what: 'sign in' },
  sign_out_provider: { capacity: 600, refillPerSecond: 10, what: 'sign out' },
  link_address: { capacity: 20, refillPerSecond: 20 / 900, what: 'open links' },
  invite_account: { capacity: 50, refillPerSecond: 50 / 3600, what: 'invite people' },
  /** One e-mail address, from all accounts. */
  alert_address: { capacity: 3, refillPerSecond: 3 / 86_400, what: 'confirm this address' },
  alert_addresses: { capacity: 20, refillPerSecond: 20 / 3600, what: 'confirm addresses' },
  alert_test: { capacity: 6, refillPerSecond: 6 / 3600, what: 'test alerts' },
  workload_key: { capacity: 100, refillPerSecond: 1, what: 'exchange tokens of this subject' },
  unknown_key: { capacity: 200, refillPerSecond: 1, what: 'use unknown keys' },
  oauth_authorize: { capacity: 300, refillPerSecond: 1, what: 'connect applications' },
  oauth_register: { capacity: 60, refillPerSecond: 60 / 3600, what: 'register applications' },
  oauth_token: { capacity: 600, refillPerSecond: 10, what: 'get tokens' },
  oauth_inspect: { capacity: 600, refillPerSecond: 10, what: 'check or end tokens' },
  oauth_fetch: { capacity: 30, refillPerSecond: 60 / 3600, what: 'connect new applications' },
} as const satisfies Record<string, Omit<TakeRule, 'cost'> & { what: string }>;

type AttemptKind = keyof typeof rules;

export interface Attempts {
  /**
   * Counts an attempt. Throws `rate_limit_exceeded` after too many. `by` is what is counted: an e-mail, an address or
   * an account.
   */
  count(kind: AttemptKind, by: string): Promise<void>;
  /** Returns an attempt that turned out not to be a guess. */
  giveBack(kind: AttemptKind, by: string): Promise<void>;
  /** Remembers a successful sign-in at this place for 30 days. */
  succeeded(place: string): Promise<void>;
  /** Whether a sign-in at this place was remembered; `false` while the store is not available. */
  hasSucceeded(place: string): Promise<boolean>;
}

const rememberedMs = 30 * 24 * 3600_000;

/** Shares the counts between all replicas; while the store is not available, each replica counts separately. */
export function createAttempts(store: Store): Attempts {
  const own = openMemoryStore();
  async function take(kind: AttemptKind, by: string, cost: number) {
    // Hashed, because user input is neither bounded nor meant for the store.
    const key = `attempts:${kind}:${hashKey(networkOf(by))}`;
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
    async succeeded(place) {
      await store.set(`attempts:succeeded:${hashKey(place)}`, new Uint8Array(), rememberedMs);
    },
    hasSucceeded: async (place) => (await store.get(`attempts:succeeded:${hashKey(place)}`)) !== undefined,
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
