import { GatewayError } from '@tallyport/contracts';
import { createRunningCounts } from '../running-counts.ts';

export interface AdmissionLimits {
  /** Requests running at once. */
  total: number;
  /** Requests of one account running at once, so that no account locks out the others. */
  perAccount: number;
}

/**
 * Runs `work` if a slot is free. Throws `unavailable`, or `rate_limit_exceeded` for the account's own limit; does not
 * queue.
 */
type Admit = <Result>(accountId: string, work: () => Promise<Result>) => Promise<Result>;

export function createAdmission({ total, perAccount }: AdmissionLimits): Admit {
  let running = 0;
  const accounts = createRunningCounts();

  return async (accountId, work) => {
    if (accounts.count(accountId) >= perAccount) throw tooMany(perAccount);
    if (running >= total) throw busy();
    running += 1;
    accounts.add(accountId, 1);
    try {
      return await work();
    } finally {
      running -= 1;
      accounts.add(accountId, -1);
    }
  };
}

const busy = (): GatewayError =>
  new GatewayError('unavailable', 'The MCP server is busy. Try again in a second.', { retryAfterMs: 1000 });

const tooMany = (limit: number): GatewayError =>
  new GatewayError(
    'rate_limit_exceeded',
    `This account has ${limit} MCP requests running (MCP_MAX_CONCURRENT_PER_ACCOUNT). Try again when one has finished.`,
    { retryAfterMs: 1000 },
  );
