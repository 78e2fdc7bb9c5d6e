import { EventEmitter } from 'node:events';
import CircuitBreaker from 'opossum';
import type { BreakerSettings } from '../settings.ts';

export type BreakerState = 'closed' | 'half_open' | 'open';

/** What a call proved about its offer. `unknown`: nothing, for example because the client left. */
export type Verdict = 'succeeded' | 'failed' | 'unknown';

/** One breaker per offer and process. An offer that is down costs a few requests, then an occasional probe. */
export interface Breakers {
  /** `half_open`: one probe may be sent. While it is running the state is `open`. */
  state(offerKey: string): BreakerState;
  /**
   * Makes the call and resolves after its verdict was counted. `undefined`: the breaker is open and no call was made.
   */
  call(offerKey: string, call: () => Promise<Verdict>): Promise<void> | undefined;
  /** Calls past an open breaker, one call at a time, when no other offer remains. A success closes the breaker. */
  callAnyway(offerKey: string, call: () => Promise<Verdict>): Promise<void> | undefined;
  /** The number of breakers. */
  size(): number;
  close(): void;
}

interface BreakersOptions {
  settings: BreakerSettings;
  onChange?(offerKey: string, state: BreakerState): void;
}

const buckets = 10;

interface Entry {
  breaker: CircuitBreaker<[() => Promise<Verdict>], void>;
  idleTicks: number;
  running: number;
  /** A call past the open breaker is in progress. */
  lastResort: boolean;
}

/**
 * Breakers are created by the first call of an offer and retired after a time without calls. All share one ticker,
 * which runs only while breakers exist: opossum's own timers cost 35 ms of CPU a second for 200 idle breakers.
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
      if (entry.running === 0 && entry.idleTicks > idleTicks) retire(key, entry);
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

  function entryOf(key: string): Entry {
    const known = entries.get(key);
    if (known !== undefined) return known;
    const breaker = createBreaker(settings, rotation);
    breaker.on('open', () => onChange(key, 'open'));
    breaker.on('halfOpen', () => onChange(key, 'half_open'));
    breaker.on('close', () => onChange(key, 'closed'));
    const entry = { breaker, idleTicks: 0, running: 0, lastResort: false };
    entries.set(key, entry);
    ticker ??= setInterval(tick, tickMs).unref();
    return entry;
  }

  return {
    state: (key) => stateOf(entries.get(key)?.breaker),
    call(key, call) {
      const entry = entryOf(key);
      return stateOf(entry.breaker) === 'open' ? undefined : fire(entry, call);
    },
    callAnyway(key, call) {
      const entry = entryOf(key);
      if (stateOf(entry.breaker) !== 'open') return fire(entry, call);
      return entry.lastResort ? undefined : callPastOpen(entry, call);
    },
    size: () => entries.size,
    close() {
      for (const [key, entry] of entries) retire(key, entry);
    },
  };
}

function createBreaker(settings: BreakerSettings, rotation: EventEmitter): Entry['breaker'] {
  const breaker: Entry['breaker'] = new CircuitBreaker(failUnlessSucceeded, {
    // Attempts have their own time limits.
    timeout: false,
    errorThresholdPercentage: settings.errorPercentage,
    volumeThreshold: settings.volume,
    resetTimeout: settings.resetMs,
    rollingCountTimeout: settings.windowMs,
    rollingCountBuckets: buckets,
    rotateBucketController: rotation,
    rollingPercentilesEnabled: false,
    enableSnapshots: false,
    // An inconclusive probe must not close the breaker; everywhere else opossum counts such a call as a success.
    errorFilter: (verdict) => verdict !== 'failed' && !breaker.halfOpen,
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

const failUnlessSucceeded = (call: () => Promise<Verdict>): Promise<void> => call().then(rejectUnlessSucceeded);

/** Rejects with the verdict itself: an Error with a stack trace for each failed call would add nothing. */
const rejectUnlessSucceeded = (verdict: Verdict): undefined | Promise<never> =>
  verdict === 'succeeded' ? undefined : Promise.reject(verdict);

function stateOf(breaker: Entry['breaker'] | undefined): BreakerState {
  if (breaker === undefined || breaker.closed) return 'closed';
  return breaker.pendingClose ? 'half_open' : 'open';
}

async function fire(entry: Entry, call: () => Promise<Verdict>): Promise<void> {
  beginCall(entry);
  try {
    await entry.breaker.fire(call);
  } catch (thrown) {
    if (thrown !== 'failed' && thrown !== 'unknown') throw thrown;
  } finally {
    endCall(entry);
  }
}

async function callPastOpen(entry: Entry, call: () => Promise<Verdict>): Promise<void> {
  beginCall(entry);
  entry.lastResort = true;
  try {
    if ((await call()) === 'succeeded') entry.breaker.close();
  } finally {
    entry.lastResort = false;
    endCall(entry);
  }
}

/** Keeps the breaker from being idle while a call runs. */
function beginCall(entry: Entry): void {
  entry.running += 1;
}

function endCall(entry: Entry): void {
  entry.running -= 1;
  entry.idleTicks = 0;
}
