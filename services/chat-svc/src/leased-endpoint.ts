import type { ExchangeHandler, IncomingExchange } from '@switchyard/bus';
import type { UsageOperation } from '@switchyard/contracts';
import type { Replays } from '@switchyard/replay';
import {
  type ByteBudget,
  type PaidEvents,
  type PaidRequest,
  refusalOfRepeat,
  type RequestDraft,
  servePaid,
  type ServingTools,
} from '@switchyard/serving';
import { type ChatLease, leaseChat } from './chat-lease.ts';

/** A paid endpoint whose requests hold bytes of the byte budget. */
export interface LeasedEndpoint {
  /** Names the endpoint in the fingerprint of a request with an Idempotency-Key. */
  operation: string;
  /** The operation in its records. */
  usage: UsageOperation;
  events: PaidEvents;
  /** Reads, checks and plans a request, as `PaidEndpoint` does; `held` counts its bytes. */
  read(exchange: IncomingExchange, held: ChatLease, draft: RequestDraft): Promise<PaidRequest>;
}

export interface LeaseTools extends ServingTools {
  maxBodyBytes: number;
  budget: ByteBudget;
}

/** The handler of an endpoint, with Idempotency-Keys. A request releases its bytes when it is settled or refused. */
export function leasedEndpoint(
  replays: Replays,
  tools: LeaseTools,
  { operation, usage, events, read }: LeasedEndpoint,
): ExchangeHandler {
  const { maxBodyBytes, budget } = tools;
  async function whileLeased<Result>(work: (held: ChatLease) => Promise<Result>): Promise<Result> {
    const held = leaseChat(budget);
    try {
      return await work(held);
    } finally {
      held.answered();
    }
  }
  const handle: ExchangeHandler = (exchange) =>
    whileLeased((held) => {
      const readLeased = async (_exchange: IncomingExchange, draft: RequestDraft) =>
        held.whileAttempted(await read(exchange, held, draft));
      return servePaid(tools, { operation: usage, events, read: readLeased })(exchange);
    });
  const protection = {
    operation,
    maxBodyBytes,
    lease: budget.lease,
    refusalOfRepeat: (exchange: IncomingExchange) =>
      whileLeased((held) =>
        refusalOfRepeat(tools, { read: (_exchange, draft) => read(exchange, held, draft) }, exchange),
      ),
  };
  return replays.protect(protection, handle);
}
