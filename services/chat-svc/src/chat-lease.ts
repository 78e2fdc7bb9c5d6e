import type { ByteBudget, PaidRequest } from '@switchyard/serving';

/**
 * The bytes that a chat holds of the byte budget, from its first byte until it is refused, answered by the cache, or
 * settled.
 */
export interface ChatLease {
  /** Adds bytes of the request. Throws `overloaded` if there is no room. */
  take(bytes: number): void;
  /** Wraps a request, so that it holds its bytes until it is settled, once it is attempted. */
  whileAttempted(request: PaidRequest): PaidRequest;
  /** Call when there is an answer or an error. */
  answered(): void;
  release(): void;
}

/** A request is held as text, as the provider's request, and as the bytes of that. */
export const copiesOfRequest = 3;

export function leaseChat(budget: ByteBudget): ChatLease {
  const lease = budget.lease();
  let attempted = false;
  return {
    take: (bytes) => lease.take(copiesOfRequest * bytes),
    release: lease.release,
    answered() {
      if (!attempted) lease.release();
    },
    whileAttempted: (request) => ({
      ...request,
      async attempt({ signal, settle }) {
        attempted = true;
        try {
          return await request.attempt({
            signal,
            settle(settlement) {
              lease.release();
              settle(settlement);
            },
          });
        } catch (thrown) {
          lease.release();
          throw thrown;
        }
      },
    }),
  };
}
