import { piece } from '../answer.ts';
import { ofReply, plain, withPieces } from './fault.ts';

/** A comment before every event: legal, and to be ignored. */
export const commentsKind = plain(
  'comments',
  ofReply((reply, { comment }) =>
    reply.stream && comment !== undefined
      ? withPieces(
          reply,
          reply.pieces.flatMap((event) => [comment, event]),
        )
      : reply,
  ),
);

/** Comments for ever, and never an answer. Where there are none: white space for ever, as some send to keep a connection. */
export const heartbeatOnlyKind = plain(
  'heartbeat-only',
  ofReply((reply, { comment }) => ({
    ...reply,
    pieces: [],
    loop: [(reply.stream ? comment : undefined) ?? piece('comment', ' ')],
    pace: reply.pace.kind === 'timed' ? reply.pace : { kind: 'timed', everyMs: 20 },
  })),
);
