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

/** `ExportResultCode.SUCCESS`, which the library does not export. */
const success = 0;

/**
 * Exports spans in batches. A slow or unavailable collector costs at most the queue; further spans are counted and
 * dropped.
 */
export function boundedExport(exporter: SpanExporter, { log, metrics }: { log: Log; metrics: Metrics }): SpanProcessor {
  const counted = metrics.counter({
    name: 'gateway_trace_spans_total',
    help: 'Spans by result: exported, failed at the collector, or dropped because the queue was full.',
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
          if (failed) warn('traces', { error: result.error }, 'traces could not be sent to the collector');
          // Reported as a success, because the processor would print the failure again on stderr.
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
