import { setTimeout } from 'node:timers/promises';
import { GatewayError } from '@tallyport/contracts';
import { LRUCache } from 'lru-cache';
import { createRunningCounts } from '../running-counts.ts';
import { createReadingPace, type ReadingPace } from './reading-pace.ts';

/** What one account may use of this process for its registered servers. */
interface AccountShares {
  of(accountId: string, server: { id: string; name: string }): ServerShare;
}

export interface ServerShare {
  /** Counts a call or list until the returned function is called. Throws `rate_limit_exceeded`. */
  enter(): () => void;
  /** Waits until the account may read and handle this much. Rejects with the signal's reason. */
  pace(cost: number, signal: AbortSignal): Promise<void>;
}

/** Calls and lists at once; each has at most three connections. */
export const mostAtOnce = { server: 100, account: 200 } as const;
/** Bytes a second, and at once, that an account's servers may send. One MiB takes up to about 40 ms to handle. */
export const mostRead = { perSecond: 8 * 1024 ** 2, atOnce: 32 * 1024 ** 2 } as const;
/** An account that is forgotten begins with a full pace, so only very many accounts gain by it. */
const mostAccounts = 10_000;

export function createAccountShares(now: () => number): AccountShares {
  const running = createRunningCounts();
  const paces = new LRUCache<string, ReadingPace>({ max: mostAccounts });

  function paceOf(accountId: string): ReadingPace {
    const known = paces.get(accountId) ?? createReadingPace(mostRead, now);
    paces.set(accountId, known);
    return known;
  }

  return {
    of: (accountId, { id, name }) => ({
      enter() {
        const server = `server ${id}`;
        const account = `account ${accountId}`;
        if (running.count(server) >= mostAtOnce.server) throw tooMany(`The MCP server ${name}`, mostAtOnce.server);
        if (running.count(account) >= mostAtOnce.account) {
          throw tooMany("Your account's MCP servers together", mostAtOnce.account);
        }
        running.add(server, 1);
        running.add(account, 1);
        return () => {
          running.add(server, -1);
          running.add(account, -1);
        };
      },
      async pace(cost, signal) {
        const waitMs = paceOf(accountId).take(cost);
        if (waitMs > 0) await setTimeout(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
      },
    }),
  };
}

const tooMany = (what: string, most: number): GatewayError =>
  new GatewayError('rate_limit_exceeded', `${what} may have ${most} calls at once. Try again when one has finished.`, {
    retryAfterMs: 1000,
  });
