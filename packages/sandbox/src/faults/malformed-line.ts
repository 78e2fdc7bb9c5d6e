import { bodyOf, ofReply, faultNumber, withEvent, withPieces, type FaultKind } from './fault.ts';

/**
 * One event of an otherwise valid stream is not JSON. A whole answer stops halfway through its JSON, but is complete as
 * HTTP.
 */
export const malformedLineKind: FaultKind = {
  name: 'malformed-line',
  usage: 'malformed-line[:<events before it>]',
  build: (spec) => {
    const index = faultNumber(spec, { minimum: 0, maximum: 1_000_000, defaultValue: 1 });
    return ofReply((reply, { malformed }) => {
      if (reply.stream) return withEvent(reply, index, malformed);
      const body = bodyOf(reply);
      return withPieces(reply, [{ part: 'body', bytes: body.subarray(0, body.length >> 1) }]);
    });
  },
};
