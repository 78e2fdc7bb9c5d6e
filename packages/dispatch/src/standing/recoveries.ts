import { type RoutingSettings, halfLifeOf } from '../settings.ts';
import { boundedMap } from './bounded-map.ts';
import type { Breakers, Verdict } from './breakers.ts';
import {
  isOver,
  isTooLow,
  progressOf,
  type Recovery,
  recoveryAfter,
  type RecoveryProgress,
  renewedRecovery,
  since,
} from './recovery.ts';
import type { Tally } from './tally.ts';
import { type Uptime, uptimeOf } from './uptime.ts';

/** How a call is made: as its breaker permits, as a trial of an offer that failed, or because no other offer is left. */
type CallPurpose = 'usual' | 'trial' | 'last_resort';

/** The recoveries of all offers in this process. */
export interface Recoveries {
  /** The uptime that counts for routing, and how far the offer is on its way back. */
  of(offerKey: string, tally: Tally): RecoveringUptime;
  /**
   * Makes the call and resolves after its verdict was counted. `undefined`: no call was made, because the breaker is
   * open or enough trial requests are in progress.
   */
  call(offerKey: string, purpose: CallPurpose, call: () => Promise<Verdict>): Promise<void> | undefined;
}

interface RecoveringUptime {
  uptime: Uptime;
  recovery: RecoveryProgress | undefined;
}

interface RecoveriesOptions {
  settings: RoutingSettings;
  breakers: Breakers;
  tally(offerKey: string): Tally;
  /** Milliseconds of a monotonic clock. */
  now(): number;
  mostOffers: number;
}

/** An offer that returned is credited more successes than an untried one, so that it gets the place that it had. */
const creditOfReturned = 2;

export function createRecoveries({ settings, breakers, tally, now, mostOffers }: RecoveriesOptions): Recoveries {
  const halfLifeMs = halfLifeOf(settings);
  const recoveries = boundedMap<Recovery>(mostOffers);
  /** Trial requests in progress. */
  const trials = new Map<string, number>();

  function recoveryOf(key: string): Recovery | undefined {
    const recovery = recoveries.get(key);
    return recovery === undefined || isOver(recovery, now(), settings) ? undefined : recovery;
  }

  function currentRecovery(key: string, sums: Tally): Recovery | undefined {
    const recovery = recoveryOf(key);
    if (recovery === undefined) return undefined;
    const next = renewedRecovery(recovery, sums, { now: now(), halfLifeMs });
    if (next !== recovery) recoveries.set(key, next);
    return next;
  }

  function uptimeIn(recovery: Recovery | undefined, sums: Tally): Uptime {
    if (recovery === undefined || recovery.state === 'away') return uptimeOf(sums, settings.presumedAnswers);
    return uptimeOf(
      since(recovery.past, sums, { now: now(), halfLifeMs }),
      creditOfReturned * settings.presumedAnswers,
    );
  }

  const isIll = (key: string, uptime: Uptime) => breakers.state(key) === 'open' || isTooLow(uptime, settings);

  function of(key: string, sums: Tally): RecoveringUptime {
    const recovery = currentRecovery(key, sums);
    const uptime = uptimeIn(recovery, sums);
    const ill = isIll(key, uptime);
    if (recovery === undefined && !ill) return { uptime, recovery: undefined };
    return { uptime, recovery: progressOf(recovery, { isIll: ill, running: trials.get(key) ?? 0, now: now() }) };
  }

  function ended(key: string, verdict: Verdict, startedAt: number): void {
    const sums = tally(key);
    const recovery = recoveryOf(key);
    const call = { verdict, startedAt, endedAt: now(), tally: sums, isIll: isIll(key, uptimeIn(recovery, sums)) };
    const next = recoveryAfter(recovery, call, settings);
    if (next !== undefined && next !== recovery) recoveries.set(key, next);
  }

  return {
    of,
    call(key, purpose, call) {
      const isTrial = purpose === 'trial';
      if (isTrial && of(key, tally(key)).recovery?.mayTry === false) return undefined;
      const startedAt = now();
      let verdict: Verdict = 'unknown';
      const noted = async () => (verdict = await call());
      const calling = purpose === 'usual' ? breakers.call(key, noted) : breakers.callAnyway(key, noted);
      if (calling === undefined) return undefined;
      if (isTrial) countBy(trials, key, 1);
      return calling.finally(() => {
        if (isTrial) countBy(trials, key, -1);
        ended(key, verdict, startedAt);
      });
    },
  };
}

/** Keys at 0 are removed. */
function countBy(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
