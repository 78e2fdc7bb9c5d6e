import { changePieces, ofReply, faultNumber, type FaultKind } from './fault.ts';
import { byteByByte } from './framing.ts';

const longestMs = 3_600_000;

/** Delays the whole answer, head included. */
export const slowFirstByteKind: FaultKind = {
  name: 'slow-first-byte',
  usage: 'slow-first-byte:<ms>',
  build: (spec) => {
    const delayMs = faultNumber(spec, { minimum: 1, maximum: longestMs });
    return ofReply((reply) => ({ ...reply, delayMs }));
  },
};

/** One piece per interval: a chunk of a stream, a byte of any other answer. */
export const dripKind: FaultKind = {
  name: 'drip',
  usage: 'drip:<ms per chunk, or per byte when not streaming>',
  build: (spec) => {
    const everyMs = faultNumber(spec, { minimum: 1, maximum: longestMs });
    return ofReply((reply) => ({
      ...(reply.stream ? reply : changePieces(reply, byteByByte)),
      pace: { kind: 'timed', everyMs },
    }));
  },
};
