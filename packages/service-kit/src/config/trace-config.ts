import { z } from 'zod';
import { defineConfig } from './setting.ts';
import { httpAddress, list } from './shapes.ts';

const pairs = list.transform((parts, context) => {
  const entries = parts.map((part) => part.split(/=(.*)/s, 2) as [string, string?]);
  if (entries.every(([name, value]) => name !== '' && value !== undefined)) {
    return Object.fromEntries(entries.map(([name, value]) => [name.trim(), decoded(value ?? '')]));
  }
  context.addIssue({ code: 'custom', message: 'must be name=value, or several separated by commas' });
  return z.NEVER;
});

/** OpenTelemetry percent-encodes commas and other special characters. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.trim());
  } catch {
    return text.trim();
  }
}

/** Names and meanings are defined by OpenTelemetry. */
export const traceConfig = defineConfig({
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: httpAddress.optional(),
    example: 'http://127.0.0.1:4318',
    description: 'Address of the trace collector (OTLP over HTTP with JSON). Without it nothing is traced.',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    schema: pairs.optional(),
    secret: true,
    description: 'Headers for the collector: name=value, or several separated by commas.',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    schema: z.coerce.number('must be a number from 0 to 1').min(0, 'must be from 0 to 1').max(1, 'must be from 0 to 1'),
    default: '1',
    description: 'Share of traces to record, from 0 to 1. For requests with a traceparent, the caller decides.',
  },
  OTEL_SEMCONV_STABILITY_OPT_IN: {
    schema: list.optional(),
    example: 'gen_ai_latest_experimental',
    description:
      'With gen_ai_latest_experimental, spans of provider calls have the attributes of the GenAI conventions 0.1.0.',
  },
});
