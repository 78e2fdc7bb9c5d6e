import { halfLifeOf, type RoutingSettings } from '../settings.ts';
import type { Verdict } from './breakers.ts';
import { type Tally, weightAfter } from './tally.ts';
import type { Uptime } from './uptime.ts';

/**
 * The way of an offer back to its share of the requests after it failed: away → returning → back. Without one it is
 * steady. Times are milliseconds of a monotonic clock.
 */
export type Recovery =
  /** It gets one trial request at a time, from `trialAt`. */
  | Away
  /** It gets as many requests at a time as have succeeded in a row. */
  | { state: 'returning'; since: number; pauseMs: number; successes: number; past: Past }
  /** It has its share again. Until the past has faded, only what happened since counts. */
  | { state: 'back'; since: number; pauseMs: number; past: Past };

interface Away {
  state: 'away';
  since: number;
  pauseMs: number;
  trialAt: number;
  past: Past;
}

/** The sums of an offer when a state began; later results are what exceeds them. */
interface Past {
  at: number;
  good: number;
  bad: number;
}

/** A call that has ended. */
export interface EndedCall {
  verdict: Verdict;
  startedAt: number;
  endedAt: number;
  /** The sums of the offer, this call included. */
  tally: Pick<Tally, 'good' | 'bad'>;
  /** Whether its breaker is open or its uptime too low, this call included. */
  isIll: boolean;
}

type RecoverySettings = Pick<
  RoutingSettings,
  'healthyUptime' | 'penalisedBelowUptime' | 'probationSamples' | 'healthWindowMs'
> & { breaker: Pick<RoutingSettings['breaker'], 'resetMs'> };

/** One second of five minutes. */
const firstPauseOf = ({ healthWindowMs }: RecoverySettings): number => healthWindowMs / 300;
/** What a trial takes longer than this costs its client, so the next one waits many times as long. */
const patientMs = 1_000;
const pausePerWait = 10;
/** So many successes in a row end the return. */
const successesToReturn = 10;

/** The recovery of an offer after one of its calls. Pure. */
export function recoveryAfter(
  recovery: Recovery | undefined,
  call: EndedCall,
  settings: RecoverySettings,
): Recovery | undefined {
  // A call from before says nothing about now.
  if (recovery !== undefined && recovery.state !== 'back' && call.startedAt < recovery.since) return recovery;
  switch (call.verdict) {
    case 'succeeded':
      return afterSuccess(recovery, call, settings);
    case 'failed':
      return afterFailure(recovery, call, settings);
    case 'unknown':
      return isTrial(recovery, call) ? away(recovery.pauseMs, call, settings) : recovery;
    default:
      return call.verdict satisfies never;
  }
}

function afterSuccess(
  recovery: Recovery | undefined,
  { endedAt, tally, isIll }: EndedCall,
  settings: RecoverySettings,
): Recovery | undefined {
  if (recovery?.state === 'returning') {
    const successes = recovery.successes + 1;
    if (successes < successesToReturn) return { ...recovery, successes };
    return { state: 'back', since: endedAt, pauseMs: recovery.pauseMs, past: recovery.past };
  }
  if (recovery?.state !== 'away' && !isIll) return recovery;
  const pauseMs = recovery?.pauseMs ?? firstPauseOf(settings);
  return { state: 'returning', since: endedAt, pauseMs, successes: 1, past: pastOf(tally, endedAt) };
}

const pastOf = ({ good, bad }: EndedCall['tally'], at: number): Past => ({ at, good, bad });

function afterFailure(
  recovery: Recovery | undefined,
  call: EndedCall,
  settings: RecoverySettings,
): Recovery | undefined {
  if (recovery === undefined) return call.isIll ? away(firstPauseOf(settings), call, settings) : undefined;
  const { state, pauseMs } = recovery;
  if (state === 'away' && !isTrial(recovery, call)) return recovery;
  if (state === 'back' && !call.isIll) return recovery;
  // An offer that keeps failing after successes is tried less often than one that is down and may be repaired soon.
  const longestMs = state === 'away' ? settings.breaker.resetMs : settings.healthWindowMs;
  return away(Math.min(2 * pauseMs, longestMs), call, settings);
}

