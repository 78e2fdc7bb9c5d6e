import { createSpeechDispatch, type DispatchOptions, planSpeech } from '@tallyport/dispatch';
import { speechType } from '@tallyport/endpoints';
import { estimateSpeech } from '@tallyport/pricing';
import type { SpeechCall } from '@tallyport/providers';
import type { Kit } from '@tallyport/service-kit';
import type { CallEndpoint } from '../calls/call-endpoint.ts';
import { routedBodyOf } from '../parse-request.ts';
import { audioEvents } from './audio-events.ts';
import { eventsType, passOn } from './pass-on.ts';
import { asSpeechRequest, speechFacts } from './speech-request.ts';

/** What is on its way between the two sockets. */
const bytesInTransit = 128 * 1024;

/** `POST /v1/audio/speech`. */
export const speech = (kit: Kit, options: DispatchOptions): CallEndpoint<SpeechCall> => ({
  operation: 'speech',
  parse(bytes, { head }) {
    const { body, ...asked } = routedBodyOf(bytes, head);
    return { ...asked, ...asSpeechRequest(body) };
  },
  plan: planSpeech,
  facts: speechFacts,
  prompt: ({ input }) => [{ kind: 'text', text: input }],
  estimate: ({ input }) => estimateSpeech(input),
  expectedBytes: () => bytesInTransit,
  ...passOn({
    dispatch: createSpeechDispatch(options),
    events: audioEvents(kit, 'speech'),
    contentType: ({ stream_format: streamed, response_format: format }) =>
      streamed === 'sse' ? eventsType : speechType(format),
  }),
});
