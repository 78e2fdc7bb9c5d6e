import { piece } from '../answer.ts';
import { ofReply, plain, withPieces } from './fault.ts';

/** A comment before every event. The format allows it, and clients must ignore it. */
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

/**
 * Endless comments and never an answer. Formats without comments get endless white space, which some vendors send to
 * keep a connection open.
 */
export const heartbeatOnlyKind = plain(
  'heartbeat-only',
  ofReply((reply, { comment }) => ({
    ...reply,
    pieces: [],
    loop: [(reply.stream ? comment : undefined) ?? piece('comment', ' ')],
    pace: reply.pace.kind === 'timed' ? reply.pace : { kind: 'timed', everyMs: 20 },
  })),
);
