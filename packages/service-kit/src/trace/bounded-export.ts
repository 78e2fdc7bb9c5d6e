import { BatchSpanProcessor, type SpanExporter, type SpanProcessor } from '@opentelemetry/sdk-trace';
import type { Log } from '../log/index.ts';
import { throttledLog } from '../log/index.ts';
import type { Metrics } from '../metrics/index.ts';

const bounds = {
  maxQueueSize: 2_048,
  maxExportBatchSize: 512,
  scheduledDelayMillis: 1_000,
  exportTimeoutMillis: 10_000,
};

/** In the library's own table, which it does not let out. */
const success = 0;

/** Hands spans on in batches. A collector that is slow or away costs at most the queue: what does not fit is counted and left out. */
export function boundedExport(exporter: SpanExporter, { log, metrics }: { log: Log; metrics: Metrics }): SpanProcessor {
  const counted = metrics.counter({
    name: 'gateway_trace_spans_total',
    help: 'Spans by what became of them: exported, failed at the collector, dropped because too many waited.',
    labels: { result: ['exported', 'failed', 'dropped'] },
  });
  const warn = throttledLog(log);
  let waiting = 0;
  const processor = new BatchSpanProcessor({
    ...bounds,
    exporter: {
      export(spans, done) {
        waiting -= spans.length;
        exporter.export(spans, (result) => {
          const failed = result.code !== success;
          counted.with({ result: failed ? 'failed' : 'exported' }).increment(spans.length);
          if (failed) warn('traces', { error: result.error }, 'traces could not be handed to the collector');
          // Told as a success: the processor would say the same again, on stderr.
          done({ code: success });
        });
      },
      forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
      shutdown: () => exporter.shutdown(),
    },
  });
  return {
    onStart: (span, context) => processor.onStart(span, context),
    onEnd(span) {
      if (waiting >= bounds.maxQueueSize) return counted.with({ result: 'dropped' }).increment();
      waiting++;
      processor.onEnd(span);
    },
    forceFlush: () => processor.forceFlush(),
    shutdown: () => processor.shutdown(),
  };
}
