import { setTimeout as sleep } from 'node:timers/promises';
import type { ExchangeAnswer, IncomingExchange } from '@switchyard/bus';
import { toGatewayError } from '@switchyard/contracts';
import { afterSending, within } from '@switchyard/service-kit';
import type { Entry } from './entry.ts';
import { Flight, type Landing } from './flight.ts';
import type { Claim, StoredAnswers } from './stored-answers.ts';
import { type Room, takeDown, type Taking } from './taking.ts';

/** One request that may be answered with what somebody else was, or will be. */
export interface SharedRequest {
  key: string;
  ttlMs: number;
  /** Of its answer, to be kept. */
  maxBytes: number;
  exchange: IncomingExchange;
  onResult(result: CacheResult): void;
  /** A made answer as this request gets it. Throws for an entry that holds none. */
  from(entry: Entry): ExchangeAnswer;
  /** Only of what is streamed word by word: it reads along, and does not wait for the end of another replica's. */
  along?: (reading: Reading) => ExchangeAnswer;
}

/** The events of a stream that somebody else has begun. */
export interface Reading {
  flight: Flight;
  provider: string;
  /** Nobody reads any more. */
  leave(): void;
}

export type CacheResult = 'hit' | 'coalesced' | 'miss' | 'unreachable';

/** How `x-switchyard-cache` names it, and how an answer made now is taken down. */
export interface Making {
  mode: 'MISS' | 'BYPASS';
  taking?: Taking;
}

export interface AnswerCache {
  /** A kept answer, one that is being made, or a new one: then `make` is called, once. */
  answer(shared: SharedRequest, make: (making: Making) => Promise<ExchangeAnswer>): Promise<ExchangeAnswer>;
}

export interface AnswerCacheOptions {
  stored: StoredAnswers;
  /** Memory for streams that are being taken down. */
  maxTakingBytes: number;
  /** Longest wait for an answer that somebody else has asked for. */
  waitMs: number;
  /** A kept answer could not be read. */
  onBroken(): void;
}

type Make = (making: Making) => Promise<ExchangeAnswer>;

export function createAnswerCache(options: AnswerCacheOptions): AnswerCache {
  const flights = new Map<string, Flight>();
  const room: Room = { held: 0, limit: options.maxTakingBytes };
  return {
    answer(shared, make) {
      const { key } = shared;
      const known = flights.get(key);
      if (known !== undefined) return join(known, { ...options, shared, make });
      const flight = new Flight();
      flights.set(key, flight);
      void flight.landed().then(() => flights.delete(key));
      return lead(flight, { ...options, shared, make, room });
    },
  };
}

interface Joining extends AnswerCacheOptions {
  shared: SharedRequest;
  make: Make;
}

async function join(flight: Flight, joining: Joining): Promise<ExchangeAnswer> {
  const { shared, make, waitMs } = joining;
  const { along, exchange } = shared;
  const leave = flight.follow();
  exchange.signal.addEventListener('abort', leave, { once: true });
  const arrival = await arrivalOf(flight, along !== undefined, waitMs);
  if (arrival?.kind === 'begun' && along !== undefined) {
    shared.onResult('coalesced');
    return along({ flight, provider: arrival.provider, leave });
  }
  leave();
  if (arrival?.kind === 'failed') throw arrival.error;
  shared.onResult(arrival?.kind === 'answer' ? 'coalesced' : 'miss');
  return arrival?.kind === 'answer' ? shared.from(arrival.entry) : make({ mode: 'MISS' });
}

interface Leading extends Joining {
  room: Room;
}

async function lead(flight: Flight, leading: Leading): Promise<ExchangeAnswer> {
  const { shared, make, room } = leading;
  const { signal } = shared.exchange;
  signal.addEventListener('abort', () => flight.leaderLeaves(signal.reason), { once: true });
  const claim = await claimed(leading);
  const hit = claim.kind === 'found' ? fitting(claim.entry, leading) : undefined;
  if (claim.kind === 'found' && hit !== undefined) {
    flight.land({ kind: 'answer', entry: claim.entry });
    shared.onResult('hit');
    return hit;
  }
  const mode = claim.kind === 'away' ? 'BYPASS' : 'MISS';
  shared.onResult(mode === 'MISS' ? 'miss' : 'unreachable');
  const taking = takeDown({ flight, maxBytes: shared.maxBytes, room, keep: keeper(flight, claim, leading) });
  try {
    return await make({ mode, taking });
  } catch (thrown) {
    taking.failed(toGatewayError(thrown));
    throw thrown;
  }
}

/** Nothing is written while the answer is waiting to leave. */
function keeper(flight: Flight, claim: Claim, { stored, shared }: Leading): (entry: Entry) => void {
  let kept = false;
  const lease = claim.kind === 'ours' ? claim.lease : undefined;
  void flight.landed().then(() => kept || lease?.giveBack());
  return (entry) => {
    kept = true;
    afterSending(() => void stored.keep(shared.key, { entry, ttlMs: shared.ttlMs, lease }));
  };
}

/** Whatever broke it, it is answered anew, and what is kept then replaces it. */
function fitting(entry: Entry, { shared, onBroken }: Leading): ExchangeAnswer | undefined {
  try {
    return shared.from(entry);
  } catch {
    onBroken();
    return undefined;
  }
}

const firstPauseMs = 25;
const longestPauseMs = 250;

/**
 * While another replica makes the answer, it is waited for by asking again: waiting is rare, and so nobody has to be told
 * of every answer. A stream does not wait: it would get its first word when the other one has had its last.
 */
async function claimed({ stored, waitMs, shared: { key, maxBytes, along, exchange } }: Leading): Promise<Claim> {
  const until = performance.now() + waitMs;
  let claim = await stored.claim(key, maxBytes);
  for (let pauseMs = firstPauseMs; claim.kind === 'theirs'; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    if (along !== undefined || exchange.signal.aborted || performance.now() > until) return gone;
    await sleep(pauseMs);
    claim = await stored.claim(key, maxBytes);
  }
  return claim;
}

const gone: Claim = { kind: 'gone' };

/** A stream whose events come. */
interface Begun {
  kind: 'begun';
  provider: string;
}

/** Its end, or, for a stream, that there is something to read; `undefined` when the time was over first. */
async function arrivalOf(flight: Flight, stream: boolean, waitMs: number): Promise<Landing | Begun | undefined> {
  if (!stream) return within(flight.landed(), waitMs);
  const until = performance.now() + waitMs;
  while (flight.landing === undefined && flight.provider === undefined) {
    const leftMs = until - performance.now();
    if (leftMs <= 0) return undefined;
    await within(flight.progress(), leftMs);
  }
  return flight.landing ?? (flight.provider === undefined ? undefined : { kind: 'begun', provider: flight.provider });
}
