/**
 * State that all replicas share and that may be lost. Nothing here throws because the server is away: what cannot be
 * known is `undefined`, `false` or `'unknown'`, and the caller falls back. Only a wrong argument is a RangeError.
 */
export interface Store {
  /**
   * Adds to a counter and answers the new count; it is gone `ttlMs` after its first increment, later ones do not prolong
   * it. Adding 0 reads. `undefined` when the count cannot be known.
   */
  increment(key: string, by: number, ttlMs: number): Promise<number | undefined>;
  /** Takes from a token bucket, all or nothing. `undefined` when the server is away: the caller's own limit must do. */
  take(key: string, rule: TakeRule): Promise<TakeResult | undefined>;
  /**
   * Counts against a limit on any `windowMs`, by the store's clock: of what is wanted as much as fits, or nothing when
   * that is less than `least`. `undefined` when the server is away: the caller's own count must do.
   */
  spend(key: string, rule: SpendRule): Promise<SpendResult | undefined>;
  /**
   * Holds a part of a number that all replicas share, until `ttlMs` from now unless said again: what a replica that died
   * held comes back by itself. `undefined` when that cannot be known.
   */
  share(key: string, rule: ShareRule): Promise<ShareResult | undefined>;
  /**
   * What was spent of something and what is set aside until it is known, all or nothing, kept `keepMs` after the last step.
   * `undefined` when that cannot be known.
   */
  purse(key: string, step: PurseStep, keepMs: number): Promise<PurseState | undefined>;
  /**
   * Adds to sums that fade, each losing half its weight every `halfLifeMs` by the store's clock, and answers all sums of
   * the key as of now: one round trip, however many. `undefined` when that cannot be known, nor whether it was added.
   */
  accumulate(key: string, additions: FadingSums, halfLifeMs: number): Promise<FadingSums | undefined>;
  /** The value, or `undefined` when there is none or it cannot be known. */
  get(key: string): Promise<Uint8Array | undefined>;
  set(key: string, value: Uint8Array, ttlMs: number): Promise<SetResult>;
  /**
   * Of all who ask at once, on any replica, exactly one gets `stored`, and all others what is there, in the same round
   * trip. `unknown` may or may not have stored.
   */
  setIfAbsent(key: string, value: Uint8Array, ttlMs: number): Promise<SetIfAbsentResult>;
  /** `true` when the value is gone now, whether or not there was one. */
  delete(key: string): Promise<boolean>;
  /** Releases a lease that is still ours: deletes only when the value is `expected`. `undefined` when it cannot be known. */
  deleteIfEqual(key: string, expected: Uint8Array): Promise<boolean | undefined>;
  /** Tells every subscriber on every replica once, best effort. `false` when it was certainly or possibly not told. */
  publish(channel: string, payload: Uint8Array): Promise<boolean>;
  /**
   * Hears what is published from about now on, again after every reconnect, with a gap while away. Call the answer to
   * stop.
   */
  subscribe(channel: string, handler: (payload: Uint8Array) => void): () => void;
  /** Whether operations are answered now. Costs nothing; `error` is fit for the public. */
  state(): StoreState;
  /** Asks the server itself, breaker or not, and answers within `timeoutMs`. For health endpoints. */
  ping(timeoutMs: number): Promise<StoreState>;
  /** Waits briefly for what is in flight, then lets go. Operations after it answer as if the server were away. */
  close(): Promise<void>;
}

export interface TakeRule {
  /** What a full bucket holds; a bucket starts full. */
  capacity: number;
  refillPerSecond: number;
  /** May be a fraction. A negative cost gives back, at most up to full. */
  cost: number;
}

export interface TakeResult {
  allowed: boolean;
  /** Whole tokens left. */
  remaining: number;
  /** 0 when allowed. More than the capacity is never allowed: then this is the time until the bucket is full. */
  retryAfterMs: number;
}

export interface SpendRule {
  limit: number;
  windowMs: number;
  wanted: number;
  /** Less than this is of no use; all of it when left out. */
  least?: number;
  /** Counted whatever the limit: what was spent already or, below zero, was not used after all. */
  owed?: number;
  /** The slot of an earlier answer that the debt belongs to; what is given back after it has left counts nowhere. */
  owedAt?: number;
}

export interface SpendResult {
  granted: number;
  /** All that counts now, this included. */
  used: number;
  /** Until something that counts leaves the window, or, when nothing was granted, until enough has left. 0 when nothing counts. */
  comesBackMs: number;
  /** Where it was counted. */
  slot: number;
}

export interface ShareRule {
  /** Who holds it: unique among replicas. */
  holder: string;
  /** In use already: held whatever the limit. */
  needed: number;
  /** What it would hold in all. 0 gives everything back. */
  wanted: number;
  limit: number;
  ttlMs: number;
}

export interface ShareResult {
  /** What this holder has now. */
  held: number;
  /** What all others have together. */
  others: number;
  /** How many have something. */
  holders: number;
}

/** Amounts are whole numbers from 0, hours count from 1970. */
export type PurseStep =
  /** Sets aside for `ttlMs`, to a quarter or half a minute more, unless it is settled before; grants nothing where spending is not known. */
  | { kind: 'reserve'; amount: number; limit: number; ttlMs: number }
  /** Gives back what was set aside in `slot`, and counts what was spent to an hour. */
  | { kind: 'settle'; slot: number; reserved: number; spent: number; hour: number }
  /** What a ledger knows: all before the hour `from`, and some hours since, of which the larger figure counts. */
  | { kind: 'know'; before: number; from: number; hours: readonly { hour: number; amount: number }[] };

export interface PurseState {
  /** Whether a ledger's word has been heard. */
  known: boolean;
  granted: boolean;
  spent: number;
  /** Set aside now. */
  held: number;
  /** Where it was set aside. */
  slot: number;
}

/** Figures by name, several to a name. Names are few: they come from configuration, never from clients. */
export type FadingSums = ReadonlyMap<string, readonly number[]>;

export type SetResult = 'stored' | 'too_large' | 'unknown';

export type SetIfAbsentResult = SetResult | { present: Uint8Array };

export type StoreState = { connected: true } | { connected: false; error: string };

/** Told once per change, never per failed command. `error` is private detail for the log, `reason` is fit for anyone. */
export type StoreEvent =
  | { kind: 'away'; reason: string; error: Error }
  | { kind: 'back'; awayMs: number; swallowed: number }
  /** A subscriber threw; told again only after it succeeded once. Channel `*`: the server allows no subscribing. */
  | { kind: 'subscriber_failed'; channel: string; error: unknown };

export interface StoreOptions {
  /** `redis://` or `rediss://`; absent means this process's memory. */
  url?: string;
  /** In front of every key and channel. */
  prefix?: string;
  /** Larger values and payloads are refused. */
  maxValueBytes?: number;
  /** Bounds of the in-memory side. */
  memory?: MemoryBounds;
  onTrouble?: (event: StoreEvent) => void;
}

export interface MemoryBounds {
  /** Of each kind: values, counters, buckets. The least recently used go first. */
  maxEntries?: number;
  /** Of all values together. */
  maxBytes?: number;
}
