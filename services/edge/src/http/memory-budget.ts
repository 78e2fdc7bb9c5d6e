import { GatewayError } from '@switchyard/contracts';

export interface MemoryBudgetLimits {
  /** The largest body one request may have. */
  maxBodyBytes: number;
  /** The bytes of all bodies held at once. */
  maxInflightBytes: number;
}

/** What a request holds of the process's budget. */
export interface MemoryReservation {
  /** More of a body of unknown length arrived. Throws when a limit is passed. */
  grow(bytes: number): void;
  release(): void;
}

export interface MemoryBudget {
  /** Throws `request_too_large` or `overloaded`, naming the limit that was hit. */
  reserve(declaredBytes: number): MemoryReservation;
  inflightBytes(): number;
}

/** Memory is bounded by bytes, not by requests: one body of 50 MB weighs more than a thousand chats. */
export function createMemoryBudget({ maxBodyBytes, maxInflightBytes }: MemoryBudgetLimits): MemoryBudget {
  let inflight = 0;

  function take(bytes: number): void {
    if (inflight + bytes > maxInflightBytes) throw overloaded();
    inflight += bytes;
  }

  return {
    reserve(declaredBytes) {
      if (declaredBytes > maxBodyBytes) throw tooLarge(maxBodyBytes);
      take(declaredBytes);
      let held = declaredBytes;
      let received = 0;
      return {
        grow(bytes) {
          received += bytes;
          if (received > maxBodyBytes) throw tooLarge(maxBodyBytes);
          if (received <= held) return;
          take(received - held);
          held = received;
        },
        release() {
          inflight -= held;
          held = 0;
        },
      };
    },
    inflightBytes: () => inflight,
  };
}

const tooLarge = (limit: number): GatewayError =>
  new GatewayError(
    'request_too_large',
    `The body is larger than this server's limit of ${limit} bytes (MAX_BODY_BYTES). Send less.`,
  );

const overloaded = (): GatewayError =>
  new GatewayError(
    'overloaded',
    'This server holds as many request bytes as it may (MAX_INFLIGHT_BYTES). Try again in a second.',
    {
      retryAfterMs: 1000,
    },
  );
