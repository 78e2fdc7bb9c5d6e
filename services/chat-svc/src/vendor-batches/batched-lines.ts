import type { ExchangeAnswer, ExchangeHandler, IncomingExchange } from '@tallyport/bus';
import { RequestDismissed } from '@tallyport/bus';
import { type BatchedCall, batchedStatus, byName, GatewayError, namesOf, type RequestHead } from '@tallyport/contracts';
import { batchedCall, type Detour } from '@tallyport/dispatch';
import { type ByteBudget, type CallDetours, exchangeWithBody, jsonHeaders } from '@tallyport/serving';
import { holdBody } from '@tallyport/serving/replay';

interface BatchedLineTools {
  detours: CallDetours;
  budget: ByteBudget;
  maxBodyBytes: number;
}

/**
 * Lines of batches whose call a batch of its vendor can make end with that call instead of an answer, and are served again
 * once the vendor has answered. Both times everything else is done as for every request.
 */
export const withBatchedLines = <Name extends string>(
  handlers: Readonly<Record<Name, ExchangeHandler>>,
  tools: BatchedLineTools,
): Record<Name, ExchangeHandler> =>
  byName(namesOf(handlers), (name) => {
    const handle = handlers[name];
    return (exchange) => {
      const { mayDefer, answered } = exchange.head.batch ?? {};
      if (answered !== undefined) return serveAnswered(tools, { handle, exchange, answered });
      return mayDefer ? serveOrDefer(tools, { handle, exchange }) : handle(exchange);
    };
  });

interface HandledLine {
  handle: ExchangeHandler;
  exchange: IncomingExchange;
}

async function serveOrDefer({ detours }: BatchedLineTools, { handle, exchange }: HandledLine): Promise<ExchangeAnswer> {
  let taken: BatchedCall | undefined;
  const detour: Detour = {
    kind: 'take',
    take(call) {
      taken = batchedCall(call);
      return taken && new RequestDismissed('A batch of the vendor will answer this line.');
    },
  };
  try {
    return await detours.take(exchange.head, detour, () => handle(exchange));
  } catch (thrown) {
    if (taken === undefined || exchange.signal.aborted) throw thrown;
    return { head: { status: batchedStatus, headers: jsonHeaders }, body: Buffer.from(JSON.stringify(taken)) };
  }
}

type Answered = NonNullable<NonNullable<RequestHead['batch']>['answered']>;

async function serveAnswered(
  { detours, budget, maxBodyBytes }: BatchedLineTools,
  { handle, exchange, answered }: HandledLine & { answered: Answered },
): Promise<ExchangeAnswer> {
  const { providerId, model, key, bytes } = answered;
  const { body: held, release } = await holdBody(exchange, {
    maxBodyBytes: maxBodyBytes + bytes,
    lease: () => budget.lease(),
  });
  try {
    const body = Buffer.from(held.buffer, held.byteOffset, held.byteLength);
    const split = body.length - bytes;
    if (split < 0) throw new GatewayError('internal_error', 'A line of a batch has less than its answer.');
    const detour: Detour = { kind: 'answered', providerId, model, key, body: body.subarray(split) };
    const asked = exchangeWithBody(exchange, exchange.head, body.subarray(0, split));
    return await detours.take(exchange.head, detour, () => handle(asked));
  } finally {
    release();
  }
}
