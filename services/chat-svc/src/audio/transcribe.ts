import type { IncomingExchange } from '@tallyport/bus';
import { createTranscriptionDispatch, type DispatchOptions, planTranscriptions } from '@tallyport/dispatch';
import { estimateTranscription } from '@tallyport/pricing';
import type { TranscriptionCall } from '@tallyport/providers';
import type { Kit } from '@tallyport/service-kit';
import { type GuardrailTools, guardTexts } from '@tallyport/serving';
import { z } from 'zod';
import type { CallEndpoint } from '../calls/call-endpoint.ts';
import { audioEvents } from './audio-events.ts';
import { eventsType, passOn } from './pass-on.ts';
import { asTranscriptionRequest, transcriptionFacts } from './transcription-request.ts';

/** A transcript of an hour with the times of its words. */
const usualBytes = 1024 * 1024;

const operations = { transcribe: 'transcription', translate: 'translation' } as const;

/** `POST /v1/audio/transcriptions` and `POST /v1/audio/translations`. */
export function transcriptions(
  task: TranscriptionCall['task'],
  kit: Kit,
  { guardrails, ...options }: DispatchOptions & { guardrails: GuardrailTools },
): CallEndpoint<TranscriptionCall> {
  const operation = operations[task];
  return {
    operation,
    async parse(body, exchange) {
      const { call, ...asked } = asTranscriptionRequest(task, body, exchange.head);
      return { ...asked, call: { ...call, fields: await guardedFields(guardrails, exchange, call.fields) } };
    },
    plan: planTranscriptions,
    facts: () => transcriptionFacts,
    prompt: ({ file }) => [
      { kind: 'file', bytes: file.content.length, ...(file.type !== undefined && { mediaType: file.type }) },
    ],
    estimate: ({ file }) => estimateTranscription(file.content),
    expectedBytes: () => usualBytes,
    ...passOn({
      dispatch: createTranscriptionDispatch(options),
      events: audioEvents(kit, operation),
      contentType,
    }),
  };
}

async function guardedFields(
  guardrails: GuardrailTools,
  exchange: Pick<IncomingExchange, 'head' | 'signal'>,
  fields: TranscriptionCall['fields'],
): Promise<TranscriptionCall['fields']> {
  if (guardrails.of(exchange.head.principal)?.request === undefined) return fields;
  const texts = fields.map(({ name, content }) => ({ [name]: Buffer.from(content).toString() }));
  const guarded = guardedSchema.parse(await guardTexts(guardrails, exchange, texts));
  return fields.map((field, at) => {
    const text = guarded[at]?.[field.name];
    return text === undefined || text === texts[at]?.[field.name] ? field : { ...field, content: Buffer.from(text) };
  });
}

/** A guard keeps the form of what it inspects. */
const guardedSchema = z.array(z.record(z.string(), z.string()));

function contentType({ stream, format }: TranscriptionCall): string {
  if (stream) return eventsType;
  return format.endsWith('json') ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8';
}
