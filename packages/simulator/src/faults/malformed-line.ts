import { piece } from '../answer.ts';
import { ofReply, wholeNumber, withPieces, type FaultKind } from './fault.ts';

/** One event of a good stream is not JSON. A whole answer stops being JSON halfway, complete as HTTP. */
export const malformedLineKind: FaultKind = {
  name: 'malformed-line',
  usage: 'malformed-line[:<events before it>]',
  build: (spec) => {
    const index = wholeNumber(spec, { minimum: 0, maximum: 1_000_000, otherwise: 1 });
    return ofReply((reply) => {
      if (reply.stream)
        return withPieces(
          reply,
          reply.pieces.toSpliced(index, 0, piece('delta', 'data: {"id":"chatcmpl-sim","choi\n\n')),
        );
      const body = Buffer.concat(reply.pieces.map(({ bytes }) => bytes));
      return withPieces(reply, [{ part: 'body', bytes: body.subarray(0, body.length >> 1) }]);
    });
  },
};
