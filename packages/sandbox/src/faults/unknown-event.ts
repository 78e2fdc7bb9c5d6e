import { piece } from '../answer.ts';
import { bodyOf, faultNumber, isEventStream, ofReply, withEvent, withPieces, type FaultKind } from './fault.ts';

const future = { type: 'future_event', future: { level: 1 } };

/** An event of a kind that no client knows yet; a whole answer gets an unknown member. Other formats are unchanged. */
export const unknownEventKind: FaultKind = {
  name: 'unknown-event',
  usage: 'unknown-event[:<events before it>]',
  build: (spec) => {
    const index = faultNumber(spec, { minimum: 0, maximum: 1_000_000, defaultValue: 1 });
    const event = piece('delta', `event: ${future.type}\ndata: ${JSON.stringify(future)}\n\n`);
    return ofReply((reply) => {
      if (reply.stream) return isEventStream(reply) ? withEvent(reply, index, event) : reply;
      return withPieces(reply, [
        piece('body', `{"future":${JSON.stringify(future)},${bodyOf(reply).toString().slice(1)}`),
      ]);
    });
  },
};
