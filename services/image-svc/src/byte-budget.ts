import { GatewayError } from '@switchyard/contracts';

/** What one request holds of the budget. */
export interface Lease {
  /** So many bytes more. Throws `overloaded` when there is no room, and then holds what it held. */
  take(bytes: number): void;
  /** All it holds, from here on: what was put aside has become what is there, whatever that is. */
  settle(bytes: number): void;
  /** Ends the lease: bytes taken or settled afterwards are not counted, since nothing would release them. */
  release(): void;
}

/** Memory is bounded by bytes: nothing is begun that could not be held. What is paid for is never refused. */
export interface ByteBudget {
  lease(): Lease;
  held(): number;
}

export function createByteBudget(limit: number): ByteBudget {
  let held = 0;
  return {
    held: () => held,
    lease() {
      let own = 0;
      let released = false;
      const set = (bytes: number) => {
        if (released) return;
        held += bytes - own;
        own = bytes;
      };
      return {
        take(bytes) {
          // Alone it may always come in: one request is bounded by limits of its own.
          if (!released && held > own && held + bytes > limit) throw overloaded();
          set(own + bytes);
        },
        settle: set,
        release() {
          set(0);
          released = true;
        },
      };
    },
  };
}

const overloaded = (): GatewayError =>
  new GatewayError(
    'overloaded',
    'This server holds as many bytes of images as it may (IMAGE_MAX_INFLIGHT_BYTES). Try again in a second.',
    { retryAfterMs: 1_000 },
  );
