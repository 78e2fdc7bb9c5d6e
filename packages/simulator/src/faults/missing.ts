import { piece } from '../answer.ts';
import { isObject, parseJson } from '../json.ts';
import { bodyOf, ofReply, plain, withPieces } from './fault.ts';

/** The stream ends well, only nobody says so: no `[DONE]`. */
export const noDoneKind = plain(
  'no-done',
  ofReply((reply) =>
    withPieces(
      reply,
      reply.pieces.filter(({ part }) => part !== 'done'),
    ),
  ),
);

/** No usage, though it was asked for. */
export const noUsageKind = plain(
  'no-usage',
  ofReply((reply) => {
    if (reply.stream)
      return withPieces(
        reply,
        reply.pieces.filter(({ part }) => part !== 'usage'),
      );
    const body = parseJson(bodyOf(reply).toString());
    if (!isObject(body)) return reply;
    const { usage: _, ...rest } = body;
    return withPieces(reply, [piece('body', JSON.stringify(rest))]);
  }),
);
