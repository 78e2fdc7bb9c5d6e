import {
  type Context,
  ROOT_CONTEXT,
  type Span as OtelSpan,
  SpanKind,
  SpanStatusCode,
  trace as traces,
  TraceFlags,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { ParentBasedSampler, TracerProvider, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace';
import type { ConfigOf } from '../config/setting.ts';
import { within } from '../within.ts';
import type { Log } from '../log/index.ts';
import type { Metrics } from '../metrics/index.ts';
import { boundedExport } from './bounded-export.ts';
import type { RunningTrace } from './running-trace.ts';
import type { traceConfig } from '../config/trace-config.ts';
import { formatTraceparent, parseTraceparent, type Trace } from './traceparent.ts';
import type { Attributes, AttributeValue, Span, Tracing } from './tracing.ts';

export interface TracingTools {
  /** The name of the service. */
  name: string;
  endpoint: string;
  config: ConfigOf<typeof traceConfig>;
  running: RunningTrace;
  log: Log;
  metrics: Metrics;
}

export interface OpenTracing extends Tracing {
  /** Exports the waiting spans, within the deadline. */
  stop(deadlineMs: number): Promise<void>;
}

const exportMs = 5_000;
const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

/** Sends traces of this process to a collector. This module is only loaded if one is configured. */
export function openTracing({ name, endpoint, config, running, log, metrics }: TracingTools): OpenTracing {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers: config.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    timeoutMillis: exportMs,
    concurrencyLimit: 2,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': name, 'service.namespace': 'tallyport' }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(config.OTEL_TRACES_SAMPLER_ARG) }),
    spanProcessors: [boundedExport(exporter, { log, metrics })],
    spanLimits: { attributeValueLengthLimit: 256, attributeCountLimit: 32 },
  });
  const tracer = provider.getTracer('tallyport');
  return {
    genAi: config.OTEL_SEMCONV_STABILITY_OPT_IN?.includes('gen_ai_latest_experimental') ?? false,
    begin(spanName, { kind, parent, attributes, at }) {
      const options = {
        kind: kinds[kind],
        attributes: defined(attributes),
        ...(at !== undefined && { startTime: at }),
      };
      return spanOf(tracer.startSpan(spanName, options, contextOf(parent)));
    },
    within: ({ trace }, work) => running.within(trace, work),
    keep(work) {
      const trace = running.now();
      return trace === undefined ? work : (...given) => running.within(trace, () => work(...given));
    },
    current() {
      const trace = running.now();
      return trace && formatTraceparent(trace);
    },
    stop: async (deadlineMs) => void (await within(provider.shutdown(), deadlineMs)),
  };
}

function contextOf(parent: string | undefined): Context {
  const trace = parseTraceparent(parent);
  if (trace === undefined) return ROOT_CONTEXT;
  const { traceId, spanId, sampled } = trace;
  const traceFlags = sampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return traces.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

function spanOf(span: OtelSpan): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  const trace: Trace = { traceId, spanId, sampled: (traceFlags & TraceFlags.SAMPLED) !== 0 };
  let over = false;
  return {
    trace,
    traceparent: formatTraceparent(trace),
    end({ attributes, error, at } = {}) {
      if (over) return;
      over = true;
      if (attributes) span.setAttributes(defined(attributes));
      if (error !== undefined) span.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR });
      span.end(at);
    },
  };
}

const defined = (attributes: Attributes = {}): Record<string, string | number | boolean | string[]> =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) => (value === undefined ? [] : [[name, copied(value)]])),
  );

const copied = (value: AttributeValue): string | number | boolean | string[] =>
  typeof value === 'object' ? [...value] : value;
