import { GatewayError } from '@tallyport/contracts';

interface MemoryBudgetOptions {
  /** The limit for all request bodies together, and its setting. */
  total: ByteLimit;
  /** The share that one account, or one address without a key, may hold. */
  perHolder: number;
  /** Called with the number of bytes held, after each change. */
  onChange?(bytes: number): void;
}

/** A limit in bytes, and the setting that changes it, if there is one. */
export interface ByteLimit {
  bytes: number;
  setting?: string;
}

interface MemoryRequest {
  /** Zero if the client does not declare a length. */
  declaredBytes: number;
  /** Undefined if the body belongs to no account or address. */
  holder: string | undefined;
  /** The largest body this route accepts. */
  largest: ByteLimit;
  /** The most of it that is held at once, if it is passed on as it arrives. */
  mostHeld?: number | undefined;
}

/** The part of the budget that a request holds. */
export interface MemoryReservation {
  /** Reserves more as a body of unknown length arrives. Throws if a limit is exceeded. */
  grow(bytes: number): void;
  release(): void;
}

export interface MemoryBudget {
  /** Throws `request_too_large`, `rate_limit_exceeded` or `overloaded`; the message names the limit. */
  reserve(request: MemoryRequest): MemoryReservation;
}

/** Limits memory by bytes, not by requests: one body of 50 MB weighs more than a thousand chats. */
export function createMemoryBudget({ total, perHolder, onChange = () => {} }: MemoryBudgetOptions): MemoryBudget {
  let inflight = 0;
  /** Contains only holders with reserved bytes. */
  const holders = new Map<string, number>();

  function take(bytes: number, holder: string | undefined): void {
    if (bytes === 0) return;
    if (inflight + bytes > total.bytes) throw overloaded(total);
    if (holder !== undefined) {
      const held = (holders.get(holder) ?? 0) + bytes;
      if (held > perHolder) throw shareTaken(perHolder);
      holders.set(holder, held);
    }
    inflight += bytes;
    onChange(inflight);
  }

  function give(bytes: number, holder: string | undefined): void {
    if (bytes === 0) return;
    if (holder !== undefined) {
      const held = (holders.get(holder) ?? 0) - bytes;
      if (held > 0) holders.set(holder, held);
      else holders.delete(holder);
    }
    inflight -= bytes;
    onChange(inflight);
  }

  return {
    reserve({ declaredBytes, holder, largest, mostHeld = largest.bytes }) {
      if (declaredBytes > largest.bytes) throw tooLarge(largest);
      let held = Math.min(declaredBytes, mostHeld);
      take(held, holder);
      let received = 0;
      return {
        grow(bytes) {
          received += bytes;
          if (received > largest.bytes) throw tooLarge(largest);
          const needed = Math.min(received, mostHeld);
          if (needed <= held) return;
          take(needed - held, holder);
          held = needed;
        },
        release() {
          give(held, holder);
          held = 0;
        },
      };
    },
  };
}

const named = ({ setting }: ByteLimit): string => (setting === undefined ? '' : ` (${setting})`);

const tooLarge = (limit: ByteLimit): GatewayError =>
  new GatewayError(
    'request_too_large',
    `The body is larger than this server's limit of ${limit.bytes} bytes${named(limit)}. Send a smaller one.`,
  );

const shareTaken = (bytes: number): GatewayError =>
  new GatewayError(
    'rate_limit_exceeded',
    `Your running requests reached the limit of ${bytes} bytes. Try again when some have finished.`,
    { retryAfterMs: 1000 },
  );

const overloaded = (limit: ByteLimit): GatewayError =>
  new GatewayError(
    'overloaded',
    `This server has reached its limit of request bytes${named(limit)}. Try again in a second.`,
    { retryAfterMs: 1000 },
  );
