import type { Piece, Reply } from '../answer.ts';
import { FaultSyntaxError, ofReply, faultNumber, withPieces, type FaultKind } from './fault.ts';

/** Status 200 with only an error. `body=json`: a JSON body even if a stream was requested. */
export const errorIn200Kind: FaultKind = {
  name: 'error-in-200',
  usage: 'error-in-200[;body=json]',
  options: ['body'],
  build: ({ options }) => {
    if (options.body !== undefined && options.body !== 'json')
      throw new FaultSyntaxError("Fault 'error-in-200' accepts only body=json.");
    return ofReply((reply, dialect) =>
      reply.stream && options.body === undefined
        ? withError(reply, [], dialect.midStream)
        : asError(dialect.failure(500)),
    );
  },
};

/** A stream that reports an error after some chunks and then ends. Whole answers are unchanged. */
export const errorMidStreamKind: FaultKind = {
  name: 'error-mid-stream',
  usage: 'error-mid-stream[:<chunks before it>]',
  build: (spec) => {
    const chunks = faultNumber(spec, { minimum: 0, maximum: 1_000_000, defaultValue: 3 });
    return ofReply((reply, dialect) =>
      reply.stream ? withError(reply, reply.pieces.slice(0, chunks), dialect.midStream) : reply,
    );
  },
};

/** Marked as an error, although its status is that of a good answer. */
const asError = (reply: Reply): Reply => ({
  ...withPieces(
    reply,
    reply.pieces.map((part) => ({ ...part, part: 'error' })),
  ),
  status: 200,
});

const withError = (reply: Reply, before: readonly Piece[], error: readonly Piece[]): Reply =>
  withPieces(reply, [...before, ...error]);
