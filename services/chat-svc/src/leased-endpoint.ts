import type { ExchangeHandler, IncomingExchange } from '@tallyport/bus';
import type { UsageOperation } from '@tallyport/contracts';
import type { Replays } from '@tallyport/serving/replay';
import {
  type ByteBudget,
  type Lease,
  type PaidEndpoint,
  type PaidEvents,
  type PaidRequest,
  refusalOfRepeat,
  type RequestDraft,
  servePaid,
  type ServingTools,
} from '@tallyport/serving';

/** A paid endpoint whose requests hold bytes of the byte budget. */
export interface LeasedEndpoint {
  /** Names the endpoint in the fingerprint of a request with an Idempotency-Key. */
  operation: string;
  /** The operation in its records. */
  usage: UsageOperation;
  events: PaidEvents;
  /** Reads, checks and plans a request, as `PaidEndpoint` does; `held` counts its bytes. */
  read(exchange: IncomingExchange, held: Lease, draft: RequestDraft): Promise<PaidRequest>;
}

export interface LeaseTools extends ServingTools {
  maxBodyBytes: number;
  budget: ByteBudget;
}

/** A request is held as text, as the provider's request, and as the bytes of that. */
export const copiesOfRequest = 3;

/** The handler of an endpoint, with Idempotency-Keys. */
export function leasedEndpoint(
  replays: Replays,
  tools: LeaseTools,
  { operation, usage, events, read }: LeasedEndpoint,
): ExchangeHandler {
  const { maxBodyBytes, budget } = tools;
  const endpoint: PaidEndpoint = {
    operation: usage,
    events,
    lease: () => budget.lease(copiesOfRequest),
    read: (exchange, draft, held) => read(exchange, held, draft),
  };
  const protection = {
    operation,
    maxBodyBytes,
    lease: () => budget.lease(),
    refusalOfRepeat: (exchange: IncomingExchange) => refusalOfRepeat(tools, endpoint, exchange),
  };
  return replays.protect(protection, servePaid(tools, endpoint));
}
