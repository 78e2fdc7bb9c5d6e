import { GatewayError } from '@tallyport/contracts';

/** The bytes that one request holds of the budget. */
export interface Lease {
  /** Adds bytes. Throws `overloaded` if there is no room; the lease keeps what it held. */
  take(bytes: number): void;
  /** Replaces everything held by the actual number of bytes, even above the limit. */
  settle(bytes: number): void;
  /** Ends the lease. Bytes taken or settled afterwards are ignored, because nothing would release them. */
  release(): void;
}

/** Limits the memory of requests: work that would not fit is not started, but paid results are never refused. */
export interface ByteBudget {
  readonly limit: number;
  /** Each byte counts as often as it is held: `copies` times. */
  lease(copies?: number): Lease;
  held(): number;
}

/** `setting` is the name of the limit, for the error message. */
export function createByteBudget(limit: number, setting: string): ByteBudget {
  let held = 0;
  return {
    limit,
    held: () => held,
    lease(copies = 1) {
      let own = 0;
      let released = false;
      const set = (bytes: number) => {
        if (released) return;
        held += bytes - own;
        own = bytes;
      };
      return {
        take(bytes) {
          const more = copies * bytes;
          // A single request is always accepted: its own limits bound it.
          if (!released && held > own && held + more > limit) throw overloaded(setting);
          set(own + more);
        },
        settle: (bytes) => set(copies * bytes),
        release() {
          set(0);
          released = true;
        },
      };
    },
  };
}

/** The lease of requests whose bytes are not counted. */
export const unlimitedLease: Lease = { take() {}, settle() {}, release() {} };

const overloaded = (setting: string): GatewayError =>
  new GatewayError(
    'overloaded',
    `This server's memory for requests and images is full (${setting}). Try again in a second.`,
    { retryAfterMs: 1_000, domain: 'gateway' },
  );
