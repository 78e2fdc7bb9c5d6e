import { GatewayError } from '@tallyport/contracts';
import { createFairTurns } from '@tallyport/limits';

/** Runs an upload in its turn. Throws `rate_limit_exceeded` if its account does not get one. */
export type UploadTurns = <Result>(accountId: string, upload: () => Promise<Result>) => Promise<Result>;

/** An upload to a bucket holds two parts of 5 MiB for as long as its client likes. */
export const uploadShare = { atOnce: 24, eachAtOnce: 8, maxWaiting: 100, waitMs: 30_000 } as const;

/** A process takes few uploads at once, and the rest waits without being read. */
export function createUploadTurns(): UploadTurns {
  const turns = createFairTurns(uploadShare);
  return async (accountId, upload) => {
    const end = await turns.wait(accountId);
    if (end === undefined) throw tooMany();
    try {
      return await upload();
    } finally {
      end();
    }
  };
}

const tooMany = (): GatewayError =>
  new GatewayError(
    'rate_limit_exceeded',
    'Too many files are being stored. Send fewer at once, or try again when some are complete.',
    { retryAfterMs: 1_000 },
  );
