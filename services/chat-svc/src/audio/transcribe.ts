import { createTranscriptionDispatch, type DispatchOptions, planTranscriptions } from '@switchyard/dispatch';
import { estimateTranscription } from '@switchyard/pricing';
import type { TranscriptionCall } from '@switchyard/providers';
import type { Kit } from '@switchyard/service-kit';
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
  options: DispatchOptions,
): CallEndpoint<TranscriptionCall> {
  const { operation, route } = tasks[task];
  return {
    operation,
    parse: (body, { headers }) => asTranscriptionRequest(task, body, headers['content-type'] ?? ''),
    plan: planTranscriptions,
    estimate: ({ file }) => estimateTranscription(file.content),
    expectedBytes: () => usualBytes,
    ...passOn({
      dispatch: createTranscriptionDispatch(options),
      events: audioEvents(kit, { route, operation }),
      contentType,
    }),
  };
}

function contentType({ stream, format }: TranscriptionCall): string {
  if (stream) return eventsType;
  return format.endsWith('json') ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8';
}
