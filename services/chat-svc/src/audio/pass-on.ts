import type { AudioDispatch, AudioOutcome } from '@tallyport/dispatch';
import { audioSettlement } from '@tallyport/serving/metering';
import type { RequestEvents } from '@tallyport/serving';
import type { CallEndpoint } from '../calls/call-endpoint.ts';

interface PassedCall<Call> {
  dispatch: AudioDispatch<Call>;
  events: RequestEvents<AudioOutcome>;
  contentType(call: Call): string;
}

/** The attempt of a call whose answer is passed on as bytes. */
export const passOn = <Call>({
  dispatch,
  events,
  contentType,
}: PassedCall<Call>): Pick<CallEndpoint<Call>, 'attempt' | 'close' | 'events'> => ({
  events,
  close: dispatch.close,
  async attempt({ head, plan, call }, life) {
    const ended = events.begin({ head, plan, stream: false });
    const source = await dispatch.serve({
      call,
      plan,
      signal: life.signal,
      onOutcome(outcome) {
        life.settle(audioSettlement(outcome));
        ended(outcome);
      },
    });
    const { offer, routing } = source;
    const headers = { 'content-type': contentType(call), 'x-accel-buffering': 'no' };
    return { offer, attempts: routing.length, content: { kind: 'bytes', headers, source } };
  },
});

export const eventsType = 'text/event-stream; charset=utf-8';
