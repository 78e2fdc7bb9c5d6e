import type { ExchangeAnswer, IncomingExchange } from '@tallyport/bus';
import { refusalAnswer } from '@tallyport/limits';
import { nothingUsed } from './metering/index.ts';
import { unlimitedLease } from './byte-budget.ts';
import { draftOf, type PaidEndpoint } from './paid-request.ts';
import { openAiAnswerForm } from './stream/api-form.ts';
import type { ServingTools } from './serving-context.ts';

/**
 * Checks whether a repeated request would be refused now, by its model, a limit or a budget. Nothing is paid or stays
 * reserved. Resolves with `undefined` if it would be served. Throws like the endpoint's `read`.
 */
export async function refusalOfRepeat(
  { metering }: Pick<ServingTools, 'metering'>,
  endpoint: Pick<PaidEndpoint, 'lease' | 'operation' | 'read'>,
  exchange: IncomingExchange,
): Promise<ExchangeAnswer | undefined> {
  const lease = endpoint.lease?.() ?? unlimitedLease;
  try {
    const draft = draftOf(exchange.head);
    const request = await endpoint.read(exchange, draft, lease);
    const { plan, planMs, stream, form = openAiAnswerForm } = request;
    const reserved = await metering.reserve(
      {
        head: exchange.head,
        operation: endpoint.operation,
        endUser: draft.endUser,
        plan,
        planMs,
        stream,
        cache: 'bypass',
        signal: exchange.signal,
      },
      () => request.estimate(),
    );
    if ('error' in reserved) return refusalAnswer(reserved, form.refusal(reserved.error));
    reserved.settle(nothingUsed);
    return undefined;
  } finally {
    lease.release();
  }
}
