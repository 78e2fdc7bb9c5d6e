import { piece } from '../answer.ts';
import { ofReply, plain, withPieces } from './fault.ts';

const heartbeat = piece('comment', ': heartbeat\n\n');

/** A comment before every event: legal, and to be ignored. */
export const commentsKind = plain(
  'comments',
  ofReply((reply) =>
    reply.stream
      ? withPieces(
          reply,
          reply.pieces.flatMap((event) => [heartbeat, event]),
        )
      : reply,
  ),
);

/** Comments for ever, and never an answer. Not streaming: white space for ever, as some send to keep a connection. */
export const heartbeatOnlyKind = plain(
  'heartbeat-only',
  ofReply((reply) => ({
    ...reply,
    pieces: [],
    loop: [reply.stream ? heartbeat : piece('comment', ' ')],
    pace: reply.pace.kind === 'timed' ? reply.pace : { kind: 'timed', everyMs: 20 },
  })),
);
