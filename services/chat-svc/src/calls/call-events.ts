import type { ChatOutcome } from '@tallyport/dispatch';
import type { Kit } from '@tallyport/service-kit';
import { type EndpointEvents, type RequestEvents, requestEvents } from '@tallyport/serving';
import { tokenCounter } from '../metrics.ts';

interface CallNames extends Pick<EndpointEvents<ChatOutcome>, 'operation'> {
  /** In the metric of refusals and the log: `embeddings`. */
  plural: string;
}

/** Metrics and logs of a call. Each event is counted and logged once. */
export function callEvents(
  kit: Pick<Kit, 'log' | 'metrics' | 'tracing'>,
  { operation, plural }: CallNames,
): RequestEvents<ChatOutcome> {
  const countTokens = tokenCounter(kit.metrics);
  const refused = kit.metrics.counter({
    name: `gateway_${plural}_refused_total`,
    help: `Requests for ${plural} refused before a provider was called.`,
    labels: { code: 'any' },
  });
  return requestEvents<ChatOutcome>(kit, {
    operation,
    messages: { answered: `${plural} made`, failed: `${plural} failed`, refused: `${plural} refused` },
    outcomeFields: ({ usage, usageEstimated }) => ({
      promptTokens: usage?.prompt_tokens,
      usageEstimated: usageEstimated || undefined,
    }),
    onEnded: ({ plan }, outcome) => countTokens(plan, outcome),
    onRefused: ({ code }) => refused.with({ code }).increment(),
    genAi: ({ usage }) => ({ usage }),
  });
}
