import { setTimeout as sleep } from 'node:timers/promises';
import type { ExchangeAnswer, IncomingExchange } from '@tallyport/bus';
import { toGatewayError } from '@tallyport/contracts';
import { afterSending, within } from '@tallyport/service-kit';
import type { Entry } from './entry.ts';
import { Flight, type FlightResult } from './flight.ts';
import type { Claim, StoredAnswers } from './stored-answers.ts';
import { type RecordingMemory, createAnswerRecorder, type AnswerRecorder } from './answer-recorder.ts';

/** A request that may share the answer of an equal request. */
export interface SharedRequest {
  key: string;
  /** The account whose share of the cache the answer takes. */
  holder: string;
  ttlMs: number;
  /** The size limit of a stored answer. */
  maxBytes: number;
  exchange: IncomingExchange;
  onResult(result: CacheResult): void;
  /** Builds this request's answer from an entry. Throws or rejects for an entry that holds no answer. */
  from(entry: Entry): ExchangeAnswer | Promise<ExchangeAnswer>;
  /**
   * Present only for streams. Attaches to a stream that runs on this replica. A stream of another replica cannot be
   * followed, so the request then calls a provider itself.
   */
  follow?: (subscription: StreamSubscription) => ExchangeAnswer;
}

/** A running stream that another request started. */
export interface StreamSubscription {
  flight: Flight;
  provider: string;
  /** Call when the reader has left. */
  leave(): void;
}

export type CacheResult = 'hit' | 'coalesced' | 'miss' | 'unreachable';

/** The cache has no answer, so a provider must make it. `mode` is the value of `x-tallyport-cache`. */
export interface CacheMiss {
  mode: 'MISS' | 'BYPASS';
  /** Absent if the answer is not shared. */
  recorder?: AnswerRecorder;
}

export interface AnswerCache {
  /** Returns a stored answer, one in progress, or a new one; `make` is called only for a new one. */
  answer(shared: SharedRequest, make: (miss: CacheMiss) => Promise<ExchangeAnswer>): Promise<ExchangeAnswer>;
}

interface AnswerCacheOptions {
  stored: StoredAnswers;
  /** The memory limit for all streams being recorded. */
  maxRecordedBytes: number;
  /** The longest wait for the answer to another request. */
  waitMs: number;
  /** Called when a stored answer could not be read. */
  onBroken(): void;
}

type Make = (miss: CacheMiss) => Promise<ExchangeAnswer>;

export function createAnswerCache(options: AnswerCacheOptions): AnswerCache {
  const flights = new Map<string, Flight>();
  const memory: RecordingMemory = { held: 0, limit: options.maxRecordedBytes };
  return {
    answer(shared, make) {
      const { key } = shared;
      const known = flights.get(key);
      if (known !== undefined) return join(known, { ...options, shared, make });
      const flight = new Flight();
      flights.set(key, flight);
      void flight.landed().then(() => flights.delete(key));
      return lead(flight, { ...options, shared, make, memory });
    },
  };
}

interface Follower extends AnswerCacheOptions {
  shared: SharedRequest;
  make: Make;
}

async function join(flight: Flight, follower: Follower): Promise<ExchangeAnswer> {
  const { shared, make, waitMs } = follower;
  const { follow, exchange } = shared;
  const leave = flight.follow();
  onAbort(exchange.signal, leave);
  const arrival = await arrivalOf(flight, follow !== undefined, waitMs);
  if (arrival?.kind === 'started' && follow !== undefined) {
    shared.onResult('coalesced');
    return follow({ flight, provider: arrival.provider, leave });
  }
  leave();
  if (arrival?.kind === 'failed') throw arrival.error;
  shared.onResult(arrival?.kind === 'answer' ? 'coalesced' : 'miss');
  return arrival?.kind === 'answer' ? shared.from(arrival.entry) : make({ mode: 'MISS' });
}

interface Leader extends Follower {
  memory: RecordingMemory;
}

async function lead(flight: Flight, leader: Leader): Promise<ExchangeAnswer> {
  const { shared, make, memory } = leader;
  const { signal } = shared.exchange;
  onAbort(signal, () => flight.leaderLeaves(signal.reason));
  const claim = await claimAnswer(leader);
  const hit = claim.kind === 'found' ? await answerFromHit(claim.entry, leader) : undefined;
  if (claim.kind === 'found' && hit !== undefined) {
    flight.land({ kind: 'answer', entry: claim.entry });
    shared.onResult('hit');
    return hit;
  }
  const mode = claim.kind === 'away' ? 'BYPASS' : 'MISS';
  shared.onResult(mode === 'MISS' ? 'miss' : 'unreachable');
  const recorder = createAnswerRecorder({
    flight,
    maxBytes: shared.maxBytes,
    memory,
    keep: keeper(flight, claim, leader),
  });
  try {
    return await make({ mode, recorder });
  } catch (thrown) {
    recorder.failed(toGatewayError(thrown));
    throw thrown;
  }
}

/** The client may have left while its request was planned. A listener that is added afterwards is never called. */
function onAbort(signal: AbortSignal, leave: () => void): void {
  if (signal.aborted) leave();
  else signal.addEventListener('abort', leave, { once: true });
}

/** Stores the entry after the answer was sent, so that writing does not delay it. */
function keeper(flight: Flight, claim: Claim, { stored, shared }: Leader): (entry: Entry) => void {
  const { key, holder, ttlMs } = shared;
  let kept = false;
  const lease = claim.kind === 'ours' ? claim.lease : undefined;
  void flight.landed().then(() => kept || lease?.giveBack());
  return (entry) => {
    kept = true;
    afterSending(() => void stored.keep(key, { entry, holder, ttlMs, lease }));
  };
}

/** `undefined` for an entry that cannot be read: a provider answers the request, and that answer replaces the entry. */
async function answerFromHit(entry: Entry, { shared, onBroken }: Leader): Promise<ExchangeAnswer | undefined> {
  try {
    return await shared.from(entry);
  } catch {
    onBroken();
    return undefined;
  }
}

const firstPauseMs = 25;
const longestPauseMs = 250;

/**
 * While another replica makes the answer, the store is polled: waiting is rare, and announcing every answer would cost
 * more. A stream does not wait: it would get its first event only after the other stream has ended.
 */
async function claimAnswer({ stored, waitMs, shared: { key, maxBytes, follow, exchange } }: Leader): Promise<Claim> {
  const until = performance.now() + waitMs;
  let claim = await stored.claim(key, maxBytes);
  for (let pauseMs = firstPauseMs; claim.kind === 'theirs'; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    if (follow !== undefined || exchange.signal.aborted || performance.now() > until) return gone;
    await sleep(pauseMs);
    claim = await stored.claim(key, maxBytes);
  }
  return claim;
}

const gone: Claim = { kind: 'gone' };

/** The events of a stream are arriving. */
interface StreamStart {
  kind: 'started';
  provider: string;
}

/** The result, or for a stream its start; `undefined` when neither came in time. */
async function arrivalOf(
  flight: Flight,
  stream: boolean,
  waitMs: number,
): Promise<FlightResult | StreamStart | undefined> {
  if (!stream) return within(flight.landed(), waitMs);
  const until = performance.now() + waitMs;
  while (flight.result === undefined && flight.provider === undefined) {
    const leftMs = until - performance.now();
    if (leftMs <= 0) return undefined;
    await within(flight.progress(), leftMs);
  }
  return flight.result ?? (flight.provider === undefined ? undefined : { kind: 'started', provider: flight.provider });
}
