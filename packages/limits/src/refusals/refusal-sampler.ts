import { LRUCache } from 'lru-cache';

/** Decides which refusals are recorded, so that a flood of refused requests does not fill the ledger. */
interface RefusalSampler {
  /**
   * Returns the number of refusals of the account that were left out since its last recorded one; `undefined` if this
   * one is left out, too. `now` is monotonic, in milliseconds.
   */
  take(accountId: string, now: number): number | undefined;
}

/** Refusals of an account that are all recorded within a minute. */
export const refusalsPerMinute = 60;
/** Beyond them, one is recorded in this time. */
export const sampledEveryMs = 5_000;

const windowMs = 60_000;
const maxAccounts = 10_000;

interface Refusals {
  windowStart: number;
  recorded: number;
  recordedAt: number;
  leftOut: number;
}

/** An account has at most 72 records a minute. */
export function createRefusalSampler(): RefusalSampler {
  const accounts = new LRUCache<string, Refusals>({ max: maxAccounts });
  return {
    take(accountId, now) {
      let refusals = accounts.get(accountId);
      if (refusals === undefined) {
        refusals = { windowStart: now, recorded: 0, recordedAt: now, leftOut: 0 };
        accounts.set(accountId, refusals);
      }
      if (now - refusals.windowStart >= windowMs) Object.assign(refusals, { windowStart: now, recorded: 0 });
      if (refusals.recorded >= refusalsPerMinute && now - refusals.recordedAt < sampledEveryMs) {
        refusals.leftOut += 1;
        return undefined;
      }
      const { leftOut } = refusals;
      Object.assign(refusals, { recorded: refusals.recorded + 1, recordedAt: now, leftOut: 0 });
      return leftOut;
    },
  };
}
