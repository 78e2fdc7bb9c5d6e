/**
 * State that all replicas share and that may be lost. No operation rejects because the server is unavailable: an
 * unknown result is `undefined`, `false` or `'unknown'`, and the caller falls back. Only an invalid argument rejects,
 * with a RangeError.
 */
export interface Store {
  /**
   * Adds to a counter and returns the new count. The counter expires `ttlMs` after its first increment; later
   * increments do not extend it. Adding 0 reads it. `undefined` when the count is unknown.
   */
  increment(key: string, by: number, ttlMs: number): Promise<number | undefined>;
  /** Takes from a token bucket, all or nothing. `undefined` when the server is unavailable: use a local limit then. */
  take(key: string, rule: TakeRule): Promise<TakeResult | undefined>;
  /**
   * Counts against a limit per sliding window, by the store's clock. Grants as much of `wanted` as fits, or nothing if
   * that is less than `least`. `undefined` when the server is unavailable: use a local count then.
   */
  spend(key: string, rule: SpendRule): Promise<SpendResult | undefined>;
  /**
   * Holds a share of a limit common to all replicas. It expires after `ttlMs` unless renewed, so the share of a replica
   * that died is freed by itself. `undefined` when the result is unknown.
   */
  share(key: string, rule: ShareRule): Promise<ShareResult | undefined>;
  /**
   * Counts the members that are present. A member is present for `ttlMs` after each call in its name; 0 ends that at
   * once. What a call costs does not grow with the members. `undefined` when the result is unknown.
   */
  present(key: string, rule: PresenceRule): Promise<number | undefined>;
  /**
   * Adds a member to a set that has room for so many. `true` if it is in the set now. The set expires `ttlMs` after its
   * first member. `undefined` when the result is unknown.
   */
  admit(key: string, rule: AdmitRule): Promise<boolean | undefined>;
  /**
   * Applies a step to a queue whose entries become due at a time, by the store's clock. Returns the entries that were put or
   * taken. `undefined` when the result is unknown.
   */
  queue(key: string, step: QueueStep): Promise<string[] | undefined>;
  /**
   * Applies a step to a purse: an amount spent, plus reservations for amounts not yet known. A step applies as a whole
   * or not at all; the purse expires `keepMs` after the last one. `undefined` when the result is unknown. A `settle` or a
   * `recall` would count twice if it were repeated, so a late answer to it is waited for, up to three seconds.
   */
  purse(key: string, step: PurseStep, keepMs: number): Promise<PurseState | undefined>;
  /**
   * Adds to sums that lose half of their value every `halfLifeMs`, by the store's clock, and returns all current sums
   * of the key in a single round trip. `undefined` when the sums, and whether anything was added, are unknown.
   */
  accumulate(key: string, additions: FadingSums, halfLifeMs: number): Promise<FadingSums | undefined>;
  /** Returns the value, or `undefined` if there is none or it is unknown. */
  get(key: string): Promise<Uint8Array | undefined>;
  /** The same where the difference matters: a server that is away, or not heard in time, does not look empty. */
  find(key: string): Promise<FindResult>;
  set(key: string, value: Uint8Array, ttlMs: number): Promise<SetResult>;
  /**
   * Stores the value if the key has none. Of concurrent calls on any replica, exactly one gets `stored`, and all others
   * get the present value, in the same round trip. After `unknown` the value may or may not be stored.
   */
  setIfAbsent(key: string, value: Uint8Array, ttlMs: number): Promise<SetIfAbsentResult>;
  /**
   * Stores the value if the key has none, or one that starts with our mark; a lease that another holder has acquired is
   * not changed. After `unknown` the value may or may not be stored.
   */
  setIfOurs(key: string, marked: MarkedValue, ttlMs: number): Promise<SetIfOursResult>;
  /** Returns `true` when the key has no value now, whether or not it had one. */
  delete(key: string): Promise<boolean>;
  /**
   * Deletes the value only if it equals `expected`, to release a lease that is still ours. `undefined` when unknown.
   */
  deleteIfEqual(key: string, expected: Uint8Array): Promise<boolean | undefined>;
  /** Sends to every subscriber on every replica once, best effort. `false` when it was not sent, or possibly not. */
  publish(channel: string, payload: Uint8Array): Promise<boolean>;
  /**
   * Receives messages published from about now on, and again after every reconnect, with a gap while disconnected.
   * Returns a function that unsubscribes.
   */
  subscribe(channel: string, handler: (payload: Uint8Array) => void): () => void;
  /** Whether the store is usable now, without asking the server. `error` may be shown publicly. */
  state(): StoreState;
  /** Asks the server, even while the breaker is open, and resolves within `timeoutMs`. For health endpoints. */
  ping(timeoutMs: number): Promise<StoreState>;
  /** Waits briefly for commands in flight, then closes. Later operations behave as if the server were unavailable. */
  close(): Promise<void>;
}

export interface TakeRule {
  /** Tokens in a full bucket. A bucket starts full. */
  capacity: number;
  refillPerSecond: number;
  /** May be a fraction. A negative cost is a refund, up to a full bucket. */
  cost: number;
}

export interface TakeResult {
  allowed: boolean;
  /** Whole tokens left. */
  remaining: number;
  /** 0 when allowed. A cost above the capacity is never allowed; this is then the time until the bucket is full. */
  retryAfterMs: number;
}

export interface SpendRule {
  limit: number;
  windowMs: number;
  wanted: number;
  /** The smallest useful grant; all of `wanted` by default. */
  least?: number;
  /** Counted regardless of the limit: an amount that was already spent or, if negative, a refund. */
  owed?: number;
  /** The slot of an earlier result that `owed` belongs to. A refund is dropped once that slot has left the window. */
  owedAt?: number;
}