const isTrial = (recovery: Recovery | undefined, { startedAt }: EndedCall): recovery is Away =>
  recovery?.state === 'away' && startedAt >= recovery.trialAt;

function away(pauseMs: number, { startedAt, endedAt, tally }: EndedCall, { healthWindowMs }: RecoverySettings): Away {
  const waitMs = Math.min(healthWindowMs, Math.max(pauseMs, pausePerWait * (endedAt - startedAt - patientMs)));
  return { state: 'away', since: endedAt, pauseMs, trialAt: endedAt + waitMs, past: pastOf(tally, endedAt) };
}

/** Less than this counts as no result: one that was shared late has faded a little, and sums of many are inexact. */
const leastHeard = ({ good, bad }: Past): number => Math.max(0.5, (good + bad) / 100);

/**
 * The recovery of an offer after what other replicas observed: a success makes a trial request due, and a failure takes the
 * place of the one that is due.
 */
export function renewedRecovery(recovery: Recovery, tally: EndedCall['tally'], clock: FadingClock): Recovery {
  if (recovery.state !== 'away') return recovery;
  const { now } = clock;
  const heard = since(recovery.past, tally, clock);
  if (heard.good >= leastHeard(recovery.past)) return { ...recovery, trialAt: Math.min(recovery.trialAt, now) };
  if (now < recovery.trialAt || heard.bad < leastHeard(recovery.past)) return recovery;
  return { ...recovery, trialAt: now + recovery.pauseMs, past: pastOf(tally, now) };
}

interface FadingClock {
  now: number;
  halfLifeMs: number;
}

/** Whether its failures count no more: they have faded, or no request came for a trial long after it was due. */
export const isOver = (recovery: Recovery, now: number, settings: RecoverySettings): boolean =>
  recovery.state === 'away'
    ? now >= recovery.trialAt + halfLifeOf(settings)
    : now >= recovery.since + settings.healthWindowMs;

/** What was counted since then, faded as all sums. */
export function since({ at, good, bad }: Past, tally: Pick<Tally, 'good' | 'bad'>, { now, halfLifeMs }: FadingClock) {
  const left = weightAfter(now - at, halfLifeMs);
  return { good: tally.good - good * left, bad: tally.bad - bad * left };
}

/** Whether an uptime keeps an offer from its share: it is too low, or failures are a large part of few results. */
export const isTooLow = ({ lower, samples }: Uptime, settings: RecoverySettings): boolean =>
  lower < settings.healthyUptime || (lower < settings.penalisedBelowUptime && samples < settings.probationSamples);

/** How far an offer is on its way back, for plans and explanations. */
export type RecoveryProgress =
  /** `trialInMs`: until the next trial request is due. */
  | { state: 'away'; trialInMs: number; mayTry: boolean }
  /** `atOnce`: how many requests it may get at a time. */
  | { state: 'returning'; atOnce: number; mayTry: boolean };

/** `undefined` for an offer that has its share. `running`: its trial requests in progress. */
export function progressOf(
  recovery: Recovery | undefined,
  { isIll, running, now }: { isIll: boolean; running: number; now: number },
): RecoveryProgress | undefined {
  if (recovery?.state === 'returning') {
    return { state: 'returning', atOnce: recovery.successes, mayTry: running < recovery.successes };
  }
  if (recovery?.state !== 'away' && !isIll) return undefined;
  // Other replicas saw it fail, or it failed again: one trial request decides.
  const trialInMs = recovery?.state === 'away' ? Math.max(0, recovery.trialAt - now) : 0;
  return { state: 'away', trialInMs, mayTry: trialInMs === 0 && running === 0 };
}
