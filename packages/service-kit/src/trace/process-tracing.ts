import type { OpenTracing, TracingNeeds } from './open-tracing.ts';

/** What a process traces with, where there is a collector. */
export async function processTracing(needs: Omit<TracingNeeds, 'endpoint'>): Promise<OpenTracing | undefined> {
  const endpoint = needs.config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return undefined;
  // Only here: whoever traces nothing does not load what traces.
  const { openTracing } = await import('./open-tracing.ts');
  return openTracing({ ...needs, endpoint });
}
