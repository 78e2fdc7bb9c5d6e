import { EventEmitter } from 'node:events';
import CircuitBreaker from 'opossum';
import type { BreakerSettings } from '../settings.ts';

export type BreakerState = 'closed' | 'half_open' | 'open';

/** Permission for one call. Exactly one of its three ends is reported. */
export interface BreakerPermit {
  succeeded(): void;
  failed(): void;
  /** It ended without showing anything about the offer, for example because the client left. */
  unknown(): void;
}

/** One breaker per offer and process. A dead offer costs a few requests, then one now and again. */
export interface Breakers {
  /** `half_open`: one call may go now. While that one is under way it counts as open. */
  state(offerKey: string): BreakerState;
  /** `undefined`: not now. */
  enter(offerKey: string): BreakerPermit | undefined;
  /** When nothing else is left: past an open breaker, but one call at a time. Its success closes the breaker. */
  enterAnyway(offerKey: string): BreakerPermit | undefined;
  /** How many exist now. */
  size(): number;
  close(): void;
}

export interface BreakersOptions {
  settings: BreakerSettings;
  onChange?(offerKey: string, state: BreakerState): void;
}

const buckets = 10;

interface Entry {
  breaker: CircuitBreaker<[Promise<void>], void>;
  idleTicks: number;
  underWay: number;
  lastResort: boolean;
}

/**
 * Made when an offer is first called and retired when it is not called any more. All share one ticker, which runs only
 * while there are any: opossum's own timers cost 35 ms of CPU a second for 200 idle breakers.
 */
export function createBreakers({ settings, onChange = () => {} }: BreakersOptions): Breakers {
  const entries = new Map<string, Entry>();
  const rotation = new EventEmitter().setMaxListeners(0);
  const tickMs = settings.windowMs / buckets;
  const idleTicks = Math.ceil(settings.idleMs / tickMs);
  let ticker: NodeJS.Timeout | undefined;

  function tick(): void {
    rotation.emit('rotate');
    for (const [key, entry] of entries) {
      entry.idleTicks += 1;
      if (entry.underWay === 0 && entry.idleTicks > idleTicks) retire(key, entry);
    }
  }

  function retire(key: string, { breaker }: Entry): void {
    if (!breaker.closed) onChange(key, 'closed');
    breaker.shutdown();
    entries.delete(key);
    if (entries.size > 0) return;
    clearInterval(ticker);
    ticker = undefined;
  }

  function make(key: string): Entry {
    const breaker = createBreaker(settings, rotation);
    breaker.on('open', () => onChange(key, 'open'));
    breaker.on('halfOpen', () => onChange(key, 'half_open'));
    breaker.on('close', () => onChange(key, 'closed'));
    const entry = { breaker, idleTicks: 0, underWay: 0, lastResort: false };
    entries.set(key, entry);
    ticker ??= setInterval(tick, tickMs).unref();
    return entry;
  }

  return {
    state: (key) => stateOf(entries.get(key)?.breaker),
    enter(key) {
      const entry = entries.get(key) ?? make(key);
      return stateOf(entry.breaker) === 'open' ? undefined : passThrough(entry);
    },
    enterAnyway(key) {
      const entry = entries.get(key) ?? make(key);
      if (stateOf(entry.breaker) !== 'open') return passThrough(entry);
      return entry.lastResort ? undefined : passBy(entry);
    },
    size: () => entries.size,
    close() {
      for (const [key, entry] of entries) retire(key, entry);
    },
  };
}

function createBreaker(settings: BreakerSettings, rotation: EventEmitter): Entry['breaker'] {
  const breaker: Entry['breaker'] = new CircuitBreaker((verdict: Promise<void>) => verdict, {
    // Attempts have time limits of their own.
    timeout: false,
    errorThresholdPercentage: settings.errorPercentage,
    volumeThreshold: settings.volume,
    resetTimeout: settings.resetMs,
    rollingCountTimeout: settings.windowMs,
    rollingCountBuckets: buckets,
    rotateBucketController: rotation,
    rollingPercentilesEnabled: false,
    enableSnapshots: false,
  });
  let inARow = 0;
  breaker.on('success', () => (inARow = 0));
  breaker.on('close', () => (inARow = 0));
  breaker.on('failure', () => {
    inARow += 1;
    if (inARow >= settings.failuresInARow) breaker.open();
  });
  return breaker;
}

function stateOf(breaker: Entry['breaker'] | undefined): BreakerState {
  if (breaker === undefined || breaker.closed) return 'closed';
  return breaker.pendingClose ? 'half_open' : 'open';
}

/** Made once: opossum wants an error, and a stack trace per failure tells nobody anything. */
const failure = new Error('the offer failed');

function passThrough(entry: Entry): BreakerPermit {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  entry.breaker.fire(promise).catch(() => {});
  return counted(entry, {
    succeeded: resolve,
    failed: () => reject(failure),
    unknown() {
      // A probe that showed nothing must not close the breaker, and must not block it either.
      if (entry.breaker.halfOpen) entry.breaker.open();
      else resolve();
    },
  });
}

function passBy(entry: Entry): BreakerPermit {
  entry.lastResort = true;
  const free = () => void (entry.lastResort = false);
  return counted(entry, {
    succeeded() {
      free();
      entry.breaker.close();
    },
    failed: free,
    unknown: free,
  });
}

function counted(entry: Entry, { succeeded, failed, unknown }: BreakerPermit): BreakerPermit {
  entry.idleTicks = 0;
  entry.underWay += 1;
  const once = (end: () => void) => () => {
    entry.underWay -= 1;
    entry.idleTicks = 0;
    end();
  };
  return { succeeded: once(succeeded), failed: once(failed), unknown: once(unknown) };
}
