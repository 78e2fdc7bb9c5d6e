import type { RequestHead } from '@switchyard/contracts';
import { createTranscriptionDispatch, type DispatchOptions, planTranscriptions } from '@switchyard/dispatch';
import { estimateTranscription } from '@switchyard/pricing';
import type { TranscriptionCall } from '@switchyard/providers';
import type { Kit } from '@switchyard/service-kit';
import { type GuardrailTools, redactForm } from '@switchyard/serving';
import type { CallEndpoint } from '../calls/call-endpoint.ts';
import { audioEvents } from './audio-events.ts';
import { eventsType, passOn } from './pass-on.ts';
import { asTranscriptionRequest } from './transcription-request.ts';

/** A transcript of an hour with the times of its words. */
const usualBytes = 1024 * 1024;

const tasks = {
  transcribe: { operation: 'transcription', route: '/v1/audio/transcriptions' },
  translate: { operation: 'translation', route: '/v1/audio/translations' },
} as const;

/** `POST /v1/audio/transcriptions` and `POST /v1/audio/translations`. */
export function transcriptions(
  task: TranscriptionCall['task'],
  kit: Kit,
  { guardrails, ...options }: DispatchOptions & { guardrails: GuardrailTools },
): CallEndpoint<TranscriptionCall> {
  const { operation, route } = tasks[task];
  return {
    operation,
    parse(body, head) {
      const { model, call } = asTranscriptionRequest(task, body, head.headers['content-type'] ?? '');
      return { model, call: { ...call, fields: redactedFields(guardrails, head, call.fields) } };
    },
    plan: planTranscriptions,
    prompt: ({ file }) => [
      { kind: 'file', bytes: file.content.length, ...(file.type !== undefined && { mediaType: file.type }) },
    ],
    estimate: ({ file }) => estimateTranscription(file.content),
    expectedBytes: () => usualBytes,
    ...passOn({
      dispatch: createTranscriptionDispatch(options),
      events: audioEvents(kit, { route, operation }),
      contentType,
    }),
  };
}

function redactedFields(guardrails: GuardrailTools, head: RequestHead, fields: TranscriptionCall['fields']) {
  if (guardrails.of(head.principal)?.request === undefined) return fields;
  return fields.map((field) => {
    const text = Buffer.from(field.content).toString();
    const { [field.name]: redacted } = redactForm(guardrails, head, { [field.name]: text });
    return redacted === text ? field : { ...field, content: Buffer.from(String(redacted)) };
  });
}

function contentType({ stream, format }: TranscriptionCall): string {
  if (stream) return eventsType;
  return format.endsWith('json') ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8';
}
