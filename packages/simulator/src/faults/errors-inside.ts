import { event, jsonReply, streamReply } from '../answer.ts';
import { errorBody } from '../openai/errors.ts';
import { FaultSyntaxError, ofReply, wholeNumber, withPieces, type FaultKind } from './fault.ts';

const failure = errorBody({
  status: 500,
  message: 'The server had an error while processing your request. Sorry about that!',
  type: 'server_error',
  param: null,
  code: null,
});

/** Status 200, and in it nothing but an error. `body=json`: a JSON body even where a stream was asked for. */
export const errorIn200Kind: FaultKind = {
  name: 'error-in-200',
  usage: 'error-in-200[;body=json]',
  options: ['body'],
  build: ({ options }) => {
    if (options.body !== undefined && options.body !== 'json')
      throw new FaultSyntaxError("Fault 'error-in-200' knows only body=json.");
    return ofReply((reply) =>
      reply.stream && options.body === undefined
        ? streamReply([event('error', failure)], reply.pace)
        : jsonReply(200, failure),
    );
  },
};

/** A good stream that tells of an error after some chunks and ends there. Whole answers stay good. */
export const errorMidStreamKind: FaultKind = {
  name: 'error-mid-stream',
  usage: 'error-mid-stream[:<chunks before it>]',
  build: (spec) => {
    const chunks = wholeNumber(spec, { minimum: 0, maximum: 1_000_000, otherwise: 3 });
    return ofReply((reply) =>
      reply.stream ? withPieces(reply, [...reply.pieces.slice(0, chunks), event('error', failure)]) : reply,
    );
  },
};
