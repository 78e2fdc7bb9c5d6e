import type { OpenTracing, TracingTools } from './open-tracing.ts';

/** The tracing of a process; `undefined` without a collector. */
export async function processTracing(needs: Omit<TracingTools, 'endpoint'>): Promise<OpenTracing | undefined> {
  const endpoint = needs.config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return undefined;
  // Imported here, so that the libraries are only loaded when tracing is on.
  const { openTracing } = await import('./open-tracing.ts');
  return openTracing({ ...needs, endpoint });
}
