import type { ChatOutcome } from '@tallyport/dispatch';
import type { Kit } from '@tallyport/service-kit';
import { type RequestEvents, requestEvents } from '@tallyport/serving';
import { type RoutingEvents, routingEvents } from '@tallyport/serving/upstreams';
import { chatMetrics, type HeldMemory } from './metrics.ts';

export type ChatEvents = RoutingEvents & RequestEvents<ChatOutcome>;

/** Metrics and logs of this service. Each event is counted and logged once. */
export function chatEvents(kit: Pick<Kit, 'log' | 'metrics' | 'tracing'>, memory: HeldMemory): ChatEvents {
  const counted = chatMetrics(kit.metrics, memory);
  const requests = requestEvents<ChatOutcome>(kit, {
    operation: 'chat',
    messages: { answered: 'chat answered', failed: 'chat failed', refused: 'chat refused' },
    outcomeFields,
    onBegun: counted.begun,
    onEnded: counted.ended,
    onRefused: counted.refused,
    genAi: ({ usage, answer, firstContentMs }, stream) => ({
      usage,
      answer,
      ...(stream && { firstContentMs }),
    }),
  });
  return { ...routingEvents(kit), ...requests };
}

const outcomeFields = ({ usage, usageEstimated, firstContentMs }: ChatOutcome, stream: boolean) => ({
  firstContentMs: firstContentMs === undefined ? undefined : Math.round(firstContentMs),
  promptTokens: usage?.prompt_tokens,
  completionTokens: usage?.completion_tokens,
  usageEstimated: usageEstimated || undefined,
  stream,
});
