import { GatewayError } from '@tallyport/contracts';
import { createFairTurns } from '@tallyport/limits';

/** Returns the function that ends an account's turn; call it once. Throws `rate_limit_exceeded` if it does not get one. */
export type FileTurns = (accountId: string) => Promise<() => void>;

interface TurnsShare {
  atOnce: number;
  eachAtOnce: number;
  maxWaiting: number;
  waitMs: number;
}

/** An upload to a bucket holds two parts of 5 MiB for as long as its client likes. */
export const uploadShare: TurnsShare = { atOnce: 24, eachAtOnce: 8, maxWaiting: 100, waitMs: 30_000 };

/** A download holds 1 MiB and a connection to the storage for as long as its client likes. */
export const downloadShare: TurnsShare = { atOnce: 96, eachAtOnce: 32, maxWaiting: 100, waitMs: 30_000 };

/** A process sends and stores few files at once, and the rest waits without being read. */
export function createFileTurns(share: TurnsShare): FileTurns {
  const turns = createFairTurns(share);
  return async (accountId) => {
    const end = await turns.wait(accountId);
    if (end === undefined) throw tooMany();
    return end;
  };
}

const tooMany = (): GatewayError =>
  new GatewayError(
    'rate_limit_exceeded',
    'Too many files are being stored or read. Send fewer requests at once, or try again when some are complete.',
    { retryAfterMs: 1_000 },
  );