export interface SpendResult {
  granted: number;
  /** Everything that counts now, including this grant. */
  used: number;
  /**
   * Time until the next count leaves the window or, if nothing was granted, until enough has left. 0 when nothing
   * counts.
   */
  comesBackMs: number;
  /** The time slot of the grant. */
  slot: number;
}

export interface ShareRule {
  /** The replica that holds the share; unique. */
  holder: string;
  /** Already in use: held regardless of the limit. */
  needed: number;
  /** The total that it asks for. 0 releases everything. */
  wanted: number;
  limit: number;
  ttlMs: number;
}

export interface ShareResult {
  /** The share of this holder. */
  held: number;
  /** The shares of all other holders together. */
  others: number;
  /** The number of holders with a share. */
  holders: number;
}

export interface PresenceRule {
  member: string;
  ttlMs: number;
}

export interface AdmitRule {
  member: string;
  most: number;
  ttlMs: number;
}

export type QueueStep =
  /** Adds an entry, or moves the present one; nothing if the queue has `most` others. It expires `keepMs` after the last. */
  | { kind: 'put'; member: string; dueInMs: number; most: number; keepMs: number }
  /**
   * Takes entries that are due. Each is moved `holdMs` ahead: unless its taker moves or removes it until then, another one
   * gets it.
   */
  | { kind: 'take'; most: number; holdMs: number }
  | { kind: 'remove'; member: string };

/** Amounts are whole numbers from 0; hours are counted since 1970. */
export type PurseStep =
  /**
   * Reserves an amount until it is settled, or for `ttlMs` plus 15 to 30 seconds. Grants nothing while spending is
   * unknown, or if `since` belongs to another purse. What fits into its own `hold` needs no room beside other holds.
   */
  | { kind: 'reserve'; amount: number; limit: number; ttlMs: number; since?: number; hold?: string | undefined }
  /**
   * Sets what is held for later reservations that name this `id`, instead of what was held for it before: 0 releases it.
   * Reservations take the place of their part of it. It is gone `ttlMs` plus 15 to 30 seconds after it was last set.
   */
  | { kind: 'hold'; id: string; amount: number; limit: number; ttlMs: number; since?: number }
  /**
   * Releases the reservation in `slot` and adds the amount spent to an hour. Does nothing if `since` belongs to another
   * purse. A settlement that is repeated with its `id` within an hour counts once. `forget` are the ids of settlements
   * that were answered, which are never repeated. If something was spent, `hold` loses what was reserved of it.
   */
  | {
      kind: 'settle';
      id?: string;
      forget?: readonly string[];
      slot: number;
      reserved: number;
      spent: number;
      hour: number;
      since?: number;
      hold?: string | undefined;
    }
  /**
   * Figures of the ledger: the total before the hour `from`, and sums of later hours. For these the larger figure
   * counts.
   */
  | { kind: 'know'; before: number; from: number; hours: readonly { hour: number; amount: number }[] }
  /**
   * What a replica remembers of a purse that was lost. `seen`: the total spent when it last saw the purse, which counts
   * once for all replicas. `owed`: what this replica has spent since. `held`: its reservations. Together with what is
   * counted from then on, they are the least that is spent, until the ledger's `from` is past `hour`. Does nothing while
   * spending is unknown.
   */
  | { kind: 'recall'; seen: number; owed: number; hour: number; held: readonly { slot: number; amount: number }[] };

export interface PurseState {
  /** Whether the purse has figures of the ledger. */
  known: boolean;
  /** Whether the reservation was made, or the settlement counted. */
  granted: boolean;
  spent: number;
  /** The sum of all reservations, and of what is held for later ones. */
  held: number;
  /** The time slot of the reservation. */
  slot: number;
  /**
   * When this purse began, by the store's clock. A change means that the store lost the previous one. 0 while unknown.
   */
  since: number;
}

/** Several figures per name. Names come from configuration, never from clients, so there are few. */
export type FadingSums = ReadonlyMap<string, readonly number[]>;

type FindResult = Uint8Array | 'none' | 'unknown';

export type SetResult = 'stored' | 'too_large' | 'unknown';

export type SetIfOursResult = SetResult | 'taken';

export interface MarkedValue {
  /** The unique start of every value of this holder. */
  mark: Uint8Array;
  value: Uint8Array;
}

export type SetIfAbsentResult = SetResult | { present: Uint8Array };

export type StoreState = { connected: true } | { connected: false; error: string };

/** Reported once per change, never per failed command. `error` is for the log only; `reason` may be shown publicly. */
export type StoreEvent =
  | { kind: 'away'; reason: string; error: Error }
  | { kind: 'back'; awayMs: number; swallowed: number }
  /** A subscriber threw; reported again only after a success. Channel `*`: the server does not allow subscribing. */
  | { kind: 'subscriber_failed'; channel: string; error: unknown };

export interface StoreOptions {
  /** One Redis, its Sentinels or a cluster: see `redis/address.ts`. Absent means a store in memory. */
  url?: string;
  /** Prefix of every key and channel. */
  prefix?: string;
  /** Larger values and payloads are refused. */
  maxValueBytes?: number;
  /** Limits of the in-memory store. */
  memory?: MemoryBounds;
  onTrouble?: (event: StoreEvent) => void;
}

interface MemoryBounds {
  /** Per kind: values, counters, buckets and so on. The least recently used entries are evicted. */
  maxEntries?: number;
  /** For all values together. */
  maxBytes?: number;
}
