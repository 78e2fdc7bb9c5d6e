import { piece } from '../answer.ts';
import { bodyOf, ofReply, faultNumber, withEvent, withPieces, type FaultKind } from './fault.ts';

const maxBytes = 64 * 1024 * 1024;

/** Adds an event with this many bytes of text after the first one; a whole answer gets them in an additional member. */
export const oversizedLineKind: FaultKind = {
  name: 'oversized-line',
  usage: 'oversized-line:<bytes>',
  build: (spec) => {
    const bytes = faultNumber(spec, { minimum: 1, maximum: maxBytes });
    return ofReply((reply, dialect) => {
      const text = 'x'.repeat(bytes);
      if (reply.stream) return withEvent(reply, 1, dialect.delta(text));
      const rest = bodyOf(reply).toString().slice(1);
      return withPieces(reply, [piece('body', `{"padding":"${text}",${rest}`)]);
    });
  },
};
