import { GatewayError } from '@tallyport/contracts';
import { createFairTurns } from '@tallyport/limits';
import type { ApiCaller } from './caller.ts';

/** The share of one account in the operations that this process runs. Both throw `rate_limit_exceeded` beyond it. */
export interface AccountTurns {
  run<Result>(caller: ApiCaller | undefined, work: () => Promise<Result>): Promise<Result>;
  /** A download, which takes as long as its reader. */
  stream(caller: ApiCaller | undefined, pieces: () => AsyncIterable<string>): AsyncGenerator<string>;
}

/** A page asks for a few readings at once; each may use several connections of the database. */
export const accountShare = { eachAtOnce: 2, maxWaiting: 100, waitMs: 5_000 } as const;

/** Few operations of one account run at once, and the rest waits a short time. */
export function createAccountTurns(): AccountTurns {
  const turns = createFairTurns({ atOnce: Infinity, ...accountShare });
  async function begin(name: string): Promise<() => void> {
    const end = await turns.wait(name);
    if (end === undefined) throw tooMany();
    return end;
  }
  return {
    async run(caller, work) {
      // Operations for anyone are limited by address.
      if (caller === undefined) return work();
      const end = await begin(caller.accountId);
      try {
        return await work();
      } finally {
        end();
      }
    },
    async *stream(caller, pieces) {
      const end = await begin(`downloads of ${caller?.accountId}`);
      try {
        yield* pieces();
      } finally {
        end();
      }
    },
  };
}

const tooMany = (): GatewayError =>
  new GatewayError(
    'rate_limit_exceeded',
    'Too many requests of this account to the management API are running. Send fewer at once, or try again in a second.',
    { retryAfterMs: 1_000 },
  );
